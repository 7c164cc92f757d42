internal import FreshetLists

/// The edits of live results that the store has not confirmed, applied to the store's items.
///
/// An edit that the store took is shown until the store reports it among its own changes, so that
/// nothing flickers in between. An edit that failed is undone without affecting others (rule R6).
/// The arrangement decides where an edited item is shown.
struct ResultsOverlay: Sendable {
  /// The items to show, and those to hide.
  struct Changes: Sendable {
    var upserted: [AnyItem] = []
    var removed: [RowID] = []
  }

  /// An edit that the store took and has not reported yet.
  private struct Taken {
    let token: Int
    /// Whether the item did not exist when the store took the edit.
    ///
    /// If so, any version that the store reports includes the edit.
    let isCreation: Bool
  }

  private var edits = PendingEdits()
  /// The store's versions of the edited items.
  private var stored: [RowID: AnyItem] = [:]
  /// The edits that the store took, by item, in their order.
  private var taken: [RowID: [Taken]] = [:]

  /// The items with edits that the store has not taken yet.
  var pending: RowKeys { edits.undecided }
  /// The ids of the store's items that are edited, shown or hidden.
  var storedIDs: Dictionary<RowID, AnyItem>.Keys { stored.keys }

  /// Begins an edit.
  ///
  /// - Parameter item: the item on display, if there is one.
  mutating func begin(
    _ change: PendingEdits.Change, of id: RowID, token: Int, over item: AnyItem?
  ) -> Changes {
    if !edits.contains(id) { stored[id] = item }
    edits.begin(
      PendingEdits.Edit(token: token, change: change, since: 0, cause: .edit), of: id)
    return changes()
  }

  /// Confirms an edit that the store took.
  ///
  /// - Parameters:
  ///   - item: the store's version of the item, if it returned one. A created item may have
  ///     another id. For an update, an item with another id is ignored.
  ///   - other: the item on display under that id, if there is one.
  /// - Returns: the items to show and to hide, and the earlier id of the item if its id changed.
  mutating func confirm(
    _ token: Int, as item: AnyItem?, over other: AnyItem?
  ) -> (changes: Changes, renamed: RowID?) {
    guard let (id, edit) = edits.edit(token) else { return (Changes(), nil) }
    var current = id
    if let item, !edit.change.isDeletion, item.id == id || edit.change.isCreation {
      if item.id != id {
        if !edits.contains(item.id) { stored[item.id] = other }
        taken[item.id, default: []] += taken.removeValue(forKey: id) ?? []
      }
      edits.adopt(item, for: token, isAnswered: false)
      current = item.id
    }
    edits.confirm(token, after: 0, until: nil)
    let isCreation = edit.change.isCreation && stored[current] == nil
    taken[current, default: []].append(Taken(token: token, isCreation: isCreation))
    endReported(of: current)
    return (changes(), current == id ? nil : id)
  }

  /// Undoes an edit that the store did not take, or did not report in time.
  mutating func undo(_ token: Int) -> Changes {
    if let id = edits.edit(token)?.id { forget([token], of: id) }
    return changes()
  }

  /// Accepts an edit as final, together with earlier edits of the item that the store took.
  ///
  /// It is for edits that no running query could report.
  mutating func settle(_ token: Int) -> Changes {
    guard let id = edits.edit(token)?.id, let all = taken[id],
      let last = all.firstIndex(where: { $0.token == token })
    else { return Changes() }
    let settled = all[...last].map(\.token)
    stored[id] = folded(settled, of: id)
    forget(settled, of: id)
    return changes()
  }

  /// Applies changes of the store, and returns them with the edits applied.
  ///
  /// - Parameter includesTaken: whether the changes include the edits that the store took.
  mutating func receive(
    _ upserted: [AnyItem], _ removed: [RowID], includesTaken: Bool = false
  ) -> Changes {
    if edits.isEmpty { return Changes(upserted: upserted, removed: removed) }
    var changes = Changes()
    var edited: Set<RowID> = []
    for item in upserted {
      guard edits.contains(item.id) else {
        changes.upserted.append(item)
        continue
      }
      stored[item.id] = item
      edited.insert(item.id)
    }
    for id in removed {
      guard edits.contains(id) else {
        changes.removed.append(id)
        continue
      }
      stored[id] = nil
      edited.insert(id)
    }
    for id in edited {
      if includesTaken, let all = taken[id] { forget(all.map(\.token), of: id) }
      endReported(of: id)
    }
    add(edited.union(edits.takeChanged()), to: &changes)
    return changes
  }

  /// Returns an edit that is on display.
  func edit(_ token: Int) -> (id: RowID, edit: PendingEdits.Edit)? { edits.edit(token) }

  /// Returns whether an item has edits that the store has not reported.
  func isEdited(_ id: RowID) -> Bool { edits.contains(id) }

  /// Returns an item as the store reported it last.
  ///
  /// - Parameter shown: the item as it is shown.
  func reported(_ id: RowID, as shown: AnyItem?) -> AnyItem? {
    edits.contains(id) ? stored[id] : shown
  }

  /// Returns an item without the edits that its source has not confirmed.
  ///
  /// - Parameter shown: the item as it is shown.
  func known(_ id: RowID, as shown: AnyItem?) -> AnyItem? {
    edits.contains(id) ? folded((taken[id] ?? []).map(\.token), of: id) : shown
  }

  /// Ends the edits of an item that the store took, once the store's version includes all of them.
  ///
  /// They are judged together, because one alone may change nothing or undo another one.
  private mutating func endReported(of id: RowID) {
    guard let all = taken[id] else { return }
    // Any version of a created item includes the edits up to its creation.
    let made = stored[id] == nil ? nil : all.lastIndex(where: \.isCreation)
    let rest = all[(made.map { $0 + 1 } ?? 0)...].map(\.token)
    if folded(rest, of: id) == stored[id] {
      forget(all.map(\.token), of: id)
    } else if let made {
      forget(all[...made].map(\.token), of: id)
    }
  }

  /// Returns the result of applying edits to an item of the store.
  private func folded(_ tokens: [Int], of id: RowID) -> AnyItem? {
    tokens.reduce(stored[id]) { item, token in
      edits.edit(token).map { $0.edit.change.applied(to: item) } ?? item
    }
  }

  private mutating func forget(_ tokens: [Int], of id: RowID) {
    for token in tokens { edits.undo(token) }
    taken[id]?.removeAll { tokens.contains($0.token) }
    if taken[id]?.isEmpty == true { taken[id] = nil }
  }

  private mutating func changes() -> Changes {
    var changes = Changes()
    add(edits.takeChanged(), to: &changes)
    return changes
  }

  /// Adds items as they are shown.
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

extension PendingEdits.Change {
  /// Whether the change sets the whole item, regardless of its earlier value.
  fileprivate var isCreation: Bool { if case .put = self { true } else { false } }
}
