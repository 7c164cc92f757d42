internal import Foundation
internal import FreshetLists

/// What a store notes of a feed beside its rows: their order, gaps and page keys.
///
/// ```
/// manifest    the log's checkpoint: the format of `FileFeedCache`'s manifest
/// m<number>   the log's further records
/// p<sequence> the ids of a run of rows, as JSON
/// ```
struct FeedNotes<Item: ListItem> where Item.ID: Codable {
  /// What is written into the store.
  struct Write {
    var changes = ChangeBatch<Item>()
    var notes: [String: Data?] = [:]
    var issues: [CacheIssue] = []
  }

  private(set) var log: FeedLog
  private var runs = NotedRuns<Item>()
  /// Notes that say nothing to anybody.
  private var garbage: [String] = []

  /// Creates the notes of a feed that is not stored.
  ///
  /// - Parameter garbage: the names of notes that could not be read.
  init(name: String, version: Int, replacing garbage: [String] = []) {
    log = FeedLog(name: name, version: version)
    self.garbage = garbage
  }

  /// Reads notes.
  init(
    _ notes: [String: Data], name: String, version: Int
  ) throws(FeedManifest.Unreadable) {
    self.init(name: name, version: version)
    guard var text = notes["manifest"] else { return }
    var records = 0
    while let record = notes[Self.record(records + 1)] {
      text += record
      records += 1
    }
    log = try FeedLog(text, name: name, version: version)
    garbage = (log.size.records..<records).map { Self.record($0 + 1) }
    runs = try NotedRuns(notes, of: log.manifest)
  }

  private static func record(_ number: Int) -> String { "m\(number)" }

  /// The names of a log's notes, and of those that say nothing.
  private func logNotes(records: Int) -> [String] {
    ["manifest"] + (0..<records).map { Self.record($0 + 1) } + garbage
  }

  /// The ids and marks of rows by their indices; `nil` is a gap.
  func rows(_ range: Range<Int>) throws -> [FeedManifest.Row<Item.ID>?] {
    var runs = runs
    return try log.manifest.rows(range, in: &runs)
  }

  /// What is stored beside the rows, without a page that these rows are not.
  func state(of rows: [CachedRows<Item>.Row]) -> CachedState {
    log.manifest.state { page in
      let items = rows.prefix(page.rows).compactMap { row in
        if case .item(let item, _) = row { item } else { nil }
      }
      return items.count == page.rows ? runs.stamp(of: items) : nil
    }
  }

  /// Takes a step, and adds it to what is written.
  ///
  /// - Parameters:
  ///   - commit: the step.
  ///   - isWhole: whether only its rows count, not what it changed.
  ///   - write: what the steps before it write.
  mutating func add(
    _ commit: FeedCommit<Item>, isWhole: Bool = false, to write: inout Write
  ) throws {
    let (records, leftOut) = (log.size.records, log.leftOut)
    let plan = try log.plan(commit, isWhole: isWhole, in: &runs)
    if leftOut == nil, let reason = log.leftOut { write.issues.append(.leftOut(reason: reason)) }
    for id in log.takeGarbage().flatMap({ runs.remove($0) }) {
      write.changes.addDeletion(of: id)
    }
    for row in plan.isWhole ? Array(commit.rows) : commit.told {
      if let item = row.item { write.changes.add(item, as: .update) }
    }
    switch plan.log {
    case .record(let record, _): write.notes[Self.record(log.size.records)] = record
    case .checkpoint(let whole):
      for name in logNotes(records: records) { write.notes[name] = .some(nil) }
      garbage = []
      write.notes["manifest"] = whole
    }
    write.notes.merge(runs.takeNotes()) { $1 }
  }

  /// What has to be written for nothing to be stored.
  var removal: Write {
    var write = Write()
    for id in runs.items { write.changes.addDeletion(of: id) }
    for name in runs.names + logNotes(records: log.size.records) { write.notes[name] = .some(nil) }
    return write
  }
}

extension FeedCommit {
  /// The rows that came or changed, of those in memory.
  fileprivate var told: [FeedRow<Item>] {
    (inserted + updated).flatMap { index in
      parts(of: index..<(index + 1)).flatMap { part -> [FeedRow<Item>] in
        if case .memory(let range) = part { Array(rows.slice(range)) } else { [] }
      }
    }
  }
}
