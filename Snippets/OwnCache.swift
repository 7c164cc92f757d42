// A cache of one's own: all that is stored of a feed is one value.

import Freshet
import FreshetTesting
import Synchronization

@available(macOS 15, *)  // as `Mutex` is
// snippet.cache
/// A short list as one value of JSON: every step writes all of it.
final class ValueCache<Item: ListItem & Codable>: FeedCache {
  private let archive: Archive<CachedRows<Item>>
  private let stored = Mutex(CachedRows<Item>())
  private let issues = Mutex<[CacheIssue]>([])

  init(_ name: String, in directory: CacheDirectory = .default) {
    archive = Archive(name, in: directory)
  }

  func loadFirst() -> CachedRows<Item>? {
    let rows = archive.load()
    stored.withLock { $0 = rows ?? CachedRows() }
    return rows  // all of them
  }

  func loadRest() async -> CachedRows<Item> { CachedRows() }

  func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Item>.Row]? {
    stored.withLock { $0.rows.count == count ? Array($0.rows[range]) : nil }
  }

  func save(_ commit: FeedCommit<Item>) async -> Bool {
    let rows = stored.withLock { stored in
      stored = CachedRows(rows: commit.rows(after: stored.rows), state: commit.state)
      return stored
    }
    do {
      try archive.save(rows)
      return true
    } catch {
      issues.withLock { $0.append(.notSaved(reason: "\(error)")) }  // the next step stores all
      return false
    }
  }

  func removeAll() async {
    stored.withLock { $0 = CachedRows() }
    archive.remove()
  }

  func takeIssues() -> [CacheIssue] {
    issues.withLock { issues in
      defer { issues = [] }
      return issues
    }
  }
}
// snippet.hide

struct Note: ListItem, Codable {
  let id: Int
  var text = ""
}

@available(macOS 15, *)
func show(_ source: ClosureSource<Note, Int>) async {
  // snippet.use
  let feed = Feed(source, cache: FeedCacheChoice(ValueCache("notes")))
  await feed.refresh()
  await feed.flush()
  // snippet.hide
}

guard #available(macOS 15, *) else { fatalError("Mutex needs macOS 15") }
await show(ClosureSource { _ in Page([Note(id: 1)], next: nil) })

// snippet.test
let contract = FeedCacheContract { Note(id: $0, text: "version \($1)") }
var storages = 0
try await contract.check {
  storages += 1  // a place where nothing is stored
  let name = "storage \(storages)"
  return { ValueCache<Note>(name) }
}
// snippet.hide
CacheDirectory.default.removeAll()
