internal import FreshetLists

/// A feed in a store: its rows are items of the store, which also keeps a `StoreManifest`.
///
/// Each step of the feed is one write, of only the step's changes (rule P4): rows and page keys
/// are stored together or not at all (rule P2).
final class StoreFeedCache<Store: FeedStore>: FeedCache {
  typealias Item = Store.Item

  private struct State {
    /// The notes of the feed; `nil` until they are read.
    var notes: StoreManifest<Item>?
    /// The steps that were not stored.
    var missed: [FeedCommit<Item>] = []
    /// The size that the log has if the first of these steps were stored after all.
    var attempt: (log: FeedLog.Size, steps: Int)?
    /// Whether the first read of the notes failed: they must not be overwritten then.
    var isOff = false
    var issues: [CacheIssue] = []
  }

  private let store: Store
  private let name: String
  private let version: Int
  private let state = Locked(State())
  /// Marks the feed as in use, so that limits do not remove it.
  private let use: CacheRegistry.Mark?

  init(_ store: Store, _ name: String, version: Int, use: CacheRegistry.Mark? = nil) {
    self.store = store
    self.name = name
    self.version = version
    self.use = use
  }

  // MARK: - Loading

  func loadFirst() -> CachedRows<Item>? { CachedRows(isComplete: false) }

  func loadRest() async -> CachedRows<Item> {
    do {
      try await open()
      guard let notes = state.withLock({ $0.notes }) else { return CachedRows() }
      let rows = try await items(of: notes.rows(0..<notes.log.manifest.count))
      return CachedRows(rows: rows, state: notes.state(of: rows))
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
    let notes = state.withLock { $0.missed.isEmpty ? $0.notes : nil }
    guard let notes else { throw Unsaved() }
    guard notes.log.manifest.count == count else { return nil }
    return try await items(of: notes.rows(range))
  }

  /// The error for reading rows by their indices while steps wait to be stored.
  private struct Unsaved: Error, CustomStringConvertible {
    let description = "the store did not take the last changes; try again when it can be reached"
  }

  func takeIssues() -> [CacheIssue] {
    state.withLock { state in
      defer { state.issues = [] }
      return state.issues
    }
  }

  /// Reads the notes, if that was not done.
  private func open() async throws {
    guard state.withLock({ $0.notes == nil }) else { return }
    let notes = try await store.notes(of: name)
    state.withLock { state in
      guard state.notes == nil else { return }
      do {
        state.notes = try StoreManifest(notes, name: name, version: version)
      } catch {
        // The items stay, but the feed loads its list from its source.
        state.issues.append(.unreadable(reason: "\(error)"))
        state.notes = StoreManifest(name: name, version: version, replacing: Set(notes.keys))
      }
    }
  }

  /// Returns rows with their items, with a gap for an item that is no longer in the store.
  private func items(of rows: [FeedManifest.Row<Item.ID>?]) async throws -> [CachedRows<Item>.Row] {
    let items = try await store.items(withIDs: rows.compactMap { $0?.content })
    let byID = Dictionary(items.map { ($0.id, $0) }) { $1 }
    return rows.map { row in
      guard let row, let item = byID[row.content] else { return .gap }
      return .item(item, row.mark)
    }
  }

  // MARK: - Saving

  func save(_ commit: FeedCommit<Item>) async -> Bool {
    guard !state.withLock({ $0.isOff }) else { return false }
    do {
      try await open()
      let write = try state.withLock { try Self.write(commit, &$0) }
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
        // It is unknown whether the write was stored: the notes have to be read again.
        state.notes = nil
      }
      return false
    }
  }

  /// Returns the write of a step, including the steps before it that were not stored.
  private static func write(
    _ commit: FeedCommit<Item>, _ state: inout State
  ) throws -> StoreManifest<Item>.Write {
    var write = StoreManifest<Item>.Write()
    if let attempt = state.attempt, attempt.log == state.notes?.log.size {
      // The store had stored these steps, but failed to report it.
      state.missed.removeFirst(attempt.steps)
    }
    state.attempt = nil
    let steps = state.missed.count + 1
    // If all rows are in memory, the last step contains everything.
    let isWhole = commit.unloaded.isEmpty && !state.missed.isEmpty
    for step in isWhole ? [commit] : state.missed + [commit] {
      try state.notes?.add(step, isWhole: isWhole, to: &write)
    }
    state.issues += write.issues
    state.attempt = state.notes.map { ($0.log.size, steps) }
    return write
  }

  func removeAll() async {
    do {
      try await open()
      let write = state.withLock { $0.notes?.removal } ?? StoreManifest<Item>.Write()
      try await store.write(write.changes, notes: write.notes, of: name)
      state.withLock { state in
        state = State()
        state.notes = StoreManifest(name: name, version: version)
      }
    } catch {
      state.withLock { state in
        state.issues.append(.notSaved(reason: "\(error)"))
        // The store may have removed everything and failed to report it: the next step reads its
        // notes again, and stores the whole list.
        let (isOff, issues) = (state.isOff, state.issues)
        state = State()
        (state.isOff, state.issues) = (isOff, issues)
      }
    }
  }
}

extension FeedCacheChoice {
  /// Returns a choice of a store, into which each page is written and which live results can show.
  ///
  /// ```swift
  /// let feed = Feed(source, cache: .store(posts, named: "home"))
  /// let results = ResultsController(store: posts, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.all)
  /// ```
  ///
  /// Rows that the feed's source no longer has are deleted from the store. Only one process may
  /// write a feed. An item that is in two feeds of one store is deleted with the first of them
  /// that loses it. Feeds of one family avoid that (`FamilyCache.store(_:named:version:limits:)`).
  /// Rows that others delete from the store are gaps when the feed starts again. Only the feed has
  /// gaps; the results have no rows for them.
  ///
  /// While the store cannot be written, the feed works from memory. Missed steps are written with
  /// the next one that succeeds.
  ///
  /// - Parameters:
  ///   - store: the store of the rows, and of the paging state beside them.
  ///   - name: the name of the feed in the store.
  ///   - version: the version of the source's page keys and order; with another version, the feed
  ///     starts from scratch.
  public static func store<Store: FeedStore>(
    _ store: Store, named name: String, version: Int = 1
  ) -> FeedCacheChoice where Store.Item == Item {
    var choice = FeedCacheChoice(StoreFeedCache(store, name, version: version))
    choice.feed = StoredFeed(store, named: name)
    return choice
  }
}
