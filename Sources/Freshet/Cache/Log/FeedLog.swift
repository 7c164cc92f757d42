internal import Foundation
internal import FreshetLists

/// The log of a stored feed, which plans the writes of the feed's steps.
///
/// It is a value. It decides which rows are stored together, whether a step becomes a record or
/// the log is rewritten, and which runs become garbage. A cache carries this out, runs first: a
/// run counts only once the log names it.
struct FeedLog: Sendable {
  /// The extent of the log.
  struct Size: Equatable {
    /// The number of records after the checkpoint.
    var records = 0
    /// The length of the undamaged part, in bytes.
    var length = 0
    /// The length of the checkpoint; 0 if the log must be rewritten.
    var checkpoint = 0
  }

  /// The text that a step writes after its runs.
  struct Plan {
    /// The whole log, or one more record.
    var text: Data
    var beginsAnew: Bool
    /// Whether all rows were stored, not only the changed ones.
    var isWhole: Bool
  }

  /// The error for a feed that cannot be stored.
  struct TooLong: Error, CustomStringConvertible {
    let description = "the list is too long to be stored"
  }

  let name: String
  let version: Int
  /// A random number that identifies this log: a new log of the same feed gets another one.
  private let moment: UInt64
  private(set) var manifest = FeedManifest()
  private(set) var size = Size()
  /// The number of bytes at the end of the log that were torn or damaged when it was read.
  private(set) var tornBytes = 0
  /// The reason why page keys are left out; `nil` if they are not.
  private(set) var leftOut: String?
  /// The number of the next run, larger than that of any run that the log names or named.
  ///
  /// So a log that loses its end never uses a number again for another run.
  private var nextSequence: UInt64 = 1
  /// The runs that are in no entry any more, until they are removed.
  ///
  /// Older records of the log may still name them. They stay until the log is rewritten, because a
  /// torn log falls back to such a record.
  var garbage: [UInt64] = []

  /// Creates the log of a feed that is not stored.
  init(name: String, version: Int) {
    self.init(name: name, version: version, moment: .random(in: .min ... .max))
  }

  private init(name: String, version: Int, moment: UInt64) {
    self.name = name
    self.version = version
    self.moment = moment
  }

  /// The seed of the checksums of this log's runs.
  ///
  /// It prevents the run of another feed, or of an earlier log of this feed, from being taken for
  /// one of this log (rule P3).
  var runSeed: UInt64 { XXHash64.hash(Data(name.utf8), seed: moment) }

  /// Reads a log up to its first torn or damaged record.
  init(_ log: Data, name: String, version: Int) throws(FeedManifest.Unreadable) {
    let read = try FeedManifest.read(log, name: name, version: version)
    self.init(name: name, version: version, moment: read.moment)
    (manifest, size) = (read.manifest, read.size)
    nextSequence = read.lastSequence + 1
    tornBytes = log.count - size.length
    let trailer = FeedManifest.Beginning.read(log, name: name, version: version, moment: moment)
    if let trailer {
      // It may name runs that no readable record names.
      nextSequence = max(nextSequence, trailer.beginning.nextSequence)
      if trailer.length == tornBytes, starts(with: trailer.beginning) { tornBytes = 0 }
    }
    // A record that is appended to a torn log would not be read.
    if tornBytes > 0 { size.checkpoint = 0 }
  }

  /// Creates a log of which only the beginning was read.
  init(_ beginning: FeedManifest.Beginning, name: String, version: Int) {
    self.init(name: name, version: version, moment: beginning.moment)
    (manifest, nextSequence) = (beginning.manifest, beginning.nextSequence)
  }

  /// The beginning of the list; `nil` if it is the whole list.
  var beginning: FeedManifest.Beginning? {
    manifest.beginning(moment: moment, nextSequence: nextSequence)
  }

  /// Whether a beginning is that of this log in its present state.
  func starts(with beginning: FeedManifest.Beginning) -> Bool {
    var first = manifest
    first.entries = ManifestEntries(
      manifest.entries.slice(
        0..<min(beginning.manifest.entries.count, manifest.entries.count)))
    return beginning.moment == moment && beginning.manifest == first
      && beginning.count == manifest.count
  }

  /// Returns the index of the first entry after the rows of a beginning.
  ///
  /// It depends on the rows that this log still names. If there are none, it is the number of
  /// entries, because no entry is known to follow.
  func index(after beginning: FeedManifest.Beginning) -> Int {
    guard beginning.moment == moment else { return manifest.entries.count }
    var shown: [UInt64: Int] = [:]
    for part in beginning.manifest.entries.compactMap(\.part) {
      shown[part.sequence] = part.rows.upperBound
    }
    let last = Array(manifest.entries).lastIndex { entry in
      guard let part = entry.part, let end = shown[part.sequence] else { return false }
      return part.rows.lowerBound < end
    }
    return last.map { $0 + 1 } ?? manifest.entries.count
  }

  /// The beginning of the list, written after the last record and replaced by the next one.
  ///
  /// It is empty if the log would be too long otherwise.
  var trailer: Data {
    guard let record = beginning?.record(name: name, version: version),
      size.length + record.count <= FeedManifest.limit
    else { return Data() }
    return record
  }

  /// Replaces an unreadable run with a gap.
  mutating func lose(_ index: Int) {
    manifest.lose(index)
    size.checkpoint = 0
  }

  /// Skips some run numbers, before a log that was read is continued.
  ///
  /// The same log may be continued twice, if an older copy of its folder is put back. The runs of
  /// one continuation must not be taken for those of the other (rule P3).
  mutating func skipNumbers() {
    if size.length > 0 { nextSequence += .random(in: 1...1 << 32) }
  }

  /// Drops rows beyond `limit`; their runs are garbage once the log is rewritten.
  mutating func trim(to limit: Int) {
    guard let gone = manifest.trim(to: limit) else { return }
    garbage += gone
    size.checkpoint = 0
  }

  /// Plans a step, and updates the log as if it was carried out.
  ///
  /// - Parameters:
  ///   - commit: the step.
  ///   - isWhole: whether only its rows count, not what it changed.
  ///   - runs: the storage of the runs that it reads and writes.
  mutating func plan<Runs: RunStorage>(
    _ commit: FeedCommit<Runs.Item>, isWhole: Bool, in runs: inout Runs
  ) throws -> Plan {
    manifest.entries.countRuns()
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    let isWhole = isWhole || commit.isWhole || count != commit.count
    // A list that is in too many parts already is not divided further.
    let keepsParts = runs.keepsParts && manifest.entries.count < FeedManifest.entryLimit / 2
    let rewrites: [FeedManifest.Rewrite] =
      isWhole
      ? [
        .init(
          entries: 0..<manifest.entries.count, start: 0, pieces: [.written(0..<commit.rows.count)])
      ]
      : manifest.rewrites(
        deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated,
        keepsParts: keepsParts)
    let splices = try rewrites.map { rewrite in
      let entries = try rewrite.pieces.flatMap { piece -> [FeedManifest.Entry] in
        switch piece {
        case .stored(let entry, _): return [entry]
        case .written(let range):
          let parts = isWhole ? [.memory(range)] : commit.parts(of: range)
          return try store(rows(parts, of: commit, in: &runs), in: &runs)
        }
      }
      return FeedManifest.Splice(range: rewrite.entries, entries: entries)
    }
    let state = isWhole ? commit.stateInMemory : commit.state
    let step = manifest.step(splices, state) { page in
      let items = commit.rows.prefix(page.rows).compactMap(\.item)
      return items.isEmpty || items.count < page.rows ? nil : runs.stamp(of: items)
    }
    let replaced = splices.flatMap { manifest.entries.slice($0.range).compactMap(\.sequence) }
    try manifest.apply(step)
    garbage += manifest.unnamed(replaced)
    let record = FeedManifest.record(step)
    let end = size.length + record.count
    guard size.checkpoint > 0, end <= min(2 * size.checkpoint + 4096, FeedManifest.limit) else {
      return Plan(text: try beginAnew(), beginsAnew: true, isWhole: isWhole)
    }
    size.records += 1
    size.length = end
    return Plan(text: record, beginsAnew: false, isWhole: isWhole)
  }

  /// Rewrites the log, without page keys if they would make it too long.
  ///
  /// - Complexity: O(entries).
  mutating func beginAnew() throws -> Data {
    var log = manifest.log(name: name, version: version, moment: moment)
    if log.count > FeedManifest.limit {
      manifest.forgetKeys()
      leftOut = "the keys of all its pages are too long together"
      log = manifest.log(name: name, version: version, moment: moment)
    }
    // Such a log would be refused when it is read.
    guard log.count <= FeedManifest.limit, manifest.isPlausible else { throw TooLong() }
    size = Size(length: log.count, checkpoint: log.count)
    return log
  }

  /// Returns rows after a step, from memory or from disk.
  private func rows<Runs: RunStorage>(
    _ parts: [FeedCommit<Runs.Item>.Part], of commit: FeedCommit<Runs.Item>, in runs: inout Runs
  ) throws -> [FeedManifest.Row<Runs.Content>?] {
    try parts.flatMap { part in
      switch part {
      case .memory(let range):
        return commit.rows.slice(range).map { row in
          row.item.map { (runs.content(of: $0), commit.mark(of: $0.id)) }
        }
      case .disk(let range):
        let start = commit.indexBefore(range.lowerBound)
        return try manifest.rows(start..<(start + range.count), in: &runs)
      }
    }
  }

  /// Stores rows as runs.
  private mutating func store<Runs: RunStorage>(
    _ rows: [FeedManifest.Row<Runs.Content>?], in runs: inout Runs
  ) throws -> [FeedManifest.Entry] {
    try FeedManifest.runs(of: rows).flatMap { run -> [FeedManifest.Entry] in
      if let run { try store(run, in: &runs) } else { [.gap] }
    }
  }

  /// Stores one run: divided if it is too long, with a gap for each row that cannot be stored.
  private mutating func store<Runs: RunStorage>(
    _ run: FeedManifest.Run<Runs.Content>, in runs: inout Runs
  ) throws -> [FeedManifest.Entry] {
    var written = run
    for key in [\PageBoundary.next, \.previous]
    where written.mark[keyPath: key]?.holdsSecret == true {
      written.mark[keyPath: key] = nil
      leftOut = leftOut ?? "page keys that hold a secret"
    }
    if try runs.write(&written, as: nextSequence) {
      defer { nextSequence += 1 }
      return [.run(sequence: nextSequence, rows: run.contents.count, mark: written.mark)]
    }
    guard run.contents.count > 1 else { return [.gap] }
    let half = run.contents.count / 2
    var (first, second) = (run, run)
    first.contents.removeSubrange(half...)
    first.mark = PageBoundary(previous: run.mark.previous)
    second.contents.removeSubrange(..<half)
    second.mark.previous = nil
    return try store(first, in: &runs) + store(second, in: &runs)
  }
}
