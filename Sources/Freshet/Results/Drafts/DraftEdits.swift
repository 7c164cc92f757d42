internal import FreshetLists

/// The edits of a draft, and the state of their items as reported by the store.
struct DraftEdits<Item: ListItem, Request: Sendable>: Sendable {
  fileprivate struct Edit: Sendable {
    /// The store's version of the item when it was first edited, if it is known.
    enum Base: Equatable { case absent, item(Item), unknown }

    var base: Base
    /// The edited item; `nil` if the edit deletes it.
    var item: Item?
    var revision: Int

    var kind: ChangeKind { item == nil ? .delete : base == .absent ? .insert : .update }
    /// Whether the item was both inserted and deleted here, so that the store needs no deletion.
    var isVoid: Bool { base == .absent && item == nil }
  }

  /// The edits that one commit writes.
  struct Commit: Sendable {
    fileprivate let number: Int
    fileprivate let edits: [Item.ID: Edit]
    fileprivate let revision: Int

    /// The edits, in the order in which they were made.
    var changes: ChangeBatch<Item> { DraftEdits.batch(edits) }
  }

  private var edits: [Item.ID: Edit] = [:]
  private var queries: [Int: DraftQuery<Item, Request>] = [:]
  /// The ids of the edits that are being written; the store may already have them.
  private var writing: [Int: Set<Item.ID>] = [:]
  private var lastNumber = 0
  private var lastRevision = 0

  /// The edits, in the order in which they were made.
  var changes: ChangeBatch<Item> { Self.batch(edits) }

  /// The items that changed in the store since they were edited.
  var conflicts: [Item.ID] {
    edits.filter { id, edit in
      queries.values.contains { query in
        switch edit.base {
        case .absent: query.items[id] != nil && !edit.isVoid
        case .item(let original): query.contradicts(original, id)
        case .unknown: false
        }
      }
    }.map(\.key)
  }

  private static func batch(_ edits: [Item.ID: Edit]) -> ChangeBatch<Item> {
    var changes = ChangeBatch<Item>()
    for (id, edit) in edits.sorted(by: { $0.value.revision < $1.value.revision }) {
      changes.add(edit.item, withID: id, as: edit.kind)
    }
    return changes
  }

  // MARK: - Editing

  /// Applies edits to items, and shows them all at once.
  mutating func edit(_ changes: ChangeBatch<Item>) {
    var shown = ChangeBatch<Item>()
    var done: [Item.ID] = []
    for change in changes.all {
      lastRevision += 1
      let id = change.id
      var edit = edits[id] ?? Edit(base: base(of: change), item: nil, revision: 0)
      edit.item = change.item
      edit.revision = lastRevision
      edits[id] = edit
      if isDone(edit, id) { done.append(id) } else { shown.add(change) }
    }
    forget(done, showing: shown)
  }

  /// Returns the store's version of an item that is edited for the first time.
  ///
  /// If a query has found the item, that is its version, for an insertion too.
  private func base(of change: ChangeBatch<Item>.Change) -> Edit.Base {
    let known = queries.values.lazy.compactMap { $0.items[change.id] }.first
    return known.map(Edit.Base.item) ?? (change.kind == .insert ? .absent : .unknown)
  }

  /// Discards the edits: the items of the store are shown again.
  mutating func discard() { forget(Array(edits.keys)) }

  private mutating func forget(
    _ ids: [Item.ID], showing others: ChangeBatch<Item> = ChangeBatch()
  ) {
    for id in ids { edits[id] = nil }
    for number in queries.keys { queries[number]?.show(others, storedItems: ids) }
  }

  /// Whether an item was inserted and deleted here, and cannot have been written to the store.
  private func isDone(_ edit: Edit, _ id: Item.ID) -> Bool {
    edit.isVoid && !writing.values.contains { $0.contains(id) }
  }

  // MARK: - Writing

  /// Begins a commit of the current edits.
  mutating func beginCommit() -> Commit {
    lastRevision += 1
    lastNumber += 1
    writing[lastNumber] = Set(edits.keys)
    return Commit(number: lastNumber, edits: edits, revision: lastRevision)
  }

  /// Ends a commit; edits made meanwhile are now based on the written items.
  mutating func end(_ commit: Commit, isWritten: Bool) {
    writing[commit.number] = nil
    var done: [Item.ID] = []
    var heard: [Int: [Item.ID]] = [:]
    for (id, written) in commit.edits {
      guard var edit = edits[id] else { continue }
      let isNewer = edit.revision > commit.revision
      if isWritten {
        edit.base = written.item.map(Edit.Base.item) ?? .absent
        for number in queries.keys {
          let isHeard =
            queries[number]?.wrote(id, written.item, since: commit.revision, isEdited: isNewer)
          if isHeard == true { heard[number, default: []].append(id) }
        }
      }
      edits[id] = isWritten && !isNewer ? nil : edit
      if isDone(edit, id), edits[id] != nil { done.append(id) }
    }
    for id in done { edits[id] = nil }
    for number in queries.keys {
      let ids = done + (heard[number] ?? [])
      if !ids.isEmpty { queries[number]?.show(storedItems: ids) }
    }
  }

  // MARK: - Changes of the store

  /// Adds a running query; it receives the edits with the first changes that the store reports.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - isIncluded: returns whether the query selects an item.
  mutating func add(
    _ query: DataStoreQuery<Item, Request>, asking isIncluded: @escaping @Sendable (Item) -> Bool
  ) -> Int {
    lastNumber += 1
    queries[lastNumber] = DraftQuery(query: query, isIncluded: isIncluded)
    return lastNumber
  }

  mutating func remove(_ number: Int) { queries[number] = nil }

  /// For each query, the number of written items that the store has not reported yet.
  var unsaid: [Int] { queries.values.map(\.unsaid.count) }

  /// Applies changes that the store reports; edited items stay as they are shown.
  ///
  /// - Parameters:
  ///   - changes: the changes.
  ///   - isComplete: whether the store has reported all initial items, now or before.
  ///   - number: the number of the query.
  mutating func receive(_ changes: ChangeBatch<Item>, isComplete: Bool, for number: Int) {
    guard queries[number] != nil else { return }
    let edits = edits
    var shown = ChangeBatch<Item>()
    for change in changes.all {
      if edits[change.id] == nil {
        queries[number]?.hear(change)
        shown.add(change, of: changes)
      } else {
        lastRevision += 1
        queries[number]?.hear(change, at: lastRevision)
      }
    }
    queries[number]?.tell(
      shown, with: Self.batch(edits), begins: !changes.isEmpty || isComplete)
  }
}

/// A query that runs on a draft, and the items that the store reported to it.
private struct DraftQuery<Item: ListItem, Request: Sendable>: Sendable {
  let query: DataStoreQuery<Item, Request>
  let isIncluded: @Sendable (Item) -> Bool
  /// The items as the store reported them; only those that the query selects.
  private(set) var items: [Item.ID: Item] = [:]
  /// For each edited item, the revision at which the store last reported it.
  private var heard: [Item.ID: Int] = [:]
  /// The edited items that the query had, and that the store has reported as deleted since.
  private var gone: Set<Item.ID> = []
  /// The items that were written, and that the store has not reported since.
  ///
  /// The store may yet report that the query does not select them.
  private(set) var unsaid: Set<Item.ID> = []
  /// Whether the store has reported anything.
  ///
  /// Before that nothing is shown, because it would replace the results of an earlier request.
  private var hasBegun = false

  init(
    query: DataStoreQuery<Item, Request>, isIncluded: @escaping @Sendable (Item) -> Bool
  ) {
    self.query = query
    self.isIncluded = isIncluded
  }

  /// Delivers changes of unedited items; the first delivery includes all edits.
  mutating func tell(
    _ shown: ChangeBatch<Item>, with edits: @autoclosure () -> ChangeBatch<Item>, begins: Bool
  ) {
    var shown = shown
    if begins, !hasBegun {
      hasBegun = true
      shown.add(edits().seen(by: isIncluded))
    }
    if !shown.isEmpty { query.enqueue(shown) }
  }

  /// Whether an item changed in the store since it was edited.
  ///
  /// It is false for a query that never had the item, because it cannot know.
  func contradicts(_ original: Item, _ id: Item.ID) -> Bool {
    if unsaid.contains(id) { return false }
    return items[id].map { $0 != original } ?? gone.contains(id)
  }

  /// Records that the store reported a change of an item that is not edited.
  mutating func hear(_ change: ChangeBatch<Item>.Change) {
    items[change.id] = change.item
    unsaid.remove(change.id)
  }

  /// Records that the store reported a change of an item that is edited.
  mutating func hear(_ change: ChangeBatch<Item>.Change, at revision: Int) {
    let isExpected = unsaid.remove(change.id) != nil
    if change.item == nil, items[change.id] != nil, !isExpected {
      gone.insert(change.id)
    } else {
      gone.remove(change.id)
    }
    items[change.id] = change.item
    heard[change.id] = revision
  }

  /// Records that an edit was written.
  ///
  /// If the store reported the item meanwhile, its report counts. Otherwise the written item
  /// counts until the store reports it.
  ///
  /// - Returns: whether the store's version is to be shown.
  mutating func wrote(
    _ id: Item.ID, _ item: Item?, since revision: Int, isEdited: Bool
  ) -> Bool {
    gone.remove(id)
    let isHeard = heard[id].map { $0 > revision } ?? false
    if !isHeard {
      let wanted = item.flatMap { isIncluded($0) ? $0 : nil }
      // The store will report nothing about an item that the query neither had nor selects.
      if items[id] != nil || wanted != nil { unsaid.insert(id) }
      items[id] = wanted
    }
    if !isEdited { forget([id]) }
    return isHeard && !isEdited
  }

  /// Delivers edits that the query selects, and the stored versions of other items, as one batch.
  mutating func show(_ edits: ChangeBatch<Item> = ChangeBatch(), storedItems ids: [Item.ID]) {
    var changes = edits.seen(by: isIncluded)
    for id in ids { changes.add(items[id], withID: id, as: .update) }
    if hasBegun, !changes.isEmpty { query.enqueue(changes) }
    forget(ids)
  }

  private mutating func forget(_ ids: [Item.ID]) {
    for id in ids {
      heard[id] = nil
      gone.remove(id)
    }
  }
}
