public import FreshetLists
public import protocol Foundation.LocalizedError

/// Edits that are shown and not written yet: a store over another one.
///
/// Every query that runs on the draft shows the items of its store with the edits over them, whatever
/// the store says meanwhile. A draft is a store that takes changes, so a draft can have drafts.
///
/// ```swift
/// let draft = Draft(of: quakes)
/// let results = ResultsController(store: draft, arrangement: .sorted(by: \.time))
/// draft.update(revised)
/// try await draft.commit()   // or draft.discard()
/// ```
public final class Draft<Item: ListItem, Request: Sendable>: WritableDataStore {
  private struct Edit {
    var kind: ChangeKind
    var item: Item?
    /// The item as the store had it when it was edited first, as far as that is known.
    var original: Item?
    var revision: Int
  }

  private struct Running {
    let query: DataStoreQuery<Item, Request>
    /// What the store says.
    var items: [Item.ID: Item] = [:]
    /// When the store last said something of an item that is edited.
    var heard: [Item.ID: Int] = [:]

    /// An edit is written: what the store said of its item meanwhile is shown, else what it will say.
    mutating func settle(_ id: Item.ID, _ item: Item?, since revision: Int) {
      guard let last = heard.removeValue(forKey: id), last > revision else {
        items[id] = item
        return
      }
      var changes = ChangeBatch<Item>()
      changes.add(items[id], withID: id, as: .update)
      query.enqueue(changes)
    }
  }

  private struct State {
    var edits: [Item.ID: Edit] = [:]
    var queries: [Int: Running] = [:]
    var lastQuery = 0
    var lastRevision = 0

    /// The items that changed in the store since they were edited.
    var conflicts: [Item.ID] {
      edits.filter { id, edit in
        queries.values.contains { running in
          edit.kind == .insert
            ? running.items[id] != nil : running.items[id] != edit.original && edit.original != nil
        }
      }.map(\.key)
    }

    mutating func edit(_ id: Item.ID, _ item: Item?, _ kind: ChangeKind) {
      lastRevision += 1
      let stored = queries.values.lazy.compactMap { $0.items[id] }.first
      var edit = edits[id] ?? Edit(kind: kind, item: item, original: stored, revision: 0)
      switch (edit.kind, kind) {
      case (.insert, .update): break
      case (.delete, .insert): edit.kind = .update
      default: edit.kind = kind
      }
      edit.item = item
      edit.revision = lastRevision
      let wasNew = edits[id]?.kind == .insert
      // What was never written needs no deletion.
      edits[id] = wasNew && kind == .delete ? nil : edit
      var changes = ChangeBatch<Item>()
      changes.add(item, withID: id, as: kind)
      for running in queries.values { running.query.enqueue(changes) }
    }
  }

  private let store: any WritableDataStore<Item, Request>
  private let state = Locked(State())

  /// Creates a draft over a store, or over another draft.
  public init(of store: some WritableDataStore<Item, Request>) { self.store = store }

  // MARK: - Editing

  /// The edits that are not written yet.
  public var changes: ChangeBatch<Item> {
    state.withLock { Self.batch($0.edits) }
  }

  /// Shows a new item.
  public func insert(_ item: Item) { edit(item.id, item, .insert) }

  /// Shows an item with other contents.
  public func update(_ item: Item) { edit(item.id, item, .update) }

  /// Shows that an item goes.
  public func delete(_ id: Item.ID) { edit(id, nil, .delete) }

  /// Forgets the edits: what the store has is shown again.
  public func discard() {
    state.withLock { state in
      let ids = state.edits.keys
      state.edits = [:]
      for running in state.queries.values {
        var changes = ChangeBatch<Item>()
        for id in ids { changes.add(running.items[id], withID: id, as: .update) }
        running.query.enqueue(changes)
      }
    }
  }

  /// Writes the edits to the store, all of them or none.
  ///
  /// - Parameters:
  ///   - recursively: whether the drafts below are committed too, down to the store.
  ///   - overwriting: whether an item is written that changed in the store since it was edited.
  /// - Throws: `DraftConflict` with such items, or what the store threw; the edits stay.
  public func commit(recursively: Bool = false, overwriting: Bool = false) async throws {
    let (changes, revision) = try state.withLock { state in
      let conflicts = state.conflicts
      guard overwriting || conflicts.isEmpty else { throw DraftConflict<Item>(ids: conflicts) }
      state.lastRevision += 1
      return (Self.batch(state.edits), state.lastRevision)
    }
    if !changes.isEmpty { try await store.write(changes) }
    state.withLock { state in
      // What was edited meanwhile is not written yet.
      for (id, edit) in state.edits where edit.revision <= revision {
        state.edits[id] = nil
        for query in state.queries.keys {
          state.queries[query]?.settle(id, edit.item, since: revision)
        }
      }
    }
    if recursively, let draft = store as? Draft {
      try await draft.commit(recursively: true, overwriting: overwriting)
    }
  }

  private func edit(_ id: Item.ID, _ item: Item?, _ kind: ChangeKind) {
    state.withLock { $0.edit(id, item, kind) }
  }

  private static func batch(_ edits: [Item.ID: Edit]) -> ChangeBatch<Item> {
    var changes = ChangeBatch<Item>()
    for (id, edit) in edits.sorted(by: { $0.value.revision < $1.value.revision }) {
      changes.add(edit.item, withID: id, as: edit.kind)
    }
    return changes
  }

  // MARK: - As a store

  /// Runs a query on the store, and shows the edits over what it finds.
  public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    let number = state.withLock { state in
      state.lastQuery += 1
      state.queries[state.lastQuery] = Running(query: query)
      query.enqueue(Self.batch(state.edits))
      return state.lastQuery
    }
    defer { state.withLock { _ = $0.queries.removeValue(forKey: number) } }
    let below = DataStoreQuery<Item, Request>(query.request) { [weak self] changes, status in
      self?.take(changes, for: number)
      query.follow(status)
    }
    below.processesChangesImmediately = true
    try await store.execute(below)
  }

  /// Takes the changes of a draft over this one as edits.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    state.withLock { state in
      for change in changes.all { state.edit(change.id, change.item, change.kind) }
    }
  }

  /// The store says what changed: edited items stay as they are shown.
  private func take(_ changes: ChangeBatch<Item>, for number: Int) {
    state.withLock { state in
      guard let query = state.queries[number]?.query else { return }
      var shown = ChangeBatch<Item>()
      for change in changes.all {
        state.queries[number]?.items[change.id] = change.item
        if state.edits[change.id] != nil {
          state.lastRevision += 1
          state.queries[number]?.heard[change.id] = state.lastRevision
          continue
        }
        shown.add(change)
      }
      if !shown.isEmpty { query.enqueue(shown) }
    }
  }
}

/// Items that changed in the store since a draft edited them.
///
/// Look at them, then commit with `overwriting: true`, or discard the draft.
public struct DraftConflict<Item: ListItem>: Error {
  /// The items.
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
