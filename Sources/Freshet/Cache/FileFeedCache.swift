internal import Foundation
public import FreshetLists

/// A feed on disk: a folder with a file for each run of rows and a manifest log in which one record
/// is one commit.
///
/// A crash or power loss at any byte leaves the state before or after a commit (rule P2). Every
/// file is checksummed: damaged rows become a gap, a damaged manifest an empty cache (rule P3). A
/// second process that opens the same feed reads it and does not write.
///
/// ```
/// <directory>/<hash of the name>/   folder 0700, files 0600
///   lock                            held by the process that writes
///   manifest                        checkpoint, then commits
///   p<sequence>                     rows, immutable once referenced
/// ```
public final class FileFeedCache<Item: ListItem>: FeedCache {
  private struct State {
    var manifest: FeedManifest?
    var issues: [CacheIssue] = []
    /// The checksum of the log when it was read.
    var logChecksum: UInt64?
    /// The length of the log that is whole, and of its checkpoint.
    var length = 0
    var checkpoint = 0
    var nextSequence: UInt64 = 1
    /// How many entries the first rows came from.
    var loadedEntries = 0
    /// Files that no entry names any more, to be removed once the log no longer names them either.
    var garbage: [UInt64] = []
    /// Files to be set aside by whoever may write.
    var damaged: [URL] = []
    var needsCheckpoint = true
    /// Whether a step was missed: the next one stores all rows.
    var needsWhole = false
    /// Whether the file system failed: nothing is stored any more.
    var isOff = false
    var lock: Int32?
  }

  private static var logLimit: Int { 64 << 20 }

  private let name: String
  private let version: Int
  private let directory: CacheDirectory
  private let folder: URL
  private let coder: any ValueCoder<Item>
  /// How often the directory had been removed when this cache was created.
  private let removals: Int
  private let state = Locked(State())

  /// Creates the cache of a feed.
  ///
  /// - Parameters:
  ///   - name: any text; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public init(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default,
    coder: some ValueCoder<Item>
  ) {
    self.name = name
    self.version = version
    self.directory = directory
    self.coder = coder
    folder = directory.folder(for: name, of: .feed)
    removals = directory.removals
  }

  deinit { close() }

  /// Lets another process, or another cache of this name, write.
  ///
  /// A later save takes over again.
  func close() {
    state.withLock { state in
      if let lock = state.lock { File.unlock(lock) }
      state.lock = nil
    }
  }

  // MARK: - Loading

  /// The rows of the first run.
  public func loadFirst() -> CachedRows<Item>? {
    state.withLock { state in
      guard directory.isEnabled else { return nil }
      open(&state)
      guard let manifest = state.manifest, !manifest.entries.isEmpty else { return nil }
      let first = manifest.entries.firstIndex { $0 != .gap } ?? manifest.entries.count - 1
      state.loadedEntries = first + 1
      return rows(of: manifest.entries[...first], &state)
    }
  }

  /// The rows of all other runs.
  public func loadRest() -> CachedRows<Item> {
    state.withLock { state in
      guard let manifest = state.manifest else { return CachedRows() }
      return rows(of: manifest.entries.dropFirst(state.loadedEntries), &state)
    }
  }

  private func rows(
    of entries: ArraySlice<FeedManifest.Entry>, _ state: inout State
  ) -> CachedRows<Item> {
    var rows: [CachedRows<Item>.Row] = []
    for (index, entry) in zip(entries.indices, entries) {
      guard case .run(let sequence, let count, let mark) = entry else {
        rows.append(.gap)
        continue
      }
      guard let items = items(in: file(sequence), count: count, sequence: sequence, &state) else {
        state.manifest?.entries[index] = .gap
        state.needsCheckpoint = true
        rows.append(.gap)
        continue
      }
      let damaged = items.count { $0 == nil }
      if damaged > 0 { state.issues.append(.damagedRows(count: damaged)) }
      for (offset, item) in items.enumerated() {
        guard let item else {
          rows.append(.gap)
          continue
        }
        rows.append(.item(item, mark.part(ofRow: offset, among: items.count)))
      }
    }
    return CachedRows(
      rows: rows, state: state.manifest?.state ?? CachedState(),
      isComplete: entries.endIndex == state.manifest?.entries.count,
      count: state.manifest?.count)
  }

  /// Some of the rows; `nil` where others are stored than the feed takes to be.
  public func load(_ range: Range<Int>, of count: Int) -> [CachedRows<Item>.Row]? {
    state.withLock { state in
      guard directory.isEnabled, !state.isOff, !state.needsWhole,
        let manifest = state.manifest, manifest.count == count
      else { return nil }
      return storedRows(range, of: manifest, &state)
    }
  }

  /// The rows at these indices among all that are stored; a gap for each that is damaged.
  private func storedRows(
    _ range: Range<Int>, of manifest: FeedManifest, _ state: inout State
  ) -> [CachedRows<Item>.Row] {
    var rows: [CachedRows<Item>.Row] = []
    var start = 0
    for entry in manifest.entries where start < range.upperBound {
      let end = start + entry.count
      defer { start = end }
      guard end > range.lowerBound else { continue }
      guard case .run(let sequence, let count, let mark) = entry else {
        rows.append(.gap)
        continue
      }
      let items = items(in: file(sequence), count: count, sequence: sequence, &state)
      for offset in range.clamped(to: start..<end) {
        let mark = mark.part(ofRow: offset - start, among: count)
        rows.append(items?[offset - start].map { .item($0, mark) } ?? .gap)
      }
    }
    return rows
  }

  private func items(
    in url: URL, count: Int, sequence: UInt64, _ state: inout State
  ) -> [Item?]? {
    do {
      if let data = try File.read(url, limit: RunFile.limit),
        let items = RunFile.decode(data, rows: count, sequence: sequence, coder: coder)
      {
        return items
      }
      state.damaged.append(url)
    } catch {
      // What cannot be read now is not damaged, and must not be overwritten.
      state.isOff = true
    }
    state.issues.append(.damagedRows(count: count))
    return nil
  }

  /// Reads the manifest, once.
  private func open(_ state: inout State) {
    guard state.manifest == nil else { return }
    state.manifest = FeedManifest()
    let url = folder.appendingPathComponent("manifest")
    do {
      guard let log = try File.read(url, limit: Self.logLimit) else { return }
      state.logChecksum = XXHash64.hash(log)
      let (manifest, length, checkpoint) = try FeedManifest.read(log, name: name, version: version)
      state.needsCheckpoint = length < log.count
      state.manifest = manifest
      state.length = length
      state.checkpoint = checkpoint
      state.nextSequence = (manifest.sequences.max() ?? 0) + 1
    } catch FeedManifest.Unreadable.otherVersion, FeedManifest.Unreadable.otherName {
      // Another list's rows are none of this one: they are overwritten.
    } catch {
      if error is FeedManifest.Unreadable { state.damaged.append(url) } else { state.isOff = true }
      state.issues.append(.unreadable(reason: "\(error)"))
    }
  }

  // MARK: - Saving

  /// Writes the runs that a step touched, then one record that makes them count.
  @discardableResult
  public func save(_ commit: FeedCommit<Item>) -> Bool {
    state.withLock { state in
      guard directory.isEnabled else {
        state.needsWhole = true
        return false
      }
      open(&state)
      guard !state.isOff else { return false }
      do {
        guard directory.removals == removals else {
          throw File.Failure("caches were removed in", directory.url.path, ENOENT)
        }
        return try store(commit, &state)
      } catch {
        state.isOff = true
        state.issues.append(.notSaved(reason: "\(error)"))
        return false
      }
    }
  }

  private func store(_ commit: FeedCommit<Item>, _ state: inout State) throws -> Bool {
    guard try holdLock(&state) else {
      // Another one writes now; the first step after it stores everything.
      if !state.needsWhole {
        state.issues.append(.notSaved(reason: "another feed of this name writes \(folder.path)"))
      }
      state.needsWhole = true
      return false
    }
    guard var manifest = state.manifest else { return false }
    let step = try FeedManifest.Commit(
      splices: splices(for: commit, manifest, &state), state: commit.state)
    for splice in step.splices {
      for case .run(let sequence, _, _) in manifest.entries[splice.range] {
        state.garbage.append(sequence)
      }
    }
    try manifest.apply(step)
    state.manifest = manifest
    state.needsWhole = false

    let log = folder.appendingPathComponent("manifest")
    let record = FeedManifest.record(step)
    if state.needsCheckpoint || state.length + record.count > 2 * state.checkpoint + 4096 {
      let whole = manifest.log(name: name, version: version)
      try File.replace(log, by: whole)
      state.length = whole.count
      state.checkpoint = whole.count
      state.needsCheckpoint = false
      for sequence in state.garbage { File.remove(file(sequence)) }
      state.garbage = []
    } else {
      try File.append(record, to: log, at: state.length)
      state.length += record.count
    }
    return true
  }

  private func splices(
    for commit: FeedCommit<Item>, _ manifest: FeedManifest, _ state: inout State
  ) throws -> [FeedManifest.Splice] {
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    if commit.isWhole || state.needsWhole || count != commit.count {
      let rows = commit.rows.lazy.map { commit.stored($0) }
      return [.init(range: 0..<manifest.entries.count, entries: try write(rows, &state))]
    }
    let rewrites = manifest.rewrites(
      deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated)
    return try rewrites.map { rewrite in
      var entries: [FeedManifest.Entry] = []
      if commit.unloaded.isEmpty {
        let rows = commit.rows.slice(rewrite.rows).lazy.map { commit.stored($0) }
        entries = try write(rows, &state)
      } else {
        entries = try write(rows(rewrite.rows, of: commit, manifest, &state), &state)
      }
      return FeedManifest.Splice(range: rewrite.entries, entries: entries)
    }
  }

  /// Rows by their indices after a step: from memory, or where they are not there, from disk.
  private func rows(
    _ range: Range<Int>, of commit: FeedCommit<Item>, _ manifest: FeedManifest,
    _ state: inout State
  ) throws -> [CachedRows<Item>.Row] {
    var rows: [CachedRows<Item>.Row] = []
    for part in commit.parts(of: range) {
      switch part {
      case .memory(let range): rows += commit.rows.slice(range).map { commit.stored($0) }
      case .disk(let range):
        let before = commit.indexBefore(range.lowerBound)
        rows += storedRows(before..<(before + range.count), of: manifest, &state)
      }
    }
    return rows
  }

  /// Writes rows as runs.
  private func write(
    _ rows: some Sequence<CachedRows<Item>.Row>, _ state: inout State
  ) throws -> [FeedManifest.Entry] {
    let rows = rows.lazy.map { row -> (content: Item, mark: PageMark?)? in
      if case .item(let item, let mark) = row { (item, mark) } else { nil }
    }
    var entries: [FeedManifest.Entry] = []
    for run in FeedManifest.runs(of: rows) {
      if let run {
        entries += try write(run.contents, run.mark, &state)
      } else {
        entries.append(.gap)
      }
    }
    return entries
  }

  /// Writes one run, or several where its rows are large.
  private func write(
    _ run: [Item], _ mark: PageMark, _ state: inout State
  ) throws -> [FeedManifest.Entry] {
    let sequence = state.nextSequence
    let data = try RunFile.encode(run, sequence: sequence, coder: coder)
    if data.count > RunFile.limit, run.count > 1 {
      let half = run.count / 2
      return try write(Array(run[..<half]), PageMark(previous: mark.previous), &state)
        + write(
          Array(run[half...]), PageMark(next: mark.next, fetchedAt: mark.fetchedAt), &state)
    }
    state.nextSequence += 1
    try File.write(data, to: file(sequence))
    return [.run(sequence: sequence, rows: run.count, mark: mark)]
  }

  private func file(_ sequence: UInt64) -> URL { folder.appendingPathComponent("p\(sequence)") }

  /// Makes this cache the one that writes; `false` where another one does.
  private func holdLock(_ state: inout State) throws -> Bool {
    let url = folder.appendingPathComponent("lock")
    if let lock = state.lock {
      guard File.isCurrent(lock, url) else {
        throw File.Failure("was removed:", folder.path, ENOENT)
      }
      return true
    }
    try File.makeFolder(folder)
    state.lock = try File.lock(url)
    guard state.lock != nil else { return false }
    try readAgain(&state)
    sweep(state)
    return true
  }

  /// Looks whether another one wrote since the log was read.
  ///
  /// Then all rows are stored over it.
  private func readAgain(_ state: inout State) throws {
    let manifest = folder.appendingPathComponent("manifest")
    let log = try File.read(manifest, limit: Self.logLimit)
    if log.map({ XXHash64.hash($0) }) == state.logChecksum {
      for url in state.damaged { setAside(url) }
    } else {
      let issues = state.issues
      state.manifest = nil
      open(&state)
      state.issues = issues
      state.needsCheckpoint = true
      state.needsWhole = true
    }
    state.damaged = []
  }

  /// Keeps a damaged file for whoever wants to look at it, one at most.
  private func setAside(_ url: URL) {
    let aside = folder.appendingPathComponent("damaged")
    File.remove(aside)
    try? FileManager.default.moveItem(at: url, to: aside)
  }

  /// Removes what a crash left behind: runs that no entry names, and files that never got a name.
  private func sweep(_ state: State) {
    let known = Set((state.manifest?.sequences ?? []).map { "p\($0)" })
    let found = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in found ?? [] {
      let isRun = name.first == "p" && UInt64(name.dropFirst()) != nil
      if isRun && !known.contains(name) || name.hasSuffix(".new") {
        File.remove(folder.appendingPathComponent(name))
      }
    }
  }

  // MARK: - Ending

  /// Forgets everything stored.
  public func removeAll() {
    state.withLock { state in
      if let lock = state.lock { File.unlock(lock) }
      state = State()
      state.manifest = FeedManifest()
      state.needsWhole = true
      File.remove(folder)
    }
  }

  /// What went wrong since the last call.
  public func takeIssues() -> [CacheIssue] {
    state.withLock { state in
      defer { state.issues = [] }
      return state.issues
    }
  }
}

extension FeedCacheChoice where Item: Codable {
  /// A folder on disk, rows as JSON.
  ///
  /// - Parameters:
  ///   - name: any text; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - directory: the folder of caches.
  public static func file(
    _ name: String, version: Int = 1, in directory: CacheDirectory = .default
  ) -> FeedCacheChoice {
    FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: JSONCoder()))
  }
}
