import Foundation
import Freshet
import FreshetHTTP
import FreshetTesting
import Synchronization
import Testing

@testable import FreshetTool

// What is watched: a server and caches that are functions.
extension FeedWatcherTests {
  /// Pages of a list of numbers, by the number that they begin with.
  final class Server: FeedSource {
    struct State {
      var ids: [Int]
      var requests = 0
      var served = 0
      var fails = false
      /// Whether each page has only new rows, and there is always another page.
      var isFresh = false
    }

    let state: Mutex<State>
    init(_ ids: some Sequence<Int>) { state = Mutex(State(ids: Array(ids))) }

    func page(_ request: PageRequest<Int>) async throws -> Page<WatchedItem, Int> {
      try state.withLock { state in
        state.requests += 1
        state.served += 1
        if state.fails { throw HTTPError.tooLarge(limit: 1) }
        if state.isFresh {
          let start = 1_000_000 + state.served * 10
          return Page(try (start..<(start + 10)).map(Self.item), next: start)
        }
        let start = request.key.map { key in
          state.ids.firstIndex { $0 == key }.map { $0 + 1 } ?? state.ids.count
        }
        let rows = state.ids[(start ?? 0)...].prefix(10)
        let isLast = rows.last == state.ids.last
        return Page(try rows.map(Self.item), next: isLast ? nil : rows.last)
      }
    }

    static func item(_ id: Int) throws -> WatchedItem {
      try WatchedItem(.object([.init(name: "id", value: .number("\(id)"))]), .init())
    }

    /// How many requests there were since the last call.
    func requests() -> Int {
      state.withLock { state in
        defer { state.requests = 0 }
        return state.requests
      }
    }

    func insert(_ ids: some Collection<Int> & Sendable) {
      state.withLock { $0.ids.insert(contentsOf: ids, at: 0) }
    }
  }

  /// Watches a server into a file.
  struct Session {
    var watcher: FeedWatcher
    let file: URL
    private let handle: FileHandle

    init(
      _ server: Server, _ bounds: WatchBounds, scope: RefreshScope = .head,
      cache: any FeedCache<WatchedItem> = RowsInMemory(), format: OutputFormat = .jsonl
    ) throws {
      file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
      try Data().write(to: file)
      handle = try FileHandle(forWritingTo: file)
      let attempts = Attempts(Notices())
      let kept = LimitedCache(
        cache,
        limit: { stored in
          attempts.noteStored(pageSize: stored)
          return bounds.rows(pageSize: stored ?? 10)
        }, say: { _ in })
      watcher = FeedWatcher(
        .init(bounds: bounds, scope: scope, pageSize: 10), attempts: attempts,
        printer: UpdatePrinter(
          format: format, output: StandardOutput(descriptor: handle.fileDescriptor))
      ) {
        Feed(
          server, cache: FeedCacheChoice(kept), configuration: FeedConfiguration(pageSize: 10))
      }
    }

    /// A round, and all lines so far.
    mutating func round() async throws -> (end: WatchEnd, lines: LineReader) {
      let end = try await watcher.load()
      var reader = LineReader()
      try reader.read(try String(contentsOf: file, encoding: .utf8))
      return (end, reader)
    }
  }

  /// A cache of thirty rows that returns the last twenty once the first ten were printed.
  final class SlowCache: ReadOnlyCache {
    let file = Mutex<URL?>(nil)

    private func rows(_ ids: Range<Int>) -> [CachedRows<WatchedItem>.Row] {
      ids.compactMap { (try? Server.item($0)).map { .item($0, nil) } }
    }

    func loadFirst() -> CachedRows<WatchedItem>? {
      CachedRows(rows: rows(0..<10), isComplete: false, count: 30)
    }

    func loadRest() async -> CachedRows<WatchedItem> {
      #expect(
        await eventually {
          file.withLock { $0.flatMap { try? Data(contentsOf: $0) }?.isEmpty == false }
        })
      return CachedRows(rows: rows(10..<30))
    }
  }

  /// The rows of a list that is on disk to its end.
  final class StoredRows: ReadOnlyCache {
    private let rows: [CachedRows<WatchedItem>.Row]
    init(_ rows: [CachedRows<WatchedItem>.Row]) { self.rows = rows }

    func loadFirst() -> CachedRows<WatchedItem>? {
      CachedRows(rows: rows, state: CachedState(head: .end, tail: .end))
    }
    func loadRest() async -> CachedRows<WatchedItem> { CachedRows() }
  }
}

/// A cache that stores nothing: only its rows matter.
protocol ReadOnlyCache: FeedCache where Item == WatchedItem {}

extension ReadOnlyCache {
  func load(
    _ range: Range<Int>, of count: Int
  ) async throws -> [CachedRows<WatchedItem>.Row]? { nil }
  func save(_ commit: FeedCommit<WatchedItem>) async -> Bool { true }
  func removeAll() async {}
  func takeIssues() -> [CacheIssue] { [] }
}
