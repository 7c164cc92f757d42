internal import Foundation
internal import FreshetLists

/// The notes of a store on a feed, beside its rows: their order, gaps and page keys.
///
/// ```
/// manifest    the log's checkpoint: the format of `FileFeedCache`'s manifest
/// m<number>   the log's further records
/// p<sequence> the ids of a run of rows, as JSON
/// ```
struct StoreManifest<Item: ListItem> where Item.ID: Codable {
  /// A write into the store.
  struct Write {
    var changes = ChangeBatch<Item>()
    var notes: [String: Data?] = [:]
    var issues: [CacheIssue] = []
  }

  private(set) var log: FeedLog
  private var runs = StoreRuns<Item>()
  /// The names of the notes that are removed when the log is rewritten.
  private var logNotes: Set<String> = []

  /// Creates the notes of a feed that is not stored.
  ///
  /// - Parameter notes: the names of notes that could not be read.
  init(name: String, version: Int, replacing notes: Set<String> = []) {
    log = FeedLog(name: name, version: version)
    logNotes = notes
  }

  /// Reads the notes of a feed.
  init(
    _ notes: [String: Data], name: String, version: Int
  ) throws(FeedManifest.Unreadable) {
    self.init(name: name, version: version, replacing: Set(notes.keys.filter { $0.first == "m" }))
    guard var text = notes["manifest"] else { return }
    var records = 0
    while let record = notes["m\(records + 1)"] {
      text += record
      records += 1
    }
    log = try FeedLog(text, name: name, version: version)
    runs = try StoreRuns(notes, of: log.manifest)
  }

  /// Returns the ids and marks of rows by their indices; `nil` is a gap.
  func rows(_ range: Range<Int>) throws -> [FeedManifest.Row<Item.ID>?] {
    var runs = runs
    return try log.manifest.rows(range, in: &runs)
  }

  /// Returns the state stored beside the rows, without the page if the rows differ from it.
  func state(of rows: [CachedRows<Item>.Row]) -> CachedState {
    log.manifest.state { page in
      let items = rows.prefix(page.rows).compactMap { row in
        if case .item(let item, _) = row { item } else { nil }
      }
      return items.count == page.rows ? runs.stamp(of: items) : nil
    }
  }

  /// Performs a step, and adds it to a write.
  ///
  /// - Parameters:
  ///   - commit: the step.
  ///   - isWhole: whether only its rows count, not what it changed.
  ///   - write: the write, which may contain earlier steps.
  mutating func add(
    _ commit: FeedCommit<Item>, isWhole: Bool, to write: inout Write
  ) throws {
    let leftOut = log.leftOut
    let plan = try log.plan(commit, isWhole: isWhole, in: &runs)
    if leftOut == nil, let reason = log.leftOut { write.issues.append(.leftOut(reason: reason)) }
    for id in log.garbage.flatMap({ runs.remove($0) }) { write.changes.addDeletion(of: id) }
    log.garbage = []
    // The inserted and updated rows, of those in memory.
    let parts =
      plan.isWhole
      ? [.memory(0..<commit.rows.count)]
      : (commit.inserted + commit.updated).flatMap { commit.parts(of: $0..<($0 + 1)) }
    for case .memory(let range) in parts {
      for row in commit.rows.slice(range) {
        if let item = row.item { write.changes.add(item, as: .update) }
      }
    }
    if plan.beginsAnew {
      for name in logNotes { write.notes[name] = .some(nil) }
      logNotes = []
    }
    let name = plan.beginsAnew ? "manifest" : "m\(log.size.records)"
    write.notes[name] = plan.text
    logNotes.insert(name)
    write.notes.merge(runs.notes) { $1 }
    runs.notes = [:]
  }

  /// The write that removes everything that is stored.
  var removal: Write {
    var write = Write()
    for id in runs.items { write.changes.addDeletion(of: id) }
    for name in logNotes.union(runs.names) { write.notes[name] = .some(nil) }
    return write
  }
}
