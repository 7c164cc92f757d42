import FlyingFox
import Foundation
import Freshet
import Testing

@testable import FreshetTool

// What goes wrong, and what is said of it.
extension WatchTests {
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
  func `nobody is asked any more once the reader of a pipe has gone`() async throws {
    try await withServer { _, base in
      let run = try await Self.shell("watch \(base)/quakes --every 1h --no-cache | head -1")
      #expect(run.status == 0 && run.error == "" && run.output.count { $0 == "\n" } == 1)
    }
  }

  @Test
  func `help shows, however wide the terminal is said to be`() async throws {
    for columns in ["-1", "0", "x", "99999999999999999999", "120"] {
      let run = try await Self.freshet(["watch", "--help"], environment: ["COLUMNS": columns])
      #expect(run.status == 0 && run.output.contains("--paging"), "\(columns)")
    }
  }

  @Test
  func `a file of authorities is used, wherever it is named`() async throws {
    let url = "https://127.0.0.1:1/list"
    for (arguments, environment) in [
      (["--cacert", "/nowhere"], [:]), ([], ["CURL_CA_BUNDLE": "/nowhere"]),
      ([], ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "/nowhere"]),
    ] as [([String], [String: String])] {
      let run = try await Self.freshet(
        ["watch", url, "--once"] + arguments, environment: environment)
      #expect(run.status == 64 && run.error.contains("/nowhere cannot be read"))
    }
  }

  @Test
  func `ids that do not tell rows apart, and a list that may be cut off, are said`() async throws {
    let server = try Self.server()
    await server.appendRoute("GET /same") { _ in
      Self.answer(#"[{"id":1,"x":1},{"id":1,"x":2},{"id":2}]"#)
    }
    let rows = (0..<100).map { #"{"id":\#($0)}"# }.joined(separator: ",")
    await server.appendRoute("GET /round") { _ in Self.answer("[\(rows)]") }
    await server.appendRoute("GET /odd") { _ in Self.answer("[\(rows),{\"id\":100}]") }
    try await serve(server) { base in
      for (path, note) in [
        ("/same", "1 row is not shown"), ("/round", "exactly 100 rows"), ("/odd", nil),
      ] as [(String, String?)] {
        let run = try await Self.freshet(["watch", base + path, "--once", "--no-cache"])
        #expect(run.status == 0 && (note.map(run.error.contains) ?? run.error.isEmpty), "\(run)")
      }
    }
  }

  @Test
  func `rows without ids, and a cache that a parameter switches off, are explained`() async throws {
    let server = try Self.server()
    await server.appendRoute("GET /list") { _ in Self.answer(#"["a","b"]"#) }
    try await serve(server) { base in
      let run = try await Self.freshet(["watch", "\(base)/list?metric_key=1", "--once"])
      #expect(run.status == 65 && run.error.contains(#"say --id """#), "\(run)")
      #expect(run.error.contains("Note: Rows are not kept on disk: the parameter metric_key"))
      let named = try await Self.freshet(
        ["watch", "\(base)/list?metric_key=1", "--once", "--no-cache", "--id", ""])
      #expect(named.status == 0 && named.error == "", "\(named)")
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
  func `the same summary is said once, and that the source is reached again`() async throws {
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
}
