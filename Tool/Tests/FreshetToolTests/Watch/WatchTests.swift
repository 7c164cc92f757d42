import Foundation
import FlyingFox
import FlyingSocks
import Freshet
import Testing

@testable import FreshetTool

/// The command as its users run it: a process, against the demo's server on loopback.
@Suite(.timeLimit(.minutes(15)), .serialized)
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

  struct Run: Sendable {
    var status: Int32
    var output: String
    var error: String
  }

  static func freshet(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Run {
    try await waiting {
      let process = try start(arguments, environment: environment)
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

  static var tool: URL {
    Bundle.module.bundleURL.deletingLastPathComponent().appendingPathComponent("freshet")
  }

  static func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> (process: Process, output: FileHandle, error: FileHandle) {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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

  func withServer(
    _ body: (_ server: QuakeServer, _ base: String) async throws -> Void
  ) async throws {
    let port = try FreePort.any()
    let server = QuakeServer(
      port: port, list: try await QuakeList(MemoryStore(), all: .all),
      history: try DemoCommand.history(), pace: .seconds(60))
    try await server.begin(anew: true)
    try await server.listen()
    do {
      try await body(server, "http://127.0.0.1:\(port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

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
      #expect(run.output.contains("2024-06-21\n"))
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
  func `a page that fails behind the first leaves the list incomplete: 75`() async throws {
    let server = try Self.server()
    await server.appendRoute("GET /list") { request in
      request.query["page"] == "1"
        ? Self.answer(#"[{"id":1},{"id":2}]"#) : HTTPResponse(statusCode: .internalServerError)
    }
    try await serve(server) { base in
      let arguments = [
        "watch", "\(base)/list", "--paging", "page", "--pages", "all", "--once", "--no-cache",
        "--retries", "0",
      ]
      let run = try await Self.freshet(arguments)
      #expect(run.status == 75 && Self.isOneLine(run.error) && run.error.contains("500"))
      var reader = LineReader()
      try reader.read(run.output)
      #expect(reader.ids == ["1", "2"])
      #expect(reader.lines.last?.state["next"] == "failed")
      #expect(reader.lines.last?.error?.contains("500") == true)
      let table = try await Self.freshet(arguments + ["--format", "table"])
      #expect(table.output.hasSuffix("next: failed\n"))
    }
  }

  @Test
  func `R4: a request that fails is sent again, when the server allows it, and said once`()
    async throws
  {
    let requests = Seen()
    let server = try Self.server()
    await server.appendRoute("GET /list") { _ in
      await requests.add("request", nil)
      return await requests.values.count < 3
        ? HTTPResponse(
          statusCode: .tooManyRequests, headers: HTTPHeaders([HTTPHeader("Retry-After"): "1"]))
        : Self.answer(#"[{"id":1}]"#)
    }
    try await serve(server) { base in
      let start = ContinuousClock.now
      let run = try await Self.freshet(["watch", "\(base)/list", "--once", "--no-cache"])
      #expect(run.status == 0 && ContinuousClock.now - start >= .seconds(2), "\(run)")
      #expect(await requests.values.count == 3)
      #expect(run.error.hasPrefix("Note: ") && run.error.count { $0 == "\n" } == 1, "\(run)")
    }
  }

  @Test
  func `R4: what is given up is said once in full, and no note speaks of asking that is not done`()
    async throws
  {
    let server = try Self.server()
    await server.appendRoute("GET /list") { _ in
      HTTPResponse(
        statusCode: .serviceUnavailable, headers: HTTPHeaders([HTTPHeader("Retry-After"): "1"]))
    }
    try await serve(server) { base in
      let run = try await Self.freshet(
        ["watch", "\(base)/list", "--once", "--no-cache", "--retries", "1"])
      let lines = run.error.split(separator: "\n")
      #expect(lines.map { $0.prefix { $0 != ":" } } == ["Note", "Error"], "\(run)")
      #expect(run.error.ranges(of: "GET http").count == 1, "\(run)")
      let once = try await Self.freshet(
        ["watch", "\(base)/list", "--once", "--no-cache", "--retries", "0"])
      #expect(once.status == 69 && Self.isOneLine(once.error), "\(once)")
    }
  }

  @Test
  func `a --title that is in no row is a note`() async throws {
    try await withServer { _, base in
      for (title, isThere) in [("/nope", false), ("/title", true)] {
        let run = try await Self.freshet(
          ["watch", "\(base)/quakes", "--once", "--no-cache", "--title", title])
        #expect(run.status == 0 && run.error.isEmpty == isThere, "\(run)")
        #expect(isThere || run.error.contains("--title /nope"), "\(run)")
      }
    }
  }

  @Test
  func `the same complaint is said once, and that the source is reached again`() async throws {
    let requests = Seen()
    let server = try Self.server()
    await server.appendRoute("GET /list") { _ in
      await requests.add("request", nil)
      let count = await requests.values.count
      return count < 8
        ? HTTPResponse(statusCode: .internalServerError) : Self.answer(#"[{"id":\#(count)}]"#)
    }
    try await serve(server) { base in
      let (process, output, error) = try Self.start(
        ["watch", "\(base)/list", "--every", "10ms", "--retries", "0", "--no-cache"])
      var text = Data()
      while case let chunk = await Self.chunk(of: output), !chunk.isEmpty {
        text += chunk
        if String(decoding: text, as: UTF8.self).contains("\"id\":8") { break }
      }
      process.terminate()
      process.waitUntilExit()
      let said = String(decoding: try error.readToEnd() ?? Data(), as: UTF8.self)
      let lines = said.split(separator: "\n")
      #expect(lines.first?.hasPrefix("Error: ") == true && lines.count <= 2, "\(said)")
      #expect(lines.count == 1 || lines[1] == "Reached again.", "\(said)")
    }
  }

  @Test
  func `what is not JSON, or lacks the id, is a data error that says where: 65`() async throws {
    let server = try Self.server()
    await server.appendRoute("GET /html") { _ in Self.answer("<html>") }
    await server.appendRoute("GET /cut") { _ in Self.answer(#"[{"id":1},{"id":"#) }
    await server.appendRoute("GET /list") { _ in Self.answer(#"{"data":[{"sha":"a"}]}"#) }
    try await serve(server) { base in
      for (path, text) in [("/html", "JSON API"), ("/cut", "--limit"), ("/list", "/data/0/id")] {
        let run = try await Self.freshet(["watch", base + path, "--once", "--no-cache"])
        #expect(!run.error.contains("JSON API") || path == "/html")
        #expect(run.status == 65 && Self.isOneLine(run.error) && run.error.contains(text), "\(run)")
      }
      let good = try await Self.freshet(
        ["watch", "\(base)/list", "--once", "--no-cache", "--id", "/sha"])
      #expect(good.status == 0)
      let nowhere = try await Self.freshet(
        ["watch", "\(base)/list", "--once", "--no-cache", "--items", "/rows"])
      #expect(nowhere.status == 65 && nowhere.error.contains("/rows"), "\(nowhere)")
    }
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
  func `a cache that cannot be written is said once, and the list is there`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await withServer { _, base in
      let run = try await Self.freshet(
        ["watch", "\(base)/quakes", "--once", "--pages", "3", "--cache-folder", file.path])
      var reader = LineReader()
      try reader.read(run.output)
      #expect(run.status == 0 && reader.rows.count == 150)
      #expect(run.error.hasPrefix("Note: ") && run.error.count { $0 == "\n" } == 1, "\(run)")
      #expect(!run.error.contains("Domain"))
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

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func `output that cannot be written is said: 74`() async throws {
    try await withServer { _, base in
      let run = try await Self.shell("watch \(base)/quakes --once --no-cache > /dev/full")
      #expect(run.status == 74 && Self.isOneLine(run.error), "\(run)")
    }
  }

  @Test
  func `where nobody reads it ends as other tools do, without a word`() async throws {
    try await withServer { _, base in
      let (process, error) = (Process(), Pipe())
      let output = Pipe()
      try output.fileHandleForReading.close()
      process.executableURL = Self.tool
      process.arguments = ["watch", "\(base)/quakes", "--no-cache"]
      process.standardOutput = output
      process.standardError = error
      try process.run()
      let said = try await Self.waiting { () -> Data? in
        defer { process.waitUntilExit() }
        return try error.fileHandleForReading.readToEnd()
      }
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(process.terminationStatus == SIGPIPE && (said ?? Data()).isEmpty)
    }
  }

  /// Runs the command in a shell, with what the shell says of its output.
  static func shell(_ command: String) async throws -> Run {
    try await waiting {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "\"$0\" \(command)", tool.path]
      let (output, error) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = error
      try process.run()
      let text = String(
        decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      let said = String(
        decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      process.waitUntilExit()
      return Run(status: process.terminationStatus, output: text, error: said)
    }
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
    ["watch", "http://x/", "--pages", "0"], ["watch", "http://x/", "--section", "day"],
    ["watch", "http://x/", "--ignore", "age"], ["watch", "http://x/", "--refresh", "some"],
    ["watch", "http://x/", "--max-rows", "0"], ["watch", "http://x/", "--retries", "-1"],
    ["watch", "http://x/", "--header", "@/nowhere"], ["watch", "http://x/", "--accept", "a\nb"],
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

  // MARK: - Servers of one answer

  static func server() throws -> HTTPServer {
    HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
  }

  static func answer(_ json: String) -> HTTPResponse {
    HTTPResponse(statusCode: .ok, body: Data(json.utf8))
  }

  func serve(
    _ server: HTTPServer, _ body: (_ base: String) async throws -> Void
  ) async throws {
    let running = Task { try await server.run() }
    try await server.waitUntilListening()
    do {
      guard case .ip4(_, let port)? = await server.listeningAddress else { throw FreePort.None() }
      try await body("http://127.0.0.1:\(port)")
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    running.cancel()
  }
}
