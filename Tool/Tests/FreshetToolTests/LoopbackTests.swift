import Foundation
import FlyingFox
import FlyingSocks
import Freshet
import FreshetHTTP
import Testing

@testable import FreshetTool

/// The demo's servers against callers that mean no good.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct LoopbackTests {
  static let port: UInt16 = 18_451

  func withServer(_ body: (QuakeServer) async throws -> Void) async throws {
    let server = QuakeServer(
      port: Self.port, list: try await QuakeList(MemoryStore(), all: .all),
      history: try DemoCommand.history(), pace: .seconds(60))
    try await server.begin(anew: true)
    try await server.listen()
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  func ask(
    _ line: String, headers: [String] = [], host: String? = nil, body: Data = Data()
  ) async throws -> String {
    try await RawClient.ask(line, headers: headers, host: host, body: body, port: Self.port)
  }

  /// Whether another caller is answered.
  func isServing() async throws -> Bool {
    try await ask("GET /quakes?limit=1").hasPrefix("HTTP/1.1 200 OK\r\n")
  }

  @Test
  func `numbers beyond what is counted are refused with their name, and the server lives`()
    async throws
  {
    let paths = [
      "pages?page", "pages?per_page", "fdsnws/event/1/query?offset", "fdsnws/event/1/query?limit",
      "quakes?limit", "feed?limit", "quakes?before", "quakes.geojson?after",
      "quakes?minlatitude", "pages?maxlatitude", "feed?minmagnitude",
    ]
    try await withServer { _ in
      for path in paths {
        for number in [Int.max, .min].map(String.init) + ["99999999999999999999", "1e3", "x", ""] {
          let answer = try await ask("GET /\(path)=\(number)")
          #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(path)=\(number)")
          let name = path.split(separator: "?")[1]
          #expect(answer.contains("\(name) needs a number from "), "\(answer)")
        }
      }
      let far = try await ask("GET /pages?page=1000000000&per_page=1000000000")
      #expect(far.hasPrefix("HTTP/1.1 200 ") && far.hasSuffix("[]"))
      #expect(try await isServing())
    }
  }

  @Test
  func `a star is applied once, however often its key is received`() async throws {
    try await withServer { server in
      let quake = try #require(server.quakes.first)
      for (key, isStarred) in [("a", true), ("b", false), ("a", true), ("a", true)] {
        let answer = try await ask(
          "POST /stars/\(quake.id)?on=\(isStarred)", headers: ["Idempotency-Key: \(key)"])
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains(#""id":"\#(quake.id)""#))
      }
      #expect(server.quakes.first?.isStarred == false && server.status.stars == 2)
      let stars = try await ask("GET /stars")
      #expect(stars.contains(#""times":3"#) && stars.contains(#""times":1"#), "\(stars)")
      let none = try await ask("POST /stars/none?on=true", headers: ["Idempotency-Key: c"])
      #expect(none.hasPrefix("HTTP/1.1 404 ") && server.status.stars == 2)
    }
  }

  @Test
  func `a search is for a text, a half of the earth or a magnitude, on all its pages`()
    async throws
  {
    try await withServer { server in
      let source = try #require(URL(string: "http://127.0.0.1:\(Self.port)/quakes.geojson?limit=5"))
      let service = try #require(
        URL(string: "/fdsnws/event/1/query?format=geojson&orderby=time", relativeTo: source))
      for half in QuakeQuery.Half.allCases {
        for text in ["", "tObelo", "of T", "none & such/like?"] {
          let query = QuakeQuery(half: half, text: text)
          let meant = server.quakes.filter { quake in
            let isHere = half == .north ? quake.latitude >= 0 : quake.latitude <= 0
            return isHere
              && (text.isEmpty || quake.place.lowercased().contains(text.lowercased()))
          }
          let feeds = [
            Feed(try HTTPFeedSource<Quake>(query.url(in: source), paging: .linkHeader)),
            Feed(try HTTPFeedSource<Quake>(query.url(in: service), paging: .offset(first: 1))),
          ]
          for feed in feeds {
            await feed.refresh()
            while await feed.loadNext() == .idle {}
            #expect(feed.value.state.next == .end, "\(query)")
            #expect(feed.value.items.map(\.id) == meant.map(\.id), "\(query)")
          }
        }
      }
      let strong = Feed(
        try HTTPFeedSource<Quake>(QuakeQuery.strong.url(in: source), paging: .linkHeader))
      await strong.refresh()
      while await strong.loadNext() == .idle {}
      let meant = server.quakes.filter { $0.magnitude >= 5 }
      #expect(strong.value.items.map(\.id) == meant.map(\.id) && meant.count > 10)
      let long = try await ask("GET /quakes?q=\(String(repeating: "x", count: 101))")
      #expect(long.hasPrefix("HTTP/1.1 400 ") && long.contains("q is longer than 100"))
    }
  }

  static let foreign: [(headers: [String], host: String?)] = [
    (["Origin: http://evil.example"], nil), (["Origin: null"], nil),
    (["Origin: http://localhost:3000"], nil), (["Origin: https://127.0.0.1:\(port)"], nil),
    (["Origin: http://127.0.0.1:\(port).evil.example"], nil),
    (["Origin: http://127.0.0.1:\(port)", "Origin: http://evil.example"], nil),
    (["Sec-Fetch-Site: cross-site"], nil), (["Sec-Fetch-Site: same-site"], nil),
    ([], "evil.example"), ([], "evil.example:\(port)"), ([], "127.0.0.1.evil.example"),
    ([], "localhost.evil.example"), ([], "127.0.0.1@evil.example"), ([], "127.0.0.1:99999999"),
    ([], "127.0.0.1:+80"), ([], ""), ([], "0.0.0.0:\(port)"),
    (["Origin: http://evil.example:\(port)"], "evil.example:\(port)"),
    (["Host: evil.example"], nil),
  ]

  @Test
  func `a page of another site, or a name that is not loopback's, changes nothing`() async throws {
    try await withServer { server in
      let id = server.quakes[0].id
      for (headers, host) in Self.foreign {
        let answer = try await ask("POST /stars/\(id)?on=true", headers: headers, host: host)
        #expect(answer.hasPrefix("HTTP/1.1 40"), "\(headers) \(host ?? "")")
        #expect(!server.quakes[0].isStarred, "\(headers) \(host ?? "")")
        // Nor does a name of somebody else's read the list.
        if headers.isEmpty {
          let read = try await ask("GET /quakes?limit=1", host: host)
          #expect(read.hasPrefix("HTTP/1.1 403") && !read.contains(id), "\(host ?? "")")
        }
      }
      // A link of another site may lead to the list, but its scripts may not ask for it.
      for (mode, status) in [("navigate", 200), ("no-cors", 403), ("cors", 403)] {
        let headers = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: \(mode)"]
        let answer = try await ask("GET /quakes?limit=1", headers: headers)
        #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(mode)")
      }
      for host in ["127.0.0.1:\(Self.port)", "LOCALHOST:\(Self.port)", "[::1]", "localhost:9000"] {
        for headers in [[], ["Origin: http://\(host)", "Sec-Fetch-Site: same-origin"]] {
          let isOn = !server.quakes[0].isStarred
          let answer = try await ask("POST /stars/\(id)?on=\(isOn)", headers: headers, host: host)
          #expect(answer.hasPrefix("HTTP/1.1 200"), "\(host)")
          #expect(server.quakes[0].isStarred == isOn, "\(host)")
        }
      }
    }
  }

  @Test
  func `what is too large is refused, and others are answered meanwhile`() async throws {
    let large = Data(repeating: UInt8(ascii: "x"), count: 10_000_000)
    let host = "Host: 127.0.0.1:\(Self.port)\r\n"
    let attacks: [(start: String, rest: Data, status: Int)] = [
      ("GET /", large.prefix(1_000_000), 431), ("GET /", large, 431),
      ("GET / HTTP/1.1\r\n\(host)X: ", large, 431),
      ("GET / HTTP/1.1\r\n", Data(String(repeating: "X: 1\r\n", count: 100_000).utf8), 431),
      ("POST /stars/x HTTP/1.1\r\n\(host)Content-Length: 10000000\r\n\r\n", large, 413),
      (
        "POST /stars/x HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n", Data(), 413
      ),
      ("POST /stars/x HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n", Data(), 400),
      (
        "POST /stars/x HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\n", Data(),
        400
      ),
      (
        "POST /stars/x HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
        large, 411
      ),
      ("\u{0}\u{1}\u{2}\r\n\r\n", Data(), 400),
      ("GET http://evil.example/ HTTP/1.1\r\n\r\n", Data(), 400),
      ("GET / HTTP/1.1\r\n\(host) folded: 1\r\n\r\n", Data(), 400),
      ("PRI * HTTP/2.0\r\n\r\n", Data(), 400),
    ]
    try await withServer { _ in
      for (start, rest, status) in attacks {
        let client = try await RawClient(port: Self.port)
        let isTaken = await client.send(Data(start.utf8) + rest)
        #expect(try await isServing(), "\(start)")
        // Who sends on beyond all bounds may find the line cut instead of an answer.
        let answer = await client.rest()
        #expect(
          answer.hasPrefix("HTTP/1.1 \(status) ") || !isTaken || rest.count > 5_000_000, "\(start)")
      }
      // Many that begin and do not go on leave when they are gone.
      var callers: [RawClient] = []
      for _ in 0..<300 {
        callers.append(try await RawClient(port: Self.port))
        await callers.last?.send(Data("GET /quakes HT".utf8))
      }
      for caller in callers { try? caller.socket.close() }
      while try await !isServing() {}
    }
  }

  @Test
  func `requests may come in any pieces, and several at once`() async throws {
    try await withServer { _ in
      let head = "GET /quakes?limit=1 HTTP/1.1\r\nHost: localhost\r\n"
      let slow = try await RawClient(port: Self.port)
      for byte in "\(head)Connection: close\r\n\r\n".utf8 { await slow.send(Data([byte])) }
      #expect(await slow.rest().hasPrefix("HTTP/1.1 200 OK"))
      let body = "POST /stars/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nGET /"
      let many = try await RawClient(port: Self.port)
      await many.send(Data("\(head)\r\n\(body)\(head)Connection: close\r\n\r\n".utf8))
      let answers = await many.rest().components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(answers.map { $0.prefix(3) } == ["200", "404", "200"])
    }
  }

  @Test
  func `Open is said once the page answers, and not where it cannot`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = [
      "demo", "--port", "18452", "--feed-port", "18453", "--store", "memory", "--paused",
      "--cache-folder", folder.path,
    ]
    let page = LoopbackServer(port: 18_452, handler: RoutedHTTPHandler())
    try await page.start()
    let run = try await WatchTests.freshet(arguments)
    #expect(run.status != 0 && !run.output.contains("Open"), "\(run)")
    #expect(run.error.contains("18452") && run.error.contains("--port"), "\(run)")
    await page.stop()

    for _ in 0..<3 {
      let (process, output, _) = try WatchTests.start(arguments)
      let line = String(decoding: await WatchTests.chunk(of: output), as: UTF8.self)
      #expect(line.hasPrefix("Open http://127.0.0.1:18452/"))
      #expect(try await RawClient.ask("GET /", port: 18_452).hasPrefix("HTTP/1.1 200 OK"))
      // Its buttons are for itself alone.
      for (headers, host) in [(["Origin: http://evil.example"], nil), ([], "evil.example")] {
        let answer = try await RawClient.ask(
          "POST /hold", headers: headers, host: host, port: 18_452)
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
      }
      process.terminate()
      process.waitUntilExit()
    }
  }
}
