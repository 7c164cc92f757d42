internal import FreshetLists

/// A feed in a store: its rows are the store's items, and beside them the store keeps
/// `StoreManifest`.
///
/// Each step of the feed is one write, of what the step changed (rule P4): rows and page keys are
/// stored together or not at all (rule P2).
final class StoreFeedCache<Store: FeedStore>: FeedCache {
  typealias Item = Store.Item

  private struct State {
    /// `nil` until they are read.
    var notes: StoreManifest<Item>?
    /// Steps that were not stored.
    var missed: [FeedCommit<Item>] = []
    /// The log as it would be if the first ones of them were.
    var attempt: (log: FeedLog.Size, steps: Int)?
    /// Whether the notes could not be read at first: they must not be overwritten.
    var isOff = false
    var issues: [CacheIssue] = []
  }

  private let store: Store
  private let name: String
  private let version: Int
  private let state = Locked(State())
  /// Limits take it away from nobody.
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
    guard state.withLock({ $0.notes == nil }) else { return }
    let notes = try await store.notes(of: name)
    state.withLock { state in
      guard state.notes == nil else { return }
      do {
        state.notes = try StoreManifest(notes, name: name, version: version)
      } catch {
        // The items stay; the feed asks its source what they are to it.
        state.issues.append(.unreadable(reason: "\(error)"))
        state.notes = StoreManifest(name: name, version: version, replacing: Set(notes.keys))
      }
    }
  }

  /// Rows with their items; a gap where the item is not in the store any more.
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
        // Whether the store took it is unknown: its notes say so.
        state.notes = nil
      }
      return false
    }
  }

  /// What a step writes, with the steps before it that were not stored.
  private static func write(
    _ commit: FeedCommit<Item>, _ state: inout State
  ) throws -> StoreManifest<Item>.Write {
    var write = StoreManifest<Item>.Write()
    if let attempt = state.attempt, attempt.log == state.notes?.log.size {
      // The store took them, and could not say so.
      state.missed.removeFirst(attempt.steps)
    }
    state.attempt = nil
    let steps = state.missed.count + 1
    // Where all rows are in memory, the last step says everything.
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
  /// A store: each page is written into it, and live results show it.
  ///
  /// ```swift
  /// let feed = Feed(source, cache: .store(posts, named: "home"))
  /// let results = ResultsController(store: posts, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.all)
  /// ```
  ///
  /// Rows that the feed's source no longer has are deleted from the store. One process writes a
  /// feed; an item that is in two feeds of one store goes with the first of them that loses it,
  /// unless both are of one family (`FamilyCache.store(_:named:version:limits:)`). Rows that others
  /// delete from the store are gaps to the feed when it starts again. Where rows may be missing is
  /// in the rows of the feed, not in the results.
  ///
  /// While the store cannot be written to, the feed works from memory, and what was missed is
  /// written with the next step that is.
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
