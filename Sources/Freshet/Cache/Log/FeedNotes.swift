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
  typealias Row = (content: Item.ID, mark: PageMark?)

  /// What is written into the store.
  struct Write {
    var changes = ChangeBatch<Item>()
    var notes: [String: Data?] = [:]
  }

  /// How many records the log has behind its checkpoint, how long it is, and how long the checkpoint.
  struct Log: Equatable {
    var records = 0
    var length = 0
    var checkpoint = 0
  }

  let name: String
  let version: Int
  private(set) var manifest = FeedManifest()
  private(set) var log = Log()
  /// The ids of the rows in a run, and how many runs an id is in: more than one where an item came
  /// anew while its row was in the store only.
  private var runs: [UInt64: [Item.ID]] = [:]
  private var uses: [Item.ID: Int] = [:]
  private var nextSequence: UInt64 = 1
  /// Notes that say nothing to anybody.
  private var garbage: [String] = []

  /// Creates the notes of a feed that is not stored.
  ///
  /// - Parameter garbage: the names of notes that could not be read.
  init(name: String, version: Int, replacing garbage: [String] = []) {
    self.name = name
    self.version = version
    self.garbage = garbage
  }

  /// Reads notes.
  init(
    _ notes: [String: Data], name: String, version: Int
  ) throws(FeedManifest.Unreadable) {
    self.init(name: name, version: version)
    guard let checkpoint = notes["manifest"] else { return }
    var text = checkpoint
    while let record = notes["m\(log.records + 1)"] {
      text += record
      log.records += 1
    }
    let lastSequence: UInt64
    (manifest, log.length, log.checkpoint, lastSequence) = try FeedManifest.read(
      text, name: name, version: version)
    nextSequence = lastSequence + 1
    for case .run(let sequence, let count, _) in manifest.entries {
      guard let data = notes["p\(sequence)"],
        let ids = try? JSONDecoder().decode([Item.ID].self, from: data), ids.count == count
      else { throw .damaged }
      runs[sequence] = ids
      for id in ids { uses[id, default: 0] += 1 }
    }
  }

  /// The ids and marks of rows by their indices; `nil` is a gap.
  func rows(_ range: Range<Int>) -> [Row?] {
    var rows: [Row?] = []
    var start = 0
    for entry in manifest.entries where start < range.upperBound {
      let end = start + entry.count
      defer { start = end }
      let part = range.clamped(to: start..<end)
      guard case .run(let sequence, let count, let mark) = entry, let ids = runs[sequence] else {
        if !part.isEmpty { rows.append(nil) }
        continue
      }
      for index in part {
        rows.append((ids[index - start], mark.part(ofRow: index - start, among: count)))
      }
    }
    return rows
  }

  /// What the rows of a page come to: their contents as JSON and the shape of their type.
  ///
  /// Others write into a store too: what they wrote is not what the source said.
  static func stamp(of items: [Item], in page: CachedPage) -> UInt64? {
    guard let first = items.first, items.count == page.rows else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let coded = items.compactMap { item in
      (item as? any Encodable).flatMap { try? encoder.encode($0) }
    }
    guard coded.count == items.count else { return nil }
    return max(
      1, XXHash64.hash(Data(coded.joined(separator: [0])), seed: ItemShape.number(of: first)))
  }

  // MARK: - Changing

  /// Takes a step, and adds it to what is written.
  ///
  /// - Parameter isWhole: whether only the step's rows count, not what it changed.
  mutating func add(
    _ commit: FeedCommit<Item>, isWhole: Bool, to write: inout Write
  ) throws {
    for name in garbage { write.notes[name] = .some(nil) }
    garbage = []
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    let isWhole = isWhole || count != commit.count
    var splices: [FeedManifest.Splice] = []
    if isWhole {
      let entries = try note(commit.rows.lazy.map { commit.noted($0) }, &write)
      splices = [.init(range: 0..<manifest.entries.count, entries: entries)]
    } else {
      let rewrites = manifest.rewrites(
        deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated)
      for rewrite in rewrites {
        let entries = try note(rows(rewrite.rows, after: commit), &write)
        splices.append(.init(range: rewrite.entries, entries: entries))
      }
    }
    let step = manifest.step(splices, commit.state) { page in
      Self.stamp(of: commit.rows.prefix(page.rows).compactMap(\.item), in: page)
    }
    drop(step.splices, &write)
    for row in isWhole ? Array(commit.rows) : commit.told {
      if let item = row.item { write.changes.add(item, as: .update) }
    }
    try manifest.apply(step)
    note(step, &write)
  }

  /// What has to be written for nothing to be stored.
  var removal: Write {
    var write = Write()
    for id in uses.keys { write.changes.addDeletion(of: id) }
    for name in runs.keys.map({ "p\($0)" }) + records + garbage + ["manifest"] {
      write.notes[name] = .some(nil)
    }
    return write
  }

  private var records: [String] { (0..<log.records).map { "m\($0 + 1)" } }

  /// Rows by their indices after a step: from memory, or as they were stored.
  private func rows(_ range: Range<Int>, after commit: FeedCommit<Item>) -> [Row?] {
    commit.parts(of: range).flatMap { part in
      switch part {
      case .memory(let range): return commit.rows.slice(range).map { commit.noted($0) }
      case .disk(let range):
        let before = commit.indexBefore(range.lowerBound)
        return rows(before..<(before + range.count))
      }
    }
  }

  /// Notes rows as new runs.
  private mutating func note(
    _ rows: some Sequence<Row?>, _ write: inout Write
  ) throws -> [FeedManifest.Entry] {
    var entries: [FeedManifest.Entry] = []
    for run in FeedManifest.runs(of: rows) {
      guard let run else {
        entries.append(.gap)
        continue
      }
      write.notes["p\(nextSequence)"] = try JSONEncoder().encode(run.contents)
      runs[nextSequence] = run.contents
      for id in run.contents { uses[id, default: 0] += 1 }
      entries.append(.run(sequence: nextSequence, rows: run.contents.count, mark: run.mark))
      nextSequence += 1
    }
    return entries
  }

  /// Drops the runs that others replace, and the items that are in no run any more.
  private mutating func drop(_ splices: [FeedManifest.Splice], _ write: inout Write) {
    let replaced = splices.flatMap { manifest.entries[$0.range] }
    for case .run(let sequence, _, _) in replaced {
      for id in runs.removeValue(forKey: sequence) ?? [] {
        let rest = uses[id, default: 1] - 1
        uses[id] = rest == 0 ? nil : rest
        if rest == 0 { write.changes.addDeletion(of: id) }
      }
      write.notes["p\(sequence)"] = .some(nil)
    }
  }

  /// Notes a step as another record of the log, or the whole as its checkpoint.
  private mutating func note(_ step: FeedManifest.Commit, _ write: inout Write) {
    let record = FeedManifest.record(step)
    let isLong = log.length + record.count > 2 * log.checkpoint + 4096
    if log.checkpoint == 0 || isLong {
      let whole = manifest.log(name: name, version: version)
      for name in records { write.notes[name] = .some(nil) }
      write.notes["manifest"] = whole
      log = Log(length: whole.count, checkpoint: whole.count)
    } else {
      log.records += 1
      write.notes["m\(log.records)"] = record
      log.length += record.count
    }
  }
}

extension FeedCommit {
  /// What is noted of a row; `nil` for a gap.
  fileprivate func noted(_ row: FeedRow<Item>) -> (content: Item.ID, mark: PageMark?)? {
    row.item.map { ($0.id, marks[$0.id]) }
  }

  /// The rows that came or changed, of those in memory.
  fileprivate var told: [FeedRow<Item>] {
    (inserted + updated).flatMap { index in
      parts(of: index..<(index + 1)).flatMap { part -> [FeedRow<Item>] in
        if case .memory(let range) = part { Array(rows.slice(range)) } else { [] }
      }
    }
  }
}
