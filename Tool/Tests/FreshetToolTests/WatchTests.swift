import Foundation
import FlyingFox
import FlyingSocks
import Freshet
import Testing

@testable import FreshetTool

/// The command as its users run it: a process, against the demo's server on loopback.
@Suite(.timeLimit(.minutes(15)), .serialized)
struct WatchTests {
  static let port: UInt16 = 18_431
  static let base = "http://127.0.0.1:\(port)"
  static let styles = [
    ["/quakes", "--paging", "link"], ["/feed", "--paging", "next:/next"], ["/feed"],
    ["/pages", "--paging", "page"], ["/pages", "--paging", "page", "--limit", "30"],
    ["/fdsnws/event/1/query", "--paging", "offset:offset:limit:1", "--limit", "40"],
    [
      "/fdsnws/event/1/query", "--paging", "offset:offset:limit:1", "--limit", "50",
      "--section", "/properties/time:day", "--title", "/properties/place",
    ],
  ]

  struct Run: Sendable {
    var status: Int32
    var output: String
    var error: String
  }

  static func freshet(_ arguments: [String]) async throws -> Run {
    try await waiting {
      let process = try start(arguments)
      let output = String(decoding: try process.output.readToEnd() ?? Data(), as: UTF8.self)
      let error = String(decoding: try process.error.readToEnd() ?? Data(), as: UTF8.self)
      process.process.waitUntilExit()
      return Run(status: process.process.terminationStatus, output: output, error: error)
    }
  }

  /// Does what blocks on a thread of its own: the server needs those that tasks run on.
  private static func waiting<Value: Sendable>(
    for body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  static func start(
    _ arguments: [String]
  ) throws -> (process: Process, output: FileHandle, error: FileHandle) {
    let process = Process()
    process.executableURL = Bundle.module.bundleURL.deletingLastPathComponent()
      .appendingPathComponent("freshet")
    process.arguments = arguments
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    return (process, output.fileHandleForReading, error.fileHandleForReading)
  }

  /// What a process writes next.
  static func chunk(of output: FileHandle) async -> Data {
    (try? await waiting { output.availableData }) ?? Data()
  }

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

  @Test(arguments: styles)
  func `watch holds the server's list exactly while quakes arrive`(arguments: [String]) async throws
  {
    try await withServer { server in
      let (process, output, _) = try Self.start(
        ["watch", Self.base + arguments[0], "--pages", "all", "--every", "100ms", "--no-cache"]
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
    let arguments = [
      "watch", "\(Self.base)/quakes?limit=20", "--cache", "kill \(UUID())", "--pages", "3",
    ]
    var everListed = Set<String>()
    try await withServer { server in
      for round in 0..<12 {
        let (process, output, _) = try Self.start(arguments + ["--every", "1ms"])
        for _ in 0...(round % 5) where !(await Self.chunk(of: output).isEmpty) {
          everListed.formUnion(server.quakes.map(\.id))
          try await server.step()
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      everListed.formUnion(server.quakes.map(\.id))
    }
    let run = try await Self.freshet(arguments + ["--once"])
    var reader = LineReader()
    try reader.read(run.output)
    #expect(run.status == 69 && Self.isOneLine(run.error), "\(run)")
    #expect(reader.lines.map(\.origin) == ["cache"])
    #expect(reader.ids.count >= 20 && Set(reader.ids).count == reader.ids.count)
    #expect(everListed.isSuperset(of: reader.ids))
    let times = reader.rows.compactMap { $0[["time"]]?.text.flatMap { Int($0) } }
    #expect(times == times.sorted(by: >))
  }

  @Test
  func `once prints the pages asked for and ends`() async throws {
    try await withServer { server in
      let run = try await Self.freshet(
        ["watch", "\(Self.base)/quakes", "--pages", "2", "--once", "--no-cache"])
      var reader = LineReader()
      try reader.read(run.output)
      #expect(run.status == 0 && run.error.isEmpty)
      #expect(reader.ids == server.quakes.prefix(100).map(\.id))
      #expect(reader.lines.last?.state == ["refresh": "idle", "append": "idle"])
    }
  }

  @Test
  func `a table says rows, sections and where they are from`() async throws {
    try await withServer { server in
      let run = try await Self.freshet(
        [
          "watch", "\(Self.base)/quakes", "--once", "--no-cache", "--format", "table",
          "--section", "/time:day",
        ])
      #expect(run.output.contains("2024-06-21\n"))
      #expect(run.output.contains("\(server.quakes[0].id)  M \(server.quakes[0].magnitude) - "))
      #expect(run.output.contains("50 rows from the network"))
    }
  }

  @Test
  func `cached rows come first, then the error: 69`() async throws {
    let name = "test \(UUID())"
    try await withServer { _ in
      _ = try await Self.freshet(["watch", "\(Self.base)/quakes", "--once", "--cache", name])
    }
    let run = try await Self.freshet(["watch", "\(Self.base)/quakes", "--once", "--cache", name])
    var reader = LineReader()
    try reader.read(run.output)
    #expect(reader.lines.map(\.origin) == ["cache"] && reader.rows.count == 50)
    #expect(run.status == 69 && Self.isOneLine(run.error))
  }

  @Test
  func `a page that fails behind the first leaves the list incomplete: 75`() async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: Self.port), logger: .disabled)
    await server.appendRoute("GET /list") { request in
      request.query["page"] == "1"
        ? HTTPResponse(statusCode: .ok, body: Data(#"[{"id":1},{"id":2}]"#.utf8))
        : HTTPResponse(statusCode: .internalServerError)
    }
    try await serve(server) {
      let run = try await Self.freshet(
        [
          "watch", "\(Self.base)/list", "--paging", "page", "--pages", "all", "--once",
          "--no-cache",
        ])
      #expect(run.status == 75 && Self.isOneLine(run.error) && run.error.contains("500"))
      var reader = LineReader()
      try reader.read(run.output)
      #expect(reader.ids == ["1", "2"])
    }
  }

  @Test
  func `what is not JSON, or lacks the id, is a data error that says where: 65`() async throws {
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: Self.port), logger: .disabled)
    await server.appendRoute("GET /html") { _ in
      HTTPResponse(statusCode: .ok, body: Data("<html>".utf8))
    }
    await server.appendRoute("GET /list") { _ in
      HTTPResponse(statusCode: .ok, body: Data(#"{"data":[{"sha":"a"}]}"#.utf8))
    }
    try await serve(server) {
      for (path, text) in [("/html", "Expected JSON"), ("/list", "/data/0/id")] {
        let run = try await Self.freshet(["watch", Self.base + path, "--once", "--no-cache"])
        #expect(run.status == 65 && Self.isOneLine(run.error) && run.error.contains(text), "\(run)")
      }
      let good = try await Self.freshet(
        ["watch", "\(Self.base)/list", "--once", "--no-cache", "--id", "/sha"])
      #expect(good.status == 0)
      let nowhere = try await Self.freshet(
        ["watch", "\(Self.base)/list", "--once", "--no-cache", "--items", "/rows"])
      #expect(nowhere.status == 65 && nowhere.error.contains("/rows"), "\(nowhere)")
    }
  }

  @Test
  func `N1: a header stays at its origin, also across a redirection`() async throws {
    let seen = Seen()
    let own = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: Self.port), logger: .disabled)
    let foreign = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: Self.port + 1), logger: .disabled)
    await own.appendRoute("GET /list") { request in
      await seen.add("own", request.headers[HTTPHeader("X-Token")])
      return HTTPResponse(
        statusCode: .found,
        headers: HTTPHeaders([HTTPHeader("Location"): "http://127.0.0.1:\(Self.port + 1)/list"]))
    }
    await foreign.appendRoute("GET /list") { request in
      await seen.add("foreign", request.headers[HTTPHeader("X-Token")])
      return HTTPResponse(statusCode: .ok, body: Data("[]".utf8))
    }
    try await serve(own) {
      try await serve(foreign) {
        let run = try await Self.freshet(
          ["watch", "\(Self.base)/list", "--once", "--no-cache", "--header", "X-Token: secret"])
        #expect(run.status == 69 && Self.isOneLine(run.error))
      }
    }
    #expect(await seen.values == ["own secret"])
  }

  actor Seen {
    var values: [String] = []
    func add(_ server: String, _ token: String?) { values.append("\(server) \(token ?? "-")") }
  }

  @Test(arguments: [
    ["watch"], ["watch", "nope"], ["watch", "ftp://x/"], ["watch", "http://x/", "--frob"],
    ["watch", "http://x/", "--paging", "wild"], ["watch", "http://x/", "--header", "no colon"],
    ["watch", "http://x/", "--items", "a"], ["watch", "http://user@x/"], ["frob"],
    ["watch", "http://x/", "--every", "soon"], ["watch", "http://x/", "--limit", "0"],
    ["watch", "http://x/", "--limit", "9223372036854775807"],
    ["watch", "http://x/", "--pages", "0"],
    ["watch", "http://x/", "--pages", "99999999999999999999"],
    ["watch", "http://x/", "--paging", "offset:offset:limit:9223372036854775807"],
    ["watch", "http://x/", "--paging", "page:p:-1"],
    ["demo", "--port", "0"], ["demo", "--feed-port", "65536"], ["demo", "--pace", "0"],
    ["demo", "--page-size", "0"],
  ])
  func `usage errors are one line: 64`(arguments: [String]) async throws {
    let run = try await Self.freshet(arguments)
    #expect(run.status == 64 && Self.isOneLine(run.error) && run.output.isEmpty, "\(run)")
  }

  static func isOneLine(_ text: String) -> Bool {
    text.hasPrefix("Error: ") && text.count { $0 == "\n" } == 1 && text.hasSuffix(".\n")
  }

  private func serve(_ server: HTTPServer, _ body: () async throws -> Void) async throws {
    let running = Task { try await server.run() }
    try await server.waitUntilListening()
    do {
      try await body()
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    running.cancel()
  }
}
