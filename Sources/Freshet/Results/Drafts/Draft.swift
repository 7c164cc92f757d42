public import FreshetLists
public import protocol Foundation.LocalizedError

/// Edits that are shown and not written yet: a store over another one.
///
/// Every query that runs on the draft shows the items of its store with the edits over them,
/// whatever the store says meanwhile. A draft is a store that takes changes, so a draft can have
/// drafts.
///
/// An edited item is shown where the query's request asks for it, and hidden where it does not, if
/// the store can say that of an item (`DataStore.isIncluded(_:in:)`): a `MemoryStore` can. A
/// request in the language of a database is the database's to answer: over `SQLiteStore` and
/// `PostgresStore` every edited item is shown until it is committed. Lay the results out with the
/// same condition to hide it.
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

  /// Shows that an item goes.
  ///
  /// One that was inserted here alone is forgotten: an item with its id that came into the store
  /// meanwhile is shown then, and not deleted.
  public func delete(_ id: Item.ID) { edit(id, nil, .delete) }

  /// Forgets the edits: what the store has is shown again.
  public func discard() { state.withLock { $0.discard() } }

  /// Writes the edits to the store, all of them or none.
  ///
  /// What is edited meanwhile stays an edit, on top of what was written. Where a draft below fails
  /// to commit, the edits are in that draft, and no longer in this one.
  ///
  /// - Parameters:
  ///   - recursively: whether the drafts below are committed too, down to the store.
  ///   - overwriting: whether an item is written that changed in the store since it was edited.
  /// - Throws: `DraftConflict` with such items, or what the store threw; the edits stay where they
  ///   are by then.
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

  /// Runs a query on the store, and shows the edits over what it finds, until the task is
  /// cancelled.
  ///
  /// Edits show with the first items that the store finds, or once it says that there are none.
  ///
  /// - Throws: what the store throws: the query fails with it.
  public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    let number = state.withLock { [store] state in
      state.add(query) { store.isIncluded($0, in: query.request) ?? true }
    }
    defer { state.withLock { $0.remove(number) } }
    let below = DataStoreQuery<Item, Request>(query.request) { [weak self] changes, status in
      self?.state.withLock { $0.receive(changes, isComplete: status.isComplete, for: number) }
      query.follow(status)
    }
    below.processesChangesImmediately = true
    try await store.execute(below)
    // A store may return once it has enqueued what there is: edits are shown for longer.
    guard !Task.isCancelled else { return }
    below.finishInitialResults()
    await query.untilStopped()
  }

  /// What the store says of an item and a request.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? {
    store.isIncluded(item, in: request)
  }

  /// Takes the changes of a draft over this one as edits.
  ///
  /// - Throws: nothing: what changes here is shown, and written by `commit()`.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    state.withLock { $0.edit(changes) }
  }
}

/// Items that changed in the store since a draft edited them.
///
/// Look at them, then commit with `overwriting: true`, or discard the draft.
public struct DraftConflict<Item: ListItem>: Error {
  /// The items that changed, by their ids.
  public let ids: [Item.ID]
}

extension DraftConflict: CustomStringConvertible, LocalizedError {
  /// What happened, and what to try.
  public var description: String {
    "\(ids.count) items changed in the store since they were edited: commit with overwriting: true, or discard the draft."
  }

  /// What happened, and what to try.
  public var errorDescription: String? { description }
}
