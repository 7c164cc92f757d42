import FreshetTesting

@testable import Freshet

/// A cache that never waits for anything.
protocol BlockingCache<Item>: FeedCache {
  func loadRest() -> CachedRows<Item>
  func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]?
  @discardableResult
  func save(_ commit: FeedCommit<Item>) -> Bool
}

extension FileFeedCache: BlockingCache {}

/// A cache that is an array, and checks that it is told of everything that changes.
final class ModelCache: BlockingCache, @unchecked Sendable {
  /// The steps that were stored.
  private(set) var commits: [FeedCommit<Post>] = []
  private(set) var rows: [CachedRows<Post>.Row] = []
  private(set) var state = CachedState()
  private(set) var violations: [String] = []

  var ids: [Int] {
    rows.compactMap { if case .item(let post, _) = $0 { post.id } else { nil } }
  }

  func loadFirst() -> CachedRows<Post>? {
    let first = Array(rows.prefix(5))
    return CachedRows(
      rows: first, state: state, isComplete: first.count == rows.count, count: rows.count)
  }

  func loadRest() -> CachedRows<Post> { CachedRows(rows: Array(rows.dropFirst(5)), state: state) }

  func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Post>.Row]? {
    count == rows.count ? Array(rows[range]) : nil
  }

  func save(_ commit: FeedCommit<Post>) -> Bool {
    state = commit.state
    commits.append(commit)
    if commit.isWhole {
      rows = commit.rows.map(commit.stored)
      return true
    }
    let before = rows
    for index in commit.deleted.reversed() { rows.remove(at: index) }
    for index in commit.inserted { rows.insert(.gap, at: index) }
    guard rows.count == commit.count else {
      violations.append("P4: \(rows.count) rows are stored, \(commit.count) are expected")
      rows = commit.rows.map(commit.stored)
      return true
    }
    let told = Set(commit.inserted + commit.updated)
    var index = 0
    for part in commit.parts(of: 0..<commit.count) {
      switch part {
      case .disk(let range):
        for after in range {
          if rows[after].text != before[commit.indexBefore(after)].text {
            violations.append("P4: row \(after) on disk was not at \(commit.indexBefore(after))")
          }
        }
        index += range.count
      case .memory(let range):
        for row in commit.rows.slice(range) {
          let stored = commit.stored(row)
          if !told.contains(index), !rows[index].says(stored) {
            violations.append("P4: nobody told that row \(index) is \(stored.text)")
          }
          rows[index] = stored
          index += 1
        }
      }
    }
    return true
  }

  func removeAll() { rows = [] }
  func takeIssues() -> [CacheIssue] { [] }
}

extension CachedRows<Post>.Row {
  /// Whether it says what another one says, or of its pages more: keys that expired stay.
  fileprivate func says(_ other: Self) -> Bool {
    guard case .item(let post, let mark) = self, case .item(let otherPost, let otherMark) = other
    else { return text == other.text }
    return post == otherPost && (otherMark?.next == nil || otherMark?.next == mark?.next)
      && (otherMark?.previous == nil || otherMark?.previous == mark?.previous)
  }

  var text: String {
    switch self {
    case .gap: "gap"
    case .item(let post, let mark):
      "\(post) \(mark?.previous?.json ?? "") \(mark?.next?.json ?? "")"
    }
  }
}

extension FeedCommit {
  /// A row as it is stored.
  func stored(_ row: ListRow<Item>) -> CachedRows<Item>.Row {
    switch row {
    case .item(let item): .item(item, mark(of: item.id))
    case .gap: .gap
    }
  }
}
