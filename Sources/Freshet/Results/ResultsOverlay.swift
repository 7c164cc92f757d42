internal import FreshetLists

/// Edits of live results that the store has not confirmed, shown over the items it has.
///
/// An edit that the store took is shown until the store has it in its own changes, so that nothing
/// flickers between the two; one that failed is undone alone (rule R6). The arrangement decides
/// where an edited item is shown.
struct ResultsOverlay: Sendable {
  /// What becomes of the items that are shown.
  struct Changes: Sendable {
    var upserted: [AnyItem] = []
    var removed: [RowID] = []
  }

  private var edits = PendingEdits()
  /// The edited items as the store has them.
  private var stored: [RowID: AnyItem] = [:]
  /// The edits that the store took and has not shown yet, in the order in which it took them.
  private var taken: [Int] = []

  /// The items with edits that the store has not taken yet.
  var pending: RowKeys { edits.undecided }

  /// Begins an edit.
  ///
  /// - Parameter item: the item as it is shown, if it is.
  mutating func begin(
    _ change: PendingEdits.Change, of id: RowID, token: Int, over item: AnyItem?
  ) -> Changes {
    if !edits.contains(id) { stored[id] = item }
    edits.begin(
      PendingEdits.Edit(token: token, change: change, since: 0, cause: .edit), of: id)
    return changes()
  }

  /// The store took an edit.
  ///
  /// - Parameters:
  ///   - item: the item as the store has it now, if it says so; one that was made may have another
  ///     id.
  ///   - other: the item that is shown under that id, if there is one.
  mutating func confirm(_ token: Int, as item: AnyItem?, over other: AnyItem?) -> Changes {
    guard let (id, edit) = edits.edit(token) else { return Changes() }
    if let item, !edit.change.isDeletion {
      if item.id != id, !edits.contains(item.id) { stored[item.id] = other }
      edits.adopt(item, for: token, isAnswered: false)
    }
    edits.confirm(token, after: 0, until: nil)
    taken.append(token)
    endShown()
    return changes()
  }

  /// Ends an edit: the store did not take it, or had its time to show it.
  mutating func end(_ token: Int) -> Changes {
    edits.undo(token)
    taken.removeAll { $0 == token }
    return changes()
  }

  /// Takes in what the store says, and returns it with the edits over it.
  mutating func receive(_ upserted: [AnyItem], _ removed: [RowID]) -> Changes {
    if edits.isEmpty { return Changes(upserted: upserted, removed: removed) }
    var changes = Changes()
    var edited: Set<RowID> = []
    for item in upserted {
      if edits.contains(item.id) {
        stored[item.id] = item
        edited.insert(item.id)
      } else {
        changes.upserted.append(item)
      }
    }
    for id in removed {
      if edits.contains(id) {
        stored[id] = nil
        edited.insert(id)
      } else {
        changes.removed.append(id)
      }
    }
    endShown()
    add(edited.union(edits.takeChanged()), to: &changes)
    return changes
  }

  /// Ends the edits that the store has in it by now, with those of the same item before them.
  private mutating func endShown() {
    while let last = taken.lastIndex(where: hasArrived), let id = edits.edit(taken[last])?.id {
      for token in taken[...last] where edits.edit(token)?.id == id { edits.undo(token) }
      taken.removeAll { edits.edit($0) == nil }
    }
  }

  /// Whether the store has an edit in what it says of the item.
  private func hasArrived(_ token: Int) -> Bool {
    guard let (id, edit) = edits.edit(token) else { return false }
    let item = stored[id]
    switch edit.change {
    case .delete: return item == nil
    case .put: return item != nil
    case .update: return item == nil || edit.change.applied(to: item) == item
    }
  }

  private mutating func changes() -> Changes {
    var changes = Changes()
    add(edits.takeChanged(), to: &changes)
    return changes
  }

  /// Adds items as they appear.
  private mutating func add(_ ids: Set<RowID>, to changes: inout Changes) {
    for id in ids {
      if let item = edits.appearance(of: id, over: stored[id]).item {
        changes.upserted.append(item)
      } else {
        changes.removed.append(id)
      }
      if !edits.contains(id) { stored[id] = nil }
    }
  }
}
