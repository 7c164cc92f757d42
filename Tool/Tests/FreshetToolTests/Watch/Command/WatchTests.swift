import Foundation
import FlyingFox
import FlyingSocks
import Freshet
import Testing

@testable import FreshetTool

/// The command as its users run it: a process, against the demo's server on loopback.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct WatchTests {
  static let styles = [
    ["/quakes", "--paging", "link"], ["/feed", "--paging", "next:/next"], ["/feed"],
    ["/pages", "--paging", "page"], ["/pages", "--paging", "page", "--limit", "30"],
    ["/fdsnws/event/1/query", "--paging", "offset:offset:limit:1", "--limit", "40"],
    [
      "/fdsnws/event/1/query", "--paging", "offset:offset:limit:1", "--limit", "50",
      "--section", "/properties/time:day", "--title", "/properties/place",
    ],
  ]

  @Test(arguments: styles)
  func `watch holds the server's list exactly while quakes arrive`(arguments: [String]) async throws
  {
    try await withServer { server, base in
      let (process, output, _) = try Self.start(
        [
          "watch", base + arguments[0], "--pages", "all", "--refresh", "all", "--every", "100ms",
          "--no-cache",
        ]
          + arguments.dropFirst())
      defer { process.terminate() }
      var reader = LineReader()
      var rest = Data()
      var steps = 0
      while case let chunk = await Self.chunk(of: output), !chunk.isEmpty {
        rest += chunk
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
        try reader.read(String(decoding: rest[...end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
        #expect(reader.lines.last?.count == reader.rows.count)
        // Each time the client holds the list, the server has moved on.
        if steps < 8 {
          try await server.step()
          steps += 1
        } else if reader.ids == server.quakes.map(\.id),
          Self.magnitudes(reader) == server.quakes.map(\.magnitude)
        {
          return
        }
      }
      Issue.record("the output ended")
    }
  }

  static func magnitudes(_ reader: LineReader) -> [Double] {
    reader.rows.compactMap { row in
      (row[["magnitude"]] ?? row[["properties", "mag"]])?.text.flatMap { Double($0) }
    }
  }

  @Test
  func `P2: killed at any moment, the next start shows rows that the server had`() async throws {
    let options = ["--cache", "kill \(UUID())", "--pages", "3"]
    var everListed = Set<String>()
    var url = ""
    try await withServer { server, base in
      url = "\(base)/quakes?limit=20"
      for round in 0..<12 {
        let (process, output, _) = try Self.start(["watch", url, "--every", "1ms"] + options)
        for _ in 0...(round % 5) where !(await Self.chunk(of: output).isEmpty) {
          everListed.formUnion(server.quakes.map(\.id))
          try await server.step()
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      everListed.formUnion(server.quakes.map(\.id))
    }
    let run = try await Self.freshet(["watch", url, "--once", "--retries", "0"] + options)
    var reader = LineReader()
    try reader.read(run.output)
    #expect(run.status == 69 && Self.isOneLine(run.error), "\(run)")
    #expect(reader.lines.first?.origin == "cache")
    #expect(reader.lines.last?.state["refresh"] == "failed")
    #expect(reader.ids.count >= 20 && Set(reader.ids).count == reader.ids.count)
    #expect(everListed.isSuperset(of: reader.ids))
    let times = reader.rows.compactMap { $0[["time"]]?.text.flatMap { Int($0) } }
    #expect(times == times.sorted(by: >))
  }

  @Test
  func `once prints the pages asked for and ends`() async throws {
    try await withServer { server, base in
      let run = try await Self.freshet(
        ["watch", "\(base)/quakes", "--pages", "2", "--once", "--no-cache"])
      var reader = LineReader()
      try reader.read(run.output)
      #expect(run.status == 0 && run.error.isEmpty)
      #expect(reader.ids == server.quakes.prefix(100).map(\.id))
      #expect(reader.lines.last?.state == ["refresh": "idle", "next": "idle"])
    }
  }

  @Test
  func `a table says rows, sections, where they are from and how the list ends`() async throws {
    try await withServer { server, base in
      let run = try await Self.freshet(
        [
          "watch", "\(base)/quakes", "--once", "--no-cache", "--format", "table",
          "--section", "/time:day",
        ])
      #expect(run.output.contains("2024-05-01\n"))
      #expect(run.output.contains("\(server.quakes[0].id)  M \(server.quakes[0].magnitude) - "))
      #expect(run.output.contains("50 rows from the network\n"))
      #expect(run.output.hasSuffix("next: idle, there may be more than --pages 1\n"))
    }
  }

  @Test
  func `cached rows come first, then the error: 69`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var arguments: [String] = []
    try await withServer { _, base in
      arguments = [
        "watch", "\(base)/quakes", "--once", "--retries", "0", "--cache-folder", folder.path,
      ]
      let first = try await Self.freshet(arguments)
      #expect(first.status == 0)
    }
    let run = try await Self.freshet(arguments)
    var reader = LineReader()
    try reader.read(run.output)
    #expect(reader.lines.map(\.origin) == ["cache", "cache"] && reader.rows.count == 50)
    #expect(reader.lines.last?.state == ["refresh": "failed", "next": "idle"])
    #expect(run.status == 69 && Self.isOneLine(run.error))
  }

  @Test
  func `N1: a header stays at its origin, also across a redirection`() async throws {
    let seen = Seen()
    let (own, foreign) = (try Self.server(), try Self.server())
    await foreign.appendRoute("GET /list") { request in
      await seen.add("foreign", request.headers[HTTPHeader("X-Token")])
      return Self.answer("[]")
    }
    try await serve(foreign) { foreignBase in
      await own.appendRoute("GET /list") { request in
        await seen.add("own", request.headers[HTTPHeader("X-Token")])
        return HTTPResponse(
          statusCode: .found, headers: HTTPHeaders([HTTPHeader("Location"): "\(foreignBase)/list"]))
      }
      try await serve(own) { base in
        let arguments = [
          "watch", "\(base)/list", "--once", "--no-cache", "--header", "X-Token: secret",
        ]
        let run = try await Self.freshet(arguments)
        #expect(run.status == 69 && Self.isOneLine(run.error))
        #expect(run.error.contains("--allow-foreign-links"))
        let allowed = try await Self.freshet(arguments + ["--allow-foreign-links"])
        #expect(allowed.status == 0, "\(allowed)")
      }
    }
    #expect(await seen.values == ["own secret", "own secret", "foreign -"])
  }

  @Test
  func `N5: what a server sends reaches neither terminal nor script unescaped`() async throws {
    let server = try Self.server()
    let evil = #"\u001b]0;pwned\u0007\u202e\u009b2J\u200b"#
    await server.appendRoute("GET /list") { _ in
      Self.answer(#"[{"id":"\#(evil)","title":"\#(evil)","s":"\#(evil)"}]"#)
    }
    await server.appendRoute("GET /bad") { _ in
      Self.answer(#"{"next":"http://[\#(evil)","items":[{"id":1}]}"#)
    }
    try await serve(server) { base in
      for arguments in [["list", "--format", "table"], ["list"], ["bad"], ["bad\u{1B}[2J"]] {
        let run = try await Self.freshet(
          ["watch", "\(base)/\(arguments[0])", "--once", "--no-cache", "--section", "/s"]
            + arguments.dropFirst())
        let said = run.output + run.error
        // ICU puts a narrow space into the time of a table.
        #expect(said.unicodeScalars.allSatisfy { $0 == "\n" || !$0.isInvisible }, "\(arguments)")
        #expect(!said.isEmpty)
      }
    }
  }

  @Test
  func `ids keep their type and digits over a relaunch`() async throws {
    let server = try Self.server()
    let ids = ["1", "\"1\"", "1.10", "1e400", "123456789012345678901234567890", "\"nan\"", "true"]
    await server.appendRoute("GET /list") { _ in
      Self.answer("[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
    }
    let name = "ids \(UUID())"
    try await serve(server) { base in
      for _ in 0..<2 {
        let run = try await Self.freshet(["watch", "\(base)/list", "--once", "--cache", name])
        var reader = LineReader()
        try reader.read(run.output)
        #expect(reader.rows.map { $0[["id"]].map(JSONText.text) } == ids)
        #expect(run.status == 0 && run.error.isEmpty, "\(run)")
        #expect(reader.lines.last?.state["next"] == "end")
      }
    }
  }

  @Test
  func `secrets of the environment are sent, and cache nothing`() async throws {
    let seen = Seen()
    let server = try Self.server()
    await server.appendRoute("GET /list") { request in
      await seen.add("user", request.headers[.authorization])
      return Self.answer(#"[{"id":1}]"#)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await serve(server) { base in
      let arguments = ["watch", "\(base)/list", "--once", "--cache-folder", folder.path]
      let first = try await Self.freshet(
        arguments, environment: ["FRESHET_HEADER_AUTHORIZATION": "Bearer x"])
      let second = try await Self.freshet(
        arguments + ["--user", "a"], environment: ["FRESHET_PASSWORD": "b"])
      #expect(first.status == 0 && second.status == 0)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
    #expect(await seen.values == ["user Bearer x", "user Basic YTpi"])
  }

  @Test
  func `N5: no file of a cache holds a secret of the address`() async throws {
    let server = try Self.server()
    await server.appendRoute("GET /list") { request in
      let next = #""/list?otp=hunter2&page=2""#
      return Self.answer(
        #"{"items":[{"id":\#(request.query["page"] ?? "1")}],"next":\#(request.query["page"] == nil ? next : "null")}"#
      )
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await serve(server) { base in
      for name in [[], ["--cache", "mine"]] {
        let run = try await Self.freshet(
          ["watch", "\(base)/list?otp=hunter2", "--once", "--cache-folder", folder.path] + name)
        #expect(run.status == 0, "\(run)")
      }
    }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
      .compactMap { ($0 as? URL).flatMap { try? Data(contentsOf: $0) } }
    #expect(files?.isEmpty == false)
    #expect(files?.contains { $0.range(of: Data("hunter2".utf8)) != nil } == false)
  }

  actor Seen {
    var values: [String] = []
    func add(_ server: String, _ token: String?) { values.append("\(server) \(token ?? "-")") }
  }
}
