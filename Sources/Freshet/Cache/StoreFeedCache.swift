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
    var manifest: FeedManifest?
    /// The ids of the rows in a run.
    var runs: [UInt64: [Item.ID]] = [:]
    var nextSequence: UInt64 = 1
    /// How many pieces the log has, how long they are together, and how long the first one is.
    var (records, length, checkpoint) = (0, 0, 0)
    var needsWhole = false
    /// Whether the notes could not be read: they must not be overwritten.
    var isOff = false
    /// Notes that say nothing to anybody.
    var garbage: [String] = []
    var issues: [CacheIssue] = []
  }

  /// What a step changes in the store.
  private struct Plan {
    var state: State
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

  func load(_ range: Range<Int>, of count: Int) async -> [CachedRows<Item>.Row]? {
    let manifest = state.withLock { $0.needsWhole ? nil : $0.manifest }
    guard let manifest, manifest.count == count else { return nil }
    return try? await rows(range, of: manifest)
  }

  func takeIssues() -> [CacheIssue] {
    state.withLock { state in
      defer { state.issues = [] }
      return state.issues
    }
  }

  /// Reads the notes, once.
  private func open() async throws {
    guard state.withLock({ $0.manifest == nil }) else { return }
    let notes = try await store.notes(of: name)
    state.withLock { state in
      state.manifest = FeedManifest()
      guard let head = notes["manifest"] else { return }
      var log = head
      while let record = notes["m\(state.records + 1)"] {
        log += record
        state.records += 1
      }
      do {
        let (manifest, length, checkpoint) = try FeedManifest.read(
          log, name: name, version: version)
        (state.length, state.checkpoint) = (length, checkpoint)
        for sequence in manifest.sequences {
          state.runs[sequence] = try JSONDecoder().decode(
            [Item.ID].self, from: notes["p\(sequence)"] ?? Data())
        }
        state.nextSequence = (manifest.sequences.max() ?? 0) + 1
        state.manifest = manifest
      } catch {
        // The items stay; the feed asks its source what they are to it.
        let reason = (error as? FeedManifest.Unreadable).map { "\($0)" } ?? "damaged"
        state.issues.append(.unreadable(reason: reason))
        (state.runs, state.length, state.checkpoint) = ([:], 0, 0)
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
      let plan = try state.withLock { try self.plan(commit, $0) }
      try await store.write(plan.changes, notes: plan.notes, of: name)
      state.withLock { state in
        let issues = state.issues
        state = plan.state
        state.issues = issues
      }
      return true
    } catch {
      // The first step that is stored again stores everything.
      state.withLock { state in
        if !state.needsWhole { state.issues.append(.notSaved(reason: "\(error)")) }
        state.needsWhole = true
      }
      return false
    }
  }

  func removeAll() async {
    do {
      try await open()
      let plan = state.withLock { state in
        var plan = Plan(state: State())
        plan.state.manifest = FeedManifest()
        for (sequence, ids) in state.runs {
          for id in ids { plan.changes.addDeletion(of: id) }
          plan.notes["p\(sequence)"] = .some(nil)
        }
        for record in 0..<state.records { plan.notes["m\(record + 1)"] = .some(nil) }
        plan.notes["manifest"] = .some(nil)
        return plan
      }
      try await store.write(plan.changes, notes: plan.notes, of: name)
      state.withLock { $0 = plan.state }
    } catch {
      state.withLock { $0.issues.append(.notSaved(reason: "\(error)")) }
    }
  }

  private func plan(_ commit: FeedCommit<Item>, _ state: State) throws -> Plan {
    var plan = Plan(state: state)
    for name in state.garbage { plan.notes[name] = .some(nil) }
    plan.state.garbage = []
    let manifest = state.manifest ?? FeedManifest()
    let count = manifest.count - commit.deleted.count + commit.inserted.count
    let isWhole = commit.isWhole || state.needsWhole || count != commit.count
    var step = FeedManifest.Commit(splices: [], state: commit.state)
    if isWhole {
      let entries = try add(
        commit.rows.lazy.map { row in row.item.map { ($0.id, commit.marks[$0.id]) } }, &plan)
      step.splices = [.init(range: 0..<manifest.entries.count, entries: entries)]
    } else {
      step.splices = try manifest.rewrites(
        deleted: commit.deleted, inserted: commit.inserted, updated: commit.updated
      ).map { rewrite in
        let rows = Self.rows(rewrite.rows, after: commit, manifest, state.runs)
        return .init(range: rewrite.entries, entries: try add(rows, &plan))
      }
    }
    drop(step.splices, of: manifest, &plan)
    for row in isWhole ? Array(commit.rows) : Self.told(commit) {
      if let item = row.item { plan.changes.add(item, as: .update) }
    }
    var after = manifest
    try after.apply(step)
    plan.state.manifest = after
    plan.state.needsWhole = false
    log(step, after, &plan)
    return plan
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
    _ rows: some Sequence<(content: Item.ID, mark: PageMark?)?>, _ plan: inout Plan
  ) throws -> [FeedManifest.Entry] {
    try FeedManifest.runs(of: rows).map { run in
      guard let run else { return .gap }
      let sequence = plan.state.nextSequence
      plan.state.nextSequence += 1
      plan.state.runs[sequence] = run.contents
      plan.notes["p\(sequence)"] = try JSONEncoder().encode(run.contents)
      return .run(sequence: sequence, rows: run.contents.count, mark: run.mark)
    }
  }

  /// Drops the runs that others replace, and the items that are in none of those.
  private func drop(
    _ splices: [FeedManifest.Splice], of manifest: FeedManifest, _ plan: inout Plan
  ) {
    var kept: Set<Item.ID> = []
    for case .run(let sequence, _, _) in splices.lazy.flatMap(\.entries) {
      kept.formUnion(plan.state.runs[sequence] ?? [])
    }
    for case .run(let sequence, _, _) in splices.lazy.flatMap({ manifest.entries[$0.range] }) {
      for id in plan.state.runs.removeValue(forKey: sequence) ?? [] where !kept.contains(id) {
        plan.changes.addDeletion(of: id)
      }
      plan.notes["p\(sequence)"] = .some(nil)
    }
  }

  /// Notes the step as another piece of the log, or the whole as its first one.
  private func log(
    _ step: FeedManifest.Commit, _ manifest: FeedManifest, _ plan: inout Plan
  ) {
    let record = FeedManifest.record(step)
    let isLong = plan.state.length + record.count > 2 * plan.state.checkpoint + 4096
    if plan.state.checkpoint == 0 || isLong {
      let whole = manifest.log(name: name, version: version)
      for record in 0..<plan.state.records { plan.notes["m\(record + 1)"] = .some(nil) }
      plan.notes["manifest"] = whole
      (plan.state.records, plan.state.length, plan.state.checkpoint) = (0, whole.count, whole.count)
    } else {
      plan.state.records += 1
      plan.notes["m\(plan.state.records)"] = record
      plan.state.length += record.count
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
