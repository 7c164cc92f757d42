internal import Foundation
internal import FreshetLists

extension StoredFeed {
  /// Writes the runs that a step touched, then one record that makes them count.
  mutating func save(_ commit: FeedCommit<Item>) -> Bool {
    guard directory.isEnabled else {
      needsWhole = true
      return false
    }
    open()
    guard !isOff else { return false }
    do {
      guard directory.removals == removals else {
        throw CacheFolder.Failure(lasting: "caches were removed in \(directory.url.path)")
      }
      return try store(commit)
    } catch {
      stop(error)
      return false
    }
  }

  private mutating func store(_ commit: FeedCommit<Item>) throws -> Bool {
    guard let folder = try lockedFolder() else {
      // Another one writes now; the first step after it stores everything.
      if !needsWhole {
        let path = directory.url.appendingPathComponent(folderName).path
        issues.append(.notSaved(reason: "another feed of this name writes \(path)"))
      }
      needsWhole = true
      return false
    }
    guard var manifest else { return false }
    let splices = try splices(for: commit, manifest, in: folder)
    let step = manifest.step(splices, commit.state) { stamp(of: $0, in: commit) }
    for splice in step.splices {
      for case .run(let sequence, _, _) in manifest.entries[splice.range] {
        garbage.append(sequence)
      }
    }
    try manifest.apply(step)
    self.manifest = manifest
    needsWhole = false
    try note(step, in: folder)
    return true
  }

  /// Adds a step to the log, or writes the log anew.
  private mutating func note(_ step: FeedManifest.Commit, in folder: CacheFolder) throws {
    let record = FeedManifest.record(step)
    let end = length + record.count
    if !needsCheckpoint, end <= min(2 * checkpoint + 4096, FeedManifest.limit),
      try folder.append(record, to: "manifest", at: length)
    {
      length = end
      return
    }
    let whole = try wholeLog()
    try folder.replace("manifest", by: whole)
    length = whole.count
    checkpoint = whole.count
    needsCheckpoint = false
    for sequence in garbage { folder.remove(Self.file(sequence)) }
    garbage = []
  }

  /// The log anew; without page keys where it would be too long with them.
  private mutating func wholeLog() throws -> Data {
    if let log = manifest?.storableLog(name: name, version: version) { return log }
    manifest?.forgetKeys()
    leaveOutKeys("the keys of all its pages are too long together")
    guard let log = manifest?.storableLog(name: name, version: version) else {
      throw CacheFolder.Failure(lasting: "the list is too long to be stored")
    }
    return log
  }

  /// What the rows of a page come to when they are read: the shape of their type, where they read back
  /// as they are.
  private func stamp(of page: CachedPage, in commit: FeedCommit<Item>) -> UInt64? {
    let items = commit.rows.prefix(page.rows).compactMap(\.item)
    guard let first = items.first, items.count == page.rows,
      let back = try? coder.decode(try coder.encode(items)), back == items
    else { return nil }
    return ItemShape.number(of: first)
  }

  private mutating func splices(
    for commit: FeedCommit<Item>, _ manifest: FeedManifest, in folder: CacheFolder
  ) throws -> [FeedManifest.Splice] {
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    if commit.isWhole || needsWhole || count != commit.count {
      let rows = commit.rows.lazy.map { commit.stored($0) }
      return [.init(range: 0..<manifest.entries.count, entries: try write(rows, in: folder))]
    }
    let rewrites = manifest.rewrites(
      deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated)
    return try rewrites.map { rewrite in
      var entries: [FeedManifest.Entry] = []
      if commit.unloaded.isEmpty {
        let rows = commit.rows.slice(rewrite.rows).lazy.map { commit.stored($0) }
        entries = try write(rows, in: folder)
      } else {
        entries = try write(
          rows(rewrite.rows, of: commit, manifest, in: folder), in: folder)
      }
      return FeedManifest.Splice(range: rewrite.entries, entries: entries)
    }
  }

  /// Rows by their indices after a step: from memory, or where they are not there, from disk.
  private mutating func rows(
    _ range: Range<Int>, of commit: FeedCommit<Item>, _ manifest: FeedManifest,
    in folder: CacheFolder
  ) throws -> [CachedRows<Item>.Row] {
    var rows: [CachedRows<Item>.Row] = []
    for part in commit.parts(of: range) {
      switch part {
      case .memory(let range): rows += commit.rows.slice(range).map { commit.stored($0) }
      case .disk(let range):
        let before = commit.indexBefore(range.lowerBound)
        rows += try storedRows(before..<(before + range.count), of: manifest, in: folder)
      }
    }
    return rows
  }

  /// Writes rows as runs.
  private mutating func write(
    _ rows: some Sequence<CachedRows<Item>.Row>, in folder: CacheFolder
  ) throws -> [FeedManifest.Entry] {
    let rows = rows.lazy.map { row -> (content: Item, mark: PageMark?)? in
      if case .item(let item, let mark) = row { (item, mark) } else { nil }
    }
    var entries: [FeedManifest.Entry] = []
    for run in FeedManifest.runs(of: rows) {
      if let run {
        entries += try write(run.contents, storable(run.mark), in: folder)
      } else {
        entries.append(.gap)
      }
    }
    return entries
  }

  /// Writes one run; in parts where it is too long or has a row that cannot be stored, and a gap for
  /// that row.
  private mutating func write(
    _ run: [Item], _ mark: PageMark, in folder: CacheFolder
  ) throws -> [FeedManifest.Entry] {
    let sequence = nextSequence
    let data: Data
    do {
      data = try RunFile.encode(run, sequence: sequence, coder: coder)
    } catch {
      guard run.count > 1 else {
        leaveOut(run[0].id, "\(error)")
        return [.gap]
      }
      let half = run.count / 2
      let end = PageMark(next: mark.next, fetchedAt: mark.fetchedAt)
      return try write(Array(run[..<half]), PageMark(previous: mark.previous), in: folder)
        + write(Array(run[half...]), end, in: folder)
    }
    nextSequence += 1
    try folder.create(Self.file(sequence), with: data)
    return [.run(sequence: sequence, rows: run.count, mark: mark)]
  }

  // MARK: - What is left out

  /// How long a page key may be, as JSON.
  private static var keyLimit: Int { 64 << 10 }

  /// A mark without the keys that are too long.
  private mutating func storable(_ mark: PageMark) -> PageMark {
    let isTooLong = { (key: PageKey?) in (key?.json.utf8.count ?? 0) > Self.keyLimit }
    var storable = mark
    if isTooLong(mark.next) { storable.next = nil }
    if isTooLong(mark.previous) { storable.previous = nil }
    if storable != mark {
      leaveOutKeys("a page key is longer than \(Self.keyLimit) bytes")
    }
    return storable
  }

  private mutating func leaveOutKeys(_ reason: String) {
    if !hasLeftOutKeys { issues.append(.leftOut(reason: reason)) }
    hasLeftOutKeys = true
  }

  private mutating func leaveOut(_ id: Item.ID, _ reason: String) {
    guard leftOut.insert(id).inserted else { return }
    issues.append(.leftOut(reason: "row \(id): \(reason)"))
  }
}
