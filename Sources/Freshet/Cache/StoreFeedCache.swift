internal import Foundation
internal import FreshetLists

/// A feed in a store: its rows are the store's items, and beside them the store keeps notes of their
/// order, gaps and page keys.
///
/// Each step of the feed is one write, of what the step changed (rule P4): rows and page keys are
/// stored together or not at all (rule P2). The notes are the ids of runs of rows, and a manifest log
/// in pieces: the format is that of `FileFeedCache`, with ids in place of rows.
final class StoreFeedCache<Store: FeedStore>: FeedCache {
  typealias Item = Store.Item

  private struct State {
    /// `nil` until the notes are read.
    var manifest: FeedManifest?
    /// The ids of the rows in a run, and how many runs an id is in: more than one where an item came
    /// anew while its row was in the store only.
    var runs: [UInt64: [Item.ID]] = [:]
    var uses: [Item.ID: Int] = [:]
    var nextSequence: UInt64 = 1
    /// How many pieces the log has, how long they are together, and how long the first one is.
    var log = Log()
    /// Notes that say nothing to anybody.
    var garbage: [String] = []
    /// Steps that were not stored.
    var missed: [FeedCommit<Item>] = []
    /// The log as it would be if the first ones of them were.
    var attempt: (log: Log, steps: Int)?
    /// Whether the notes could not be read at first: they must not be overwritten.
    var isOff = false
    var issues: [CacheIssue] = []
  }

  private struct Log: Equatable {
    var records = 0
    var length = 0
    var checkpoint = 0
  }

  /// What is written into the store.
  private struct Write {
    var changes = ChangeBatch<Item>()
    var notes: [String: Data?] = [:]
  }

  private let store: Store
  private let name: String
  private let version: Int
  private let state = Locked(State())

  init(_ store: Store, _ name: String, version: Int) {
    self.store = store
    self.name = name
    self.version = version
  }

  // MARK: - Loading

  func loadFirst() -> CachedRows<Item>? { CachedRows(isComplete: false) }

  func loadRest() async -> CachedRows<Item> {
    do {
      try await open()
      let manifest = state.withLock { $0.manifest } ?? FeedManifest()
      let rows = try await rows(0..<manifest.count, of: manifest)
      return CachedRows(rows: rows, state: manifest.state)
    } catch {
      state.withLock { state in
        state.isOff = true
        state.issues.append(.unreadable(reason: "\(error)"))
        state.issues.append(.notSaved(reason: "the store cannot be read; begin the feed anew"))
      }
      return CachedRows()
    }
  }

  func load(_ range: Range<Int>, of count: Int) async throws -> [CachedRows<Item>.Row]? {
    try await open()
    let manifest = state.withLock { $0.missed.isEmpty ? $0.manifest : nil }
    guard let manifest else { throw Unsaved() }
    return manifest.count == count ? try await rows(range, of: manifest) : nil
  }

  /// Rows cannot be read by their place while steps wait to be stored.
  private struct Unsaved: Error, CustomStringConvertible {
    let description = "the store did not take the last changes; try again when it can be reached"
  }

  func takeIssues() -> [CacheIssue] {
    state.withLock { state in
      defer { state.issues = [] }
      return state.issues
    }
  }

  /// Reads the notes, if they are not known.
  private func open() async throws {
    guard state.withLock({ $0.manifest == nil }) else { return }
    let notes = try await store.notes(of: name)
    state.withLock { state in
      guard state.manifest == nil else { return }
      state.manifest = FeedManifest()
      (state.runs, state.uses, state.log) = ([:], [:], Log())
      guard let head = notes["manifest"] else { return }
      var text = head
      while let record = notes["m\(state.log.records + 1)"] {
        text += record
        state.log.records += 1
      }
      do {
        let (manifest, length, checkpoint) = try FeedManifest.read(
          text, name: name, version: version)
        for sequence in manifest.sequences {
          let ids = try JSONDecoder().decode([Item.ID].self, from: notes["p\(sequence)"] ?? Data())
          state.runs[sequence] = ids
          for id in ids { state.uses[id, default: 0] += 1 }
        }
        (state.log.length, state.log.checkpoint) = (length, checkpoint)
        state.nextSequence = (manifest.sequences.max() ?? 0) + 1
        state.manifest = manifest
      } catch {
        // The items stay; the feed asks its source what they are to it.
        let reason = (error as? FeedManifest.Unreadable).map { "\($0)" } ?? "damaged"
        state.issues.append(.unreadable(reason: reason))
        (state.runs, state.uses, state.log) = ([:], [:], Log())
        state.garbage = Array(notes.keys)
      }
    }
  }

  /// Rows by their indices; a gap where the item is not in the store any more.
  private func rows(
    _ range: Range<Int>, of manifest: FeedManifest
  ) async throws -> [CachedRows<Item>.Row] {
    let stored = state.withLock { Self.stored(range, of: manifest, $0.runs) }
    let items = try await store.items(withIDs: stored.compactMap { $0?.content })
    let byID = Dictionary(items.map { ($0.id, $0) }) { $1 }
    return stored.map { row in
      guard let row, let item = byID[row.content] else { return .gap }
      return .item(item, row.mark)
    }
  }

  /// The ids and marks of rows by their indices; `nil` is a gap.
  private static func stored(
    _ range: Range<Int>, of manifest: FeedManifest, _ runs: [UInt64: [Item.ID]]
  ) -> [(content: Item.ID, mark: PageMark?)?] {
    var rows: [(content: Item.ID, mark: PageMark?)?] = []
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

  // MARK: - Saving

  func save(_ commit: FeedCommit<Item>) async -> Bool {
    guard !state.withLock({ $0.isOff }) else { return false }
    do {
      try await open()
      let write = try state.withLock { try plan(commit, &$0) }
      try await store.write(write.changes, notes: write.notes, of: name)
      state.withLock { state in
        state.missed = []
        state.attempt = nil
      }
      return true
    } catch {
      state.withLock { state in
        if state.missed.isEmpty { state.issues.append(.notSaved(reason: "\(error)")) }
        state.missed.append(commit)
        // Whether the store took it is unknown: its notes say so.
        state.manifest = nil
      }
      return false
    }
  }

  func removeAll() async {
    do {
      try await open()
      let write = state.withLock { state in
        var write = Write()
        for (sequence, ids) in state.runs {
          for id in ids { write.changes.addDeletion(of: id) }
          write.notes["p\(sequence)"] = .some(nil)
        }
        for record in 0..<state.log.records { write.notes["m\(record + 1)"] = .some(nil) }
        write.notes["manifest"] = .some(nil)
        return write
      }
      try await store.write(write.changes, notes: write.notes, of: name)
      state.withLock { state in
        state = State()
        state.manifest = FeedManifest()
      }
    } catch {
      state.withLock { $0.issues.append(.notSaved(reason: "\(error)")) }
    }
  }

  /// What a step writes, with the steps before it that were not stored.
  private func plan(_ commit: FeedCommit<Item>, _ state: inout State) throws -> Write {
    var write = Write()
    for name in state.garbage { write.notes[name] = .some(nil) }
    state.garbage = []
    // The store took them, and could not say so.
    if let attempt = state.attempt, attempt.log == state.log {
      state.missed.removeFirst(attempt.steps)
    }
    let steps = state.missed.count + 1
    if commit.unloaded.isEmpty, !state.missed.isEmpty {
      // All rows are in memory: the last step says everything.
      try add(commit, isWhole: true, &state, &write)
    } else {
      for missed in state.missed { try add(missed, isWhole: missed.isWhole, &state, &write) }
      try add(commit, isWhole: commit.isWhole, &state, &write)
    }
    state.attempt = (state.log, steps)
    return write
  }

  /// Adds a step to what is written.
  private func add(
    _ commit: FeedCommit<Item>, isWhole: Bool, _ state: inout State, _ write: inout Write
  ) throws {
    var manifest = state.manifest ?? FeedManifest()
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    let isWhole = isWhole || count != commit.count
    var step = FeedManifest.Commit(splices: [], state: commit.state)
    if isWhole {
      let entries = try add(
        commit.rows.lazy.map { row in row.item.map { ($0.id, commit.marks[$0.id]) } }, &state,
        &write)
      step.splices = [.init(range: 0..<manifest.entries.count, entries: entries)]
    } else {
      let rewrites = manifest.rewrites(
        deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated)
      for rewrite in rewrites {
        let rows = Self.rows(rewrite.rows, after: commit, manifest, state.runs)
        let entries = try add(rows, &state, &write)
        step.splices.append(.init(range: rewrite.entries, entries: entries))
      }
    }
    drop(step.splices, of: manifest, &state, &write)
    for row in isWhole ? Array(commit.rows) : Self.told(commit) {
      if let item = row.item { write.changes.add(item, as: .update) }
    }
    state.manifest = nil
    try manifest.apply(step)
    state.manifest = manifest
    log(step, manifest, &state, &write)
  }

  /// The rows that a step says came or changed.
  private static func told(_ commit: FeedCommit<Item>) -> [FeedRow<Item>] {
    (commit.inserted + commit.updated).flatMap { index in
      commit.parts(of: index..<(index + 1)).flatMap { part -> [FeedRow<Item>] in
        if case .memory(let range) = part { Array(commit.rows.slice(range)) } else { [] }
      }
    }
  }

  /// Ids and marks of rows by their indices after a step: from memory, or as they were stored.
  private static func rows(
    _ range: Range<Int>, after commit: FeedCommit<Item>, _ manifest: FeedManifest,
    _ runs: [UInt64: [Item.ID]]
  ) -> [(content: Item.ID, mark: PageMark?)?] {
    commit.parts(of: range).flatMap { part in
      switch part {
      case .memory(let range):
        commit.rows.slice(range).map { row in
          row.item.map { (content: $0.id, mark: commit.marks[$0.id]) }
        }
      case .disk(let range):
        stored(
          commit.indexBefore(
            range.lowerBound)..<(commit.indexBefore(range.lowerBound)
            + range.count), of: manifest, runs)
      }
    }
  }

  /// Notes the ids of new runs.
  private func add(
    _ rows: some Sequence<(content: Item.ID, mark: PageMark?)?>, _ state: inout State,
    _ write: inout Write
  ) throws -> [FeedManifest.Entry] {
    try FeedManifest.runs(of: rows).map { run in
      guard let run else { return .gap }
      let sequence = state.nextSequence
      state.nextSequence += 1
      state.runs[sequence] = run.contents
      for id in run.contents { state.uses[id, default: 0] += 1 }
      write.notes["p\(sequence)"] = try JSONEncoder().encode(run.contents)
      return .run(sequence: sequence, rows: run.contents.count, mark: run.mark)
    }
  }

  /// Drops the runs that others replace, and the items that are in no run any more.
  private func drop(
    _ splices: [FeedManifest.Splice], of manifest: FeedManifest, _ state: inout State,
    _ write: inout Write
  ) {
    for case .run(let sequence, _, _) in splices.lazy.flatMap({ manifest.entries[$0.range] }) {
      for id in state.runs.removeValue(forKey: sequence) ?? [] {
        let uses = state.uses[id, default: 1] - 1
        state.uses[id] = uses == 0 ? nil : uses
        if uses == 0 { write.changes.addDeletion(of: id) }
      }
      write.notes["p\(sequence)"] = .some(nil)
    }
  }

  /// Notes the step as another piece of the log, or the whole as its first one.
  private func log(
    _ step: FeedManifest.Commit, _ manifest: FeedManifest, _ state: inout State,
    _ write: inout Write
  ) {
    let record = FeedManifest.record(step)
    let isLong = state.log.length + record.count > 2 * state.log.checkpoint + 4096
    if state.log.checkpoint == 0 || isLong {
      let whole = manifest.log(name: name, version: version)
      for record in 0..<state.log.records { write.notes["m\(record + 1)"] = .some(nil) }
      write.notes["manifest"] = whole
      state.log = Log(length: whole.count, checkpoint: whole.count)
    } else {
      state.log.records += 1
      write.notes["m\(state.log.records)"] = record
      state.log.length += record.count
    }
  }
}

extension FeedCacheChoice {
  /// A store: each page is written into it, and live results show it.
  ///
  /// ```swift
  /// let feed = Feed(source, cache: .store(posts, named: "home"))
  /// let results = ResultsController(store: posts, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.all)
  /// ```
  ///
  /// Rows that the feed's source no longer has are deleted from the store. One process writes a feed;
  /// an item that is in two feeds of one store goes with the first of them that loses it. Rows that
  /// others delete from the store are gaps to the feed when it starts again.
  ///
  /// - Parameters:
  ///   - store: where the rows are, and the paging state beside them.
  ///   - name: the feed's name there.
  ///   - version: the version of the source's page keys and order; another one starts anew.
  public static func store<Store: FeedStore>(
    _ store: Store, named name: String, version: Int = 1
  ) -> FeedCacheChoice where Store.Item == Item {
    FeedCacheChoice(StoreFeedCache(store, name, version: version))
  }
}
