internal import FreshetLists

/// The edits of a draft, and what its store says of their items.
struct DraftEdits<Item: ListItem, Request: Sendable>: Sendable {
  fileprivate struct Edit: Sendable {
    /// What the store had when the item was edited first, as far as that is known.
    enum Base: Equatable { case absent, item(Item), unknown }

    var base: Base
    /// What the item is; `nil` where it goes.
    var item: Item?
    var revision: Int

    var kind: ChangeKind { item == nil ? .delete : base == .absent ? .insert : .update }
    /// Whether it came here and went here: the store needs no deletion.
    var isVoid: Bool { base == .absent && item == nil }
  }

  /// Edits that are being written.
  struct Commit: Sendable {
    fileprivate let number: Int
    fileprivate let edits: [Item.ID: Edit]
    fileprivate let revision: Int

    /// The edits, in their order.
    var changes: ChangeBatch<Item> { DraftEdits.batch(edits) }
  }

  private var edits: [Item.ID: Edit] = [:]
  private var queries: [Int: DraftQuery<Item, Request>] = [:]
  /// The ids of the edits that are being written: by now the store may have them.
  private var writing: [Int: Set<Item.ID>] = [:]
  private var lastNumber = 0
  private var lastRevision = 0

  /// The edits, in their order.
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

  /// Shows items as they are edited, all at once.
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

  /// What the store has where an item is edited for the first time: what a query found there, for
  /// an insertion too.
  private func base(of change: ChangeBatch<Item>.Change) -> Edit.Base {
    let known = queries.values.lazy.compactMap { $0.items[change.id] }.first
    return known.map(Edit.Base.item) ?? (change.kind == .insert ? .absent : .unknown)
  }

  /// Forgets the edits: what the store has is shown again.
  mutating func discard() { forget(Array(edits.keys)) }

  private mutating func forget(
    _ ids: [Item.ID], showing others: ChangeBatch<Item> = ChangeBatch()
  ) {
    for id in ids { edits[id] = nil }
    for number in queries.keys { queries[number]?.show(others, storedItems: ids) }
  }

  /// Whether an item came and went here, and cannot have come to the store.
  private func isDone(_ edit: Edit, _ id: Item.ID) -> Bool {
    edit.isVoid && !writing.values.contains { $0.contains(id) }
  }

  // MARK: - Writing

  /// The edits so far are written now.
  mutating func beginCommit() -> Commit {
    lastRevision += 1
    lastNumber += 1
    writing[lastNumber] = Set(edits.keys)
    return Commit(number: lastNumber, edits: edits, revision: lastRevision)
  }

  /// Edits are written, or could not be: what was edited meanwhile is an edit of what was written.
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

  // MARK: - What the store says

  /// A query runs; it is told of the edits with the first that the store says.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - isIncluded: whether it asks for an item.
  mutating func add(
    _ query: DataStoreQuery<Item, Request>, asking isIncluded: @escaping @Sendable (Item) -> Bool
  ) -> Int {
    lastNumber += 1
    queries[lastNumber] = DraftQuery(query: query, isIncluded: isIncluded)
    return lastNumber
  }

  mutating func remove(_ number: Int) { queries[number] = nil }

  /// How many written items await a word of the store, for each query.
  var unsaid: [Int] { queries.values.map(\.unsaid.count) }

  /// The store says what changed: edited items stay as they are shown.
  ///
  /// - Parameters:
  ///   - changes: what changed.
  ///   - isComplete: whether all that there was is among it, or was before.
  ///   - number: the query.
  mutating func receive(_ changes: ChangeBatch<Item>, isComplete: Bool, for number: Int) {
    guard queries[number] != nil else { return }
    let edits = edits
    var shown = ChangeBatch<Item>()
    for change in changes.all {
      if edits[change.id] == nil {
        queries[number]?.hear(change)
        shown.add(change)
      } else {
        lastRevision += 1
        queries[number]?.hear(change, at: lastRevision)
      }
    }
    queries[number]?.tell(
      shown, with: Self.batch(edits), begins: !changes.isEmpty || isComplete)
  }
}

/// A query that runs on a draft, and what the store says to it.
private struct DraftQuery<Item: ListItem, Request: Sendable>: Sendable {
  let query: DataStoreQuery<Item, Request>
  let isIncluded: @Sendable (Item) -> Bool
  /// What the store says; nothing of an item that the query does not ask for.
  private(set) var items: [Item.ID: Item] = [:]
  /// When the store last said something of an item that is edited.
  private var heard: [Item.ID: Int] = [:]
  /// The edited items that the query had, and that went.
  private var gone: Set<Item.ID> = []
  /// The items that were written, and of which the store said nothing since: it may say that the
  /// query does not ask for them.
  private(set) var unsaid: Set<Item.ID> = []
  /// Whether the store said anything: before that nothing is shown, which would take the place of
  /// what an earlier request found.
  private var hasBegun = false

  init(
    query: DataStoreQuery<Item, Request>, isIncluded: @escaping @Sendable (Item) -> Bool
  ) {
    self.query = query
    self.isIncluded = isIncluded
  }

  /// Shows what the store says of items that are not edited, and the first time all edits with it.
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

  /// Whether an item changed in the store since it was edited; a query that never had it does not
  /// know.
  func contradicts(_ original: Item, _ id: Item.ID) -> Bool {
    if unsaid.contains(id) { return false }
    return items[id].map { $0 != original } ?? gone.contains(id)
  }

  /// The store says something of an item that is not edited.
  mutating func hear(_ change: ChangeBatch<Item>.Change) {
    items[change.id] = change.item
    unsaid.remove(change.id)
  }

  /// The store says something of an item that is edited.
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

  /// An edit is written: what the store said of its item meanwhile counts, else what it will say.
  ///
  /// - Returns: whether what the store said is to be shown.
  mutating func wrote(
    _ id: Item.ID, _ item: Item?, since revision: Int, isEdited: Bool
  ) -> Bool {
    gone.remove(id)
    let isHeard = heard[id].map { $0 > revision } ?? false
    if !isHeard {
      let wanted = item.flatMap { isIncluded($0) ? $0 : nil }
      // Of an item that it neither had nor asks for, nothing will be said.
      if items[id] != nil || wanted != nil { unsaid.insert(id) }
      items[id] = wanted
    }
    if !isEdited { forget([id]) }
    return isHeard && !isEdited
  }

  /// Shows edits of the items that it asks for, and what the store has of others, as one batch.
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
