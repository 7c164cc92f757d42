import Freshet
import Synchronization

/// A cache that is limited to a number of rows.
///
/// Rows beyond the limit are not read, and are removed with the next step that is stored. If
/// rows were cut, the others are the head of a longer list: its end is open, and more rows are
/// requested.
final class LimitedCache: FeedCache {
  private let cache: any FeedCache<WatchedItem>
  private let limit: @Sendable (_ pageSize: Int?) -> Int
  private let say: @Sendable (CacheIssue) -> Void
  /// How many rows may be read and how many were; `nil` if the cache has no more than that.
  private let cut = Mutex<(limit: Int, read: Int)?>(nil)

  /// Creates a cache around another one.
  ///
  /// - Parameters:
  ///   - limit: how many rows to read, given the size of the first page if it is known.
  ///   - say: called with each issue of the cache.
  init(
    _ cache: any FeedCache<WatchedItem>, limit: @escaping @Sendable (_ pageSize: Int?) -> Int,
    say: @escaping @Sendable (CacheIssue) -> Void
  ) {
    self.cache = cache
    self.limit = limit
    self.say = say
  }

  func loadFirst() -> CachedRows<WatchedItem>? {
    guard let first = cache.loadFirst() else { return nil }
    let limit = limit(first.firstPage)
    let isCut = first.count > limit
    cut.withLock { $0 = isCut ? (limit, first.rows.count) : nil }
    return isCut ? first.cut(to: limit, of: limit) : first
  }

  func loadRest() async -> CachedRows<WatchedItem> {
    let rest = await cache.loadRest()
    guard let cut = cut.withLock({ $0 }) else { return rest }
    return rest.cut(to: cut.limit - cut.read, of: cut.limit)
  }

  func load(
    _ range: Range<Int>, of count: Int
  ) async throws -> [CachedRows<WatchedItem>.Row]? {
    try await cache.load(range, of: count)
  }

  func save(_ commit: FeedCommit<WatchedItem>) async -> Bool { await cache.save(commit) }

  func removeAll() async { await cache.removeAll() }

  func takeIssues() -> [CacheIssue] {
    let issues = cache.takeIssues()
    for issue in issues { say(issue) }
    return issues
  }
}

extension CachedRows where Item == WatchedItem {
  /// How many rows the first page had, if its end is among these rows.
  ///
  /// If no row has a next page and the end of the list is known, it is the count of all rows.
  var firstPage: Int? {
    let end = rows.firstIndex { row in
      if case .item(_, let mark) = row { mark?.next != nil } else { false }
    }
    return end.map { $0 + 1 } ?? (state.tail == .end ? count : nil)
  }

  /// Returns the first rows, as the head of a list that continues after `total` rows.
  func cut(to limit: Int, of total: Int) -> CachedRows {
    var cut = self
    cut.rows = Array(rows.prefix(max(0, limit)))
    cut.state.tail = .open
    cut.isComplete = isComplete || limit <= rows.count
    cut.count = total
    return cut
  }
}

/// A cache that keeps a feed's rows in memory, for the next feed of the same process.
final class RowsInMemory: FeedCache {
  private let last = Mutex<FeedCommit<WatchedItem>?>(nil)

  func loadFirst() -> CachedRows<WatchedItem>? {
    guard let commit = last.withLock({ $0 }) else { return nil }
    let rows = commit.rows.map { row -> CachedRows<WatchedItem>.Row in
      switch row {
      case .item(let item): .item(item, commit.mark(of: item.id))
      case .gap: .gap
      }
    }
    return CachedRows(rows: rows, state: commit.state)
  }

  func loadRest() async -> CachedRows<WatchedItem> { CachedRows() }

  func load(
    _ range: Range<Int>, of count: Int
  ) async throws -> [CachedRows<WatchedItem>.Row]? { nil }

  func save(_ commit: FeedCommit<WatchedItem>) async -> Bool {
    last.withLock { $0 = commit }
    return true
  }

  func removeAll() async { last.withLock { $0 = nil } }

  func takeIssues() -> [CacheIssue] { [] }
}
