import Foundation
import Freshet
import FreshetTesting
import Testing

@testable import FreshetHTTP

/// What a transport owes, shown on the one that is used here.
@Suite(.timeLimit(.minutes(5)))
struct TransportTests {
  /// Waits longer than a machine under load is late.
  static let patient = StandardTransport.standard(
    timeouts: HTTPTimeouts(connect: .seconds(600), idle: .seconds(600), total: .seconds(900)))
  /// Waits that only a server that is meant to be too slow lets pass.
  static let hasty = HTTPTimeouts(
    connect: .seconds(60), idle: .milliseconds(300), total: .seconds(60))

  func ask(
    _ url: URL, _ headers: HTTPHeaders = [:], of transport: some HTTPTransport = Self.patient,
    limit: Int = 1 << 20
  ) async -> Result<HTTPResponse, any Error> {
    do {
      return .success(
        try await transport.response(to: HTTPRequest(url, headers: headers), bodyLimit: limit))
    } catch { return .failure(error) }
  }

  func code(_ result: Result<HTTPResponse, any Error>) -> URLError.Code? {
    guard case .failure(HTTPError.unreachable(_, let code, let reason)) = result else { return nil }
    #expect(!reason.isEmpty)
    return code
  }

  func code(of steps: [RawServer.Step], _ timeouts: HTTPTimeouts? = nil) async throws -> URLError
    .Code?
  {
    let server = try RawServer { _ in steps }
    defer { server.stop() }
    let transport = timeouts.map { .standard(timeouts: $0) } ?? Self.patient
    return code(await ask(try server.url(), of: transport))
  }

  @Test
  func `an answer comes with its status, its fields and its body, and what was asked is sent`()
    async throws
  {
    let server = try RawServer { request in
      [.send(answer(request.path, status: "418 Teapot", [("A", "1"), ("B", ""), ("A", "2")]))]
    }
    defer { server.stop() }
    let response = try await ask(
      try server.url("/x%20y?a=b#f"), ["Accept": "text/x", "X-Empty": "", "X-Long": "é"]
    ).get()
    #expect(
      response.status == 418 && response.headers["a"] == "1, 2" && response.headers["B"] == "")
    #expect(String(decoding: response.body, as: UTF8.self) == "/x%20y?a=b")
    let request = try #require(server.requests.first)
    #expect(request.field("Accept") == "text/x" && request.field("X-Empty") == "")
    #expect(request.field("X-Long") == "é" && request.field("Host") == "127.0.0.1:\(server.port)")
    #expect(request.field("User-Agent") == "Freshet" && request.field("Cookie") == nil)
  }

  @Test
  func `a connection is kept for the next request`() async throws {
    let server = try RawServer { _ in [.send(answer("[]"))] }
    defer { server.stop() }
    let transport = StandardTransport(timeouts: HTTPTimeouts())
    for _ in 0..<20 {
      #expect(try await ask(try server.url(), of: transport).get().status == 200)
    }
    // One, unless the machine was so busy in between that it ran out of time.
    #expect(server.requests.count >= 20 && server.connections < 5)
  }

  @Test
  func `requests do not wait for each other`() async throws {
    let server = try RawServer { $0.path == "/slow" ? [.hold] : [.send(answer("[]"))] }
    defer { server.stop() }
    let slow = Task { await ask(try server.url("/slow")) }
    #expect(await eventually { server.requests.contains(where: { $0.path == "/slow" }) })
    #expect(try await ask(try server.url("/quick")).get().status == 200)
    slow.cancel()
    await #expect(throws: CancellationError.self) { try await slow.value.get() }
  }

  @Test
  func `cancelling returns at once and closes the connection`() async throws {
    let server = try RawServer { _ in
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1"), .hold]
    }
    defer { server.stop() }
    let task = Task { await ask(try server.url()) }
    #expect(await eventually { !server.requests.isEmpty })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value.get() }
    await server.idle()
  }

  #if os(Linux)
    @Test
    func `what was cancelled on its way to the thread is not sent`() async throws {
      let server = try RawServer { _ in [.send(answer("[]"))] }
      defer { server.stop() }
      let url = try server.url("/after")
      let loop = CurlLoop()
      defer { loop.close() }
      func transfer(_ url: URL) -> CurlTransfer {
        CurlTransfer(
          HTTPRequest(url), address: url.absoluteString, bodyLimit: 9, timeouts: HTTPTimeouts(),
          authorities: nil)
      }
      let cancelled = transfer(try server.url("/cancelled"))
      cancelled.end(with: .failure(CancellationError()))
      loop.leave(cancelled)
      loop.join(cancelled)
      // What is asked behind it, one request after the other, is answered long after it would have
      // been.
      for _ in 0..<20 {
        let next = transfer(url)
        let answer = try await withCheckedThrowingContinuation { continuation in
          if next.begin(continuation) { loop.join(next) }
        }
        #expect(answer.status == 200)
      }
      #expect(Set(server.requests.map(\.path)) == ["/after"])
    }
  #endif

  @Test
  func `cancelling before, while and after leaves nobody waiting`() async throws {
    let server = try RawServer { _ in [.send(answer("[]"))] }
    defer { server.stop() }
    let url = try server.url()
    for round in 0..<60 {
      let transport = StandardTransport(timeouts: HTTPTimeouts())
      await withTaskGroup { group in
        for number in 0..<4 {
          group.addTask {
            let task = Task { await ask(url, of: transport) }
            for _ in 0..<(round * number) { await Task.yield() }
            task.cancel()
            switch await task.value {
            case .success(let response): #expect(response.status == 200)
            case .failure(let error): #expect(error is CancellationError)
            }
          }
        }
      }
    }
  }

  @Test
  func `N4: silence, a drip and a server that never answers end within the time-outs`() async throws
  {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    #expect(try await code(of: [.hold], Self.hasty) == .timedOut)
    #expect(try await code(of: [.send("HTTP/1.1 200 OK\r\nA"), .hold], Self.hasty) == .timedOut)
    #expect(try await code(of: [.send(head), .hold], Self.hasty) == .timedOut)
    let brief = HTTPTimeouts(idle: .seconds(60), total: .milliseconds(500))
    let drip = RawServer.Step.drip([UInt8](repeating: 32, count: 100_000), every: .milliseconds(20))
    #expect(try await code(of: [.send(head), drip], brief) == .timedOut)
    #expect(
      try await code(of: [.drip([UInt8](head.utf8), every: .milliseconds(200))], brief) == .timedOut
    )
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n",
  ])
  func `N4: an answer that is cut is a lost connection`(text: String) async throws {
    for end in [RawServer.Step.close, .reset] {
      let code = try await code(of: [.send(text), end])
      #expect(code == .networkConnectionLost, "\(end)")
    }
  }

  @Test(arguments: [
    "[]", "<html></html>\r\n", "\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
    "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
    "HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "\u{16}\u{3}\u{1}\0\0\0\0",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n[]\r\n0\r\n\r\n",
  ])
  func `N4: what is not HTTP is an error that says so`(text: String) async throws {
    let code = try await code(of: [.send(text), .close])
    #expect(code == .badServerResponse || code == .networkConnectionLost)
  }

  @Test
  func `N4: interim answers and trailers are passed over`() async throws {
    let server = try RawServer { _ in
      [
        .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n"),
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n"),
        .send("2;ext=1\r\n[]\r\n0\r\nA: 1\r\nLink: <evil>; rel=next\r\n\r\n"),
      ]
    }
    defer { server.stop() }
    let response = try await ask(try server.url()).get()
    #expect(response.status == 200 && response.body == Data("[]".utf8))
    #expect(response.headers["A"] == nil && response.headers["Link"] == nil)
  }

  @Test(arguments: ["Basic realm=x", "Digest realm=x, nonce=y", "Negotiate", "NTLM", "Bearer", "?"])
  func `a 401 is an answer, whatever it asks for`(challenge: String) async throws {
    let server = try RawServer { _ in
      [.send(answer("{}", status: "401 No", [("WWW-Authenticate", challenge)]))]
    }
    defer { server.stop() }
    let response = try await ask(try server.url()).get()
    #expect(response.status == 401 && response.headers["WWW-Authenticate"] == challenge)
    #expect(server.requests.count == 1)
  }

  @Test
  func `N1: a redirection is an answer, and cookies are not kept`() async throws {
    let server = try RawServer { _ in
      [.send(answer("", status: "302 Found", [("Location", "/2"), ("Set-Cookie", "a=b")]))]
    }
    defer { server.stop() }
    for _ in 0..<2 {
      #expect(try await ask(try server.url()).get().headers["Location"] == "/2")
    }
    #expect(server.requests.map(\.path) == ["/list", "/list"])
    #expect(server.requests.allSatisfy { $0.field("Cookie") == nil })
  }

  @Test(arguments: [
    ("X", "1\r\nHost: evil"), ("X: 1\r\nY", "2"), ("X", "\n"), ("X", "\0"), ("", "1"), ("X Y", "1"),
  ])
  func `N1: a field that would smuggle another is refused, and its value is not told`(
    name: String, value: String
  ) async throws {
    let server = try RawServer { _ in [.send(answer("[]"))] }
    defer { server.stop() }
    var headers: HTTPHeaders = [:]
    headers.append(name, value + "secret")
    let result = await ask(try server.url(), headers)
    #expect(code(result) == .badURL)
    #expect(!"\(result)".contains("secret") && server.requests.isEmpty)
  }

  @Test(arguments: ["http://a@127.0.0.1/", "ftp://127.0.0.1/", "http://127.1/", "relative"])
  func `N1: a URL that is not one to ask is refused before anything is sent`(text: String)
    async throws
  {
    let url = try #require(URL(string: text))
    await #expect(throws: HTTPError.invalidURL(url)) { try await ask(url).get() }
  }

  @Test
  func `nobody there, and no such host`() async throws {
    let server = try RawServer { _ in [] }
    let url = try server.url()
    server.stop()
    #expect(code(await ask(url)) == .cannotConnectToHost)
  }

  @Test
  func `a body is unpacked`() async throws {
    let body = [UInt8](String(repeating: "[1] ", count: 50_000).utf8)
    let server = try RawServer { request in
      #expect(request.field("Accept-Encoding")?.contains("gzip") == true)
      return [.send(answer(Packing.gzip(body), [("Content-Encoding", "gzip")]))]
    }
    defer { server.stop() }
    #expect(try await ask(try server.url()).get().body == Data(body))
  }

  @Test
  func `N4: what cannot be unpacked is an error`() async throws {
    let packed = Packing.gzip([UInt8](repeating: 32, count: 1_000))
    var broken = packed
    broken[12] ^= 0xff
    for (body, coding) in [
      (broken, "gzip"), (packed, "br"), (packed, "zstd"), (packed, "gzip, gzip"),
    ] {
      let steps = [RawServer.Step.send(answer(body, [("Content-Encoding", coding)])), .close]
      #expect(try await code(of: steps) == .cannotDecodeContentData, "\(coding)")
    }
  }
}
