import ArgumentParser
import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Synchronization
import Testing

@testable import FreshetTool

/// Rounds of loading against a server that is a function, without processes and sockets.
@Suite
struct FeedWatcherTests {
  @Test(.timeLimit(.minutes(5)), arguments: [OutputFormat.jsonl, .table])
  func `the first rows of a cache are said before the others are read`(
    format: OutputFormat
  ) async throws {
    let cache = SlowCache()
    var session = try Session(
      Server(0..<30), Self.bounds(.all), cache: cache, format: format)
    cache.file.withLock { $0 = session.file }
    try await session.watcher.showCache()
    let text = try String(contentsOf: session.file, encoding: .utf8)
    if format == .table {
      #expect(text.split(separator: "\n").prefix(30).map(String.init) == (0..<30).map { "  \($0)" })
      #expect(text.hasSuffix("30 rows from the cache\n"))
    } else {
      var reader = LineReader()
      try reader.read(text)
      #expect(reader.lines.map(\.count) == [10, 30] && reader.ids == (0..<30).map(String.init))
    }
  }

  static func bounds(_ pages: PageCount, maxRows: Int? = nil) -> WatchBounds {
    WatchBounds(pages: pages, maxRows: maxRows ?? 100_000, isMaxRowsAsked: maxRows != nil)
  }

  @Test
  func `all pages are the whole list, and a refresh of it is one request without a line`()
    async throws
  {
    let server = Server(0..<95)
    var session = try Session(server, Self.bounds(.all))
    let (end, lines) = try await session.round()
    #expect(end == .end && server.requests() == 10)
    #expect(lines.ids == (0..<95).map(String.init))
    #expect(lines.lines.last?.state == ["refresh": "idle", "next": "end"])
    let again = try await session.round()
    #expect(again.end == .end && server.requests() == 1)
    #expect(again.lines.lines.count == lines.lines.count)
  }

  @Test
  func `runs one after the other keep as many pages as asked for`() async throws {
    let server = Server(0..<1000)
    let cache = RowsInMemory()
    for run in 0..<4 {
      var session = try Session(server, Self.bounds(.some(5)), cache: cache)
      try await session.watcher.showCache()
      let (end, lines) = try await session.round()
      await session.watcher.feed.flush()
      #expect(end == .pages(.some(5)) && lines.rows.count == 50)
      #expect(server.requests() == (run == 0 ? 5 : 1))
    }
    // Fewer pages are kept where fewer are asked for, on disk too.
    var session = try Session(server, Self.bounds(.some(2)), cache: cache)
    try await session.watcher.showCache()
    #expect(try await session.round().lines.ids == (0..<20).map(String.init))
    server.insert([-1])
    #expect(try await session.round().lines.ids == (-1..<19).map(String.init))
    await session.watcher.feed.flush()
    #expect((cache.loadFirst()?.rows.count ?? 0) < 30)
  }

  /// What a list of a cache with these rows is said to be while the source cannot be reached.
  private func offline(_ rows: [CachedRows<WatchedItem>.Row]) async throws -> LineReader {
    let server = Server([])
    server.state.withLock { $0.fails = true }
    var session = try Session(server, Self.bounds(.some(1)), cache: StoredRows(rows))
    try await session.watcher.showCache()
    return try await session.round().lines
  }

  @Test
  func `P3: rows that are lost at the head are a gap`() async throws {
    let rows = try (100..<110).map { CachedRows<WatchedItem>.Row.item(try Server.item($0), nil) }
    let whole = try await offline(rows)
    #expect(whole.rows.count == 10 && whole.lines.last?.gaps == 0)
    let damaged = try await offline([.gap] + rows)
    #expect(damaged.rows.count == 10 && damaged.lines.last?.gaps == 1)
  }

  @Test
  func `a stored page that is longer than most is shown whole, with its end`() async throws {
    let rows = try (0..<120).map { CachedRows<WatchedItem>.Row.item(try Server.item($0), nil) }
    let lines = try await offline(rows)
    #expect(lines.rows.count == 120 && lines.lines.last?.state["next"] == "end")
  }

  @Test
  func `new rows push others out, and a list that comes to hold many more begins anew`()
    async throws
  {
    let server = Server(0..<100)
    var session = try Session(server, Self.bounds(.some(1)))
    var newest = 0
    for round in 1...150 {
      newest -= 9
      server.insert(newest..<(newest + 9))
      guard round % 30 == 0 else {
        _ = try await session.watcher.load()
        continue
      }
      let (_, lines) = try await session.round()
      #expect(lines.ids == (newest..<(newest + 10)).map(String.init))
      #expect(lines.lines.last?.state["next"] == "idle")
    }
    #expect(session.watcher.feed.value.items.count < 1030)
  }

  @Test
  func `a line says once that rows on disk are the source's, and none of a failure does`()
    async throws
  {
    let server = Server(0..<30)
    let cache = RowsInMemory()
    var first = try Session(server, Self.bounds(.some(1)), cache: cache)
    _ = try await first.round()
    await first.watcher.feed.flush()
    for format in [OutputFormat.jsonl, .table] {
      server.state.withLock { $0.fails = true }
      var session = try Session(server, Self.bounds(.some(1)), cache: cache, format: format)
      try await session.watcher.showCache()
      _ = try await session.watcher.load()
      server.state.withLock { $0.fails = false }
      for _ in 0..<3 { _ = try await session.watcher.load() }
      await session.watcher.feed.flush()
      let text = try String(contentsOf: session.file, encoding: .utf8)
      guard format == .jsonl else {
        #expect(text.ranges(of: "  nothing changed\n").count == 1 && !text.contains("network"))
        continue
      }
      var lines = LineReader()
      try lines.read(text)
      #expect(lines.lines.map(\.origin) == ["cache", "cache", "network"])
      #expect(lines.lines.map { $0.state["refresh"] } == ["idle", "failed", "idle"])
      #expect(lines.lines.last?.changes.isEmpty == true && lines.rows.count == 10)
    }
  }

  @Test
  func `--refresh all sees what changed anywhere`() async throws {
    let server = Server(0..<50)
    var head = try Session(server, Self.bounds(.all))
    var all = try Session(server, Self.bounds(.all), scope: .all)
    _ = try await head.round()
    _ = try await all.round()
    server.state.withLock { _ = $0.ids.remove(at: 42) }
    #expect(try await head.round().lines.rows.count == 50)
    #expect(try await all.round().lines.rows.count == 49)
  }

  @Test
  func `a server of fresh rows is given up within the bounds`() async throws {
    let server = Server(0..<50)
    var bounds = Self.bounds(.all, maxRows: 200)
    bounds.gapPages = 7
    var session = try Session(server, bounds)
    _ = try await session.round()
    _ = server.requests()
    server.state.withLock { $0.isFresh = true }
    var ends: [WatchEnd] = []
    for _ in 0..<4 {
      ends.append(try await session.round().end)
      #expect(server.requests() <= 10)
    }
    // The newest rows are shown, and where rows are missing is said.
    #expect(ends == Array(repeating: .gaps(1), count: 4))
  }

  @Test
  func `R4: a failure is a line with its reason, the rows stay, and the next round mends it`()
    async throws
  {
    let server = Server(0..<50)
    var session = try Session(server, Self.bounds(.all))
    _ = try await session.round()
    server.state.withLock { $0.fails = true }
    let (end, lines) = try await session.round()
    #expect(end == .failed(.source(HTTPError.tooLarge(limit: 1)), isPartial: false))
    #expect(lines.lines.last?.state == ["refresh": "failed", "next": "end"])
    #expect(lines.lines.last?.error?.isEmpty == false)
    #expect(lines.rows.count == 50 && lines.lines.last?.changes.isEmpty == true)
    server.state.withLock { $0.fails = false }
    #expect(try await session.round().lines.lines.last?.state["refresh"] == "idle")
  }

  @Test
  func `a gap that fails is in the state, with its reason`() {
    var state = ListState()
    state.gaps = [3: .failed(.source(HTTPError.tooLarge(limit: 7)))]
    let shown = WatchView.State(state, gaps: 1, isCut: false)
    #expect(shown.gaps == 1 && shown.error?.contains("7") == true)
    #expect(shown.refresh == "idle" && shown.next == "idle")
    state.next = .end
    #expect(WatchView.State(state, gaps: 1, isCut: true).next == "idle")
    #expect(WatchView.State(state, gaps: 1, isCut: false).next == "end")
  }

  @Test
  func `output that cannot be written ends the watch: 74`() async throws {
    var printer = UpdatePrinter(format: .jsonl, output: StandardOutput(descriptor: -1))
    let view = WatchView(Feed(Server(0..<1)).value, limit: 10)
    let error = #expect(throws: WatchFailure.self) { try printer.show(view, from: .network) }
    #expect(error?.code.rawValue == 74)
  }
}
