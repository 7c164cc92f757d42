public import FreshetLists
public import protocol Foundation.LocalizedError

/// A store over another one, with edits that are shown but not written yet.
///
/// Every query that runs on the draft shows the items of its store with the edits applied,
/// whatever the store reports meanwhile. A draft is a writable store itself, so a draft can have
/// drafts.
///
/// An edited item is shown if the query's request selects it, and hidden otherwise. That requires
/// a store that can decide this for a single item (`DataStore.isIncluded(_:in:)`), as
/// `MemoryStore` can. A request in the language of a database can be answered only by the
/// database: over `SQLiteStore` and `PostgresStore`, every edited item is shown until it is
/// committed. To hide it, arrange the results with the same condition.
///
/// ```swift
/// let draft = Draft(of: quakes)
/// let results = ResultsController(store: draft, arrangement: .sorted(by: \.time))
/// draft.update(revised)
/// try await draft.commit()  // or draft.discard()
/// ```
public final class Draft<Item: ListItem, Request: Sendable>: WritableDataStore {
  private let store: any WritableDataStore<Item, Request>
  private let state = Locked(DraftEdits<Item, Request>())

  /// Creates a draft over a store, or over another draft.
  public init(of store: some WritableDataStore<Item, Request>) { self.store = store }

  // MARK: - Editing

  /// The edits that are not written yet.
  public var changes: ChangeBatch<Item> { state.withLock { $0.changes } }

  /// Shows a new item in the results, before it is written.
  ///
  /// If a running query already has an item with this id, the draft records an update.
  public func insert(_ item: Item) { edit(item.id, item, .insert) }

  /// Shows an item with other contents.
  public func update(_ item: Item) { edit(item.id, item, .update) }

  /// Hides an item in the results, as if it were deleted.
  ///
  /// If the item was inserted only in this draft, its insertion is discarded. If the store has an
  /// item with the same id by now, that item is shown, and it is not deleted.
  public func delete(_ id: Item.ID) { edit(id, nil, .delete) }

  /// Discards the edits: the items of the store are shown again.
  public func discard() { state.withLock { $0.discard() } }

  /// Writes the edits to the store, all of them or none.
  ///
  /// Edits that are made meanwhile remain edits, on top of the written ones. If a draft below
  /// fails to commit, the edits are in that draft, and no longer in this one.
  ///
  /// - Parameters:
  ///   - recursively: whether the drafts below are committed too, down to the store.
  ///   - overwriting: whether an item is written even if it changed in the store since it was
  ///     edited.
  /// - Throws: `DraftConflict` with such items, or the error of the store. The edits stay in the
  ///   draft that holds them at that time.
  public func commit(recursively: Bool = false, overwriting: Bool = false) async throws {
    let commit = try state.withLock { state in
      let conflicts = state.conflicts
      guard overwriting || conflicts.isEmpty else { throw DraftConflict<Item>(ids: conflicts) }
      return state.beginCommit()
    }
    do {
      if !commit.changes.isEmpty { try await store.write(commit.changes) }
    } catch {
      state.withLock { $0.end(commit, isWritten: false) }
      throw error
    }
    state.withLock { $0.end(commit, isWritten: true) }
    if recursively, let draft = store as? Draft {
      try await draft.commit(recursively: true, overwriting: overwriting)
    }
  }

  private func edit(_ id: Item.ID, _ item: Item?, _ kind: ChangeKind) {
    var changes = ChangeBatch<Item>()
    changes.add(item, withID: id, as: kind)
    state.withLock { $0.edit(changes) }
  }

  // MARK: - As a store

  /// Runs a query on the store and applies the edits to its results, until the task is cancelled.
  ///
  /// Edits are shown together with the first items that the store finds, or once it reports that
  /// there are none.
  ///
  /// - Throws: the error of the store; the query fails with it.
  public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    let number = state.withLock { [store] state in
      state.add(query) { store.isIncluded($0, in: query.request) ?? true }
    }
    defer { state.withLock { $0.remove(number) } }
    let below = DataStoreQuery<Item, Request>(query.request, isEcho: query.isEcho) {
      [weak self] changes, status in
      self?.state.withLock { $0.receive(changes, isComplete: status.isComplete, for: number) }
      query.follow(status)
    }
    below.processesChangesImmediately = true
    try await store.execute(below)
    // A store may return once it has enqueued its items, but edits are shown for longer.
    guard !Task.isCancelled else { return }
    below.finishInitialResults()
    await query.untilStopped()
  }

  /// Returns the store's answer for an item and a request.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? {
    store.isIncluded(item, in: request)
  }

  /// Records the changes of a draft over this one as edits.
  ///
  /// - Throws: nothing. The changes are shown here, and written by `commit()`.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    state.withLock { $0.edit(changes) }
  }
}

extension Draft: LayeredStore {
  var storeBelow: any Sendable { store }
}

/// The error for items that changed in the store since a draft edited them.
///
/// Examine them, then commit with `overwriting: true`, or discard the draft.
public struct DraftConflict<Item: ListItem>: Error {
  /// The ids of the items that changed.
  public let ids: [Item.ID]
}

extension DraftConflict: CustomStringConvertible, LocalizedError {
  /// A description of the conflict, and of the possible remedies.
  public var description: String {
    "\(ids.count) items changed in the store since they were edited: commit with overwriting: true, or discard the draft."
  }

  /// A description of the conflict, and of the possible remedies.
  public var errorDescription: String? { description }
}
