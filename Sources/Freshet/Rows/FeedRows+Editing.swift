internal import FreshetLists
internal import struct Foundation.Date

// The edits of the user.
extension FeedRows {
  /// Applies an edit that is not sent to the source: it counts as if the source had answered it.
  ///
  /// - Returns: `nil` if an item to move is not in the list.
  mutating func apply(_ edit: LocalEdit, at now: Date) -> RowChange? {
    switch edit {
    case .insert(let item, let other): return insert(item, after: other, at: now)
    case .move(let id, let other): return move(id, after: other, at: now)
    case .remove(let id):
      if presentation.overlay.isPlaced(id) { presentation.overlay.edits.removeAll(of: id) }
      return remove(id, because: .edit, at: now)
    }
  }

  private mutating func insert(_ item: AnyItem, after other: RowID?, at now: Date) -> RowChange {
    let above = presentation.slot(behind: other, in: timeline)
    let order = timeline.order(of: item.id)
    let isApart = order.map { presentation.overlay.isApart($0, from: above) } ?? false
    return change(.edit, at: now) {
      let before = $0.timeline.content
      let edit = $0.timeline.put(
        item, at: before.index(behind: above.order), isRenewed: isApart)
      // It is directly after the other item, above the items that edits placed there.
      $0.presentation.overlay.rebind(
        behind: above.behind, from: above.order, to: item.id, edit, in: $0.timeline,
        from: before)
      return edit
    }
  }

  private mutating func move(_ id: RowID, after other: RowID?, at now: Date) -> RowChange? {
    guard let index = presentation.overlay.index(of: id, in: timeline),
      let item = presentation.overlay.rows[index].item
    else { return nil }
    guard presentation.overlay.isPlaced(id) else {
      return insert(timeline.item(id) ?? item, after: other, at: now)
    }
    // The item is being created: no answer has given it a position.
    guard other != id else { return nil }
    presentation.overlay.place(id, at: presentation.slot(behind: other, in: timeline))
    return change(.edit, at: now)
  }

  // MARK: - Edits that are sent to the source

  /// Shows an edit while it is sent.
  mutating func begin(
    _ edit: OptimisticEdit, token: Int, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    switch edit {
    case .update(let id, let change):
      return begin(.update(change), token, of: id, requests, at: now)
    case .delete(let id): return begin(.delete, token, of: id, requests, at: now)
    case .insert(let item, let other):
      let slot = presentation.slot(behind: other, in: timeline)
      presentation.overlay.edits.revive(item.id)
      presentation.overlay.place(item.id, at: slot)
      return begin(.put(item), token, of: item.id, isPlaced: true, requests, at: now)
    case .move(let id, let other):
      return begin(UnplacedMove(id: id, other: other), token: token, requests, at: now)
    }
  }

  private mutating func begin(
    _ edit: PendingEdits.Change, _ token: Int, of id: RowID, isPlaced: Bool = false,
    _ requests: RequestContext, at now: Date
  ) -> RowChange {
    let isNew = timeline.order(of: id) == nil && !presentation.overlay.edits.contains(id)
    presentation.overlay.edits.begin(
      PendingEdits.Edit(
        token: token, change: edit, isPlaced: isPlaced, makesItem: isPlaced && isNew,
        since: requests.newest, cause: .edit),
      of: id)
    return change(.edit, at: now)
  }

  /// Confirms an edit with the item as the source returned it; a created item may have a new id.
  ///
  /// - Returns: `nil` if the edit no longer exists.
  mutating func confirm(
    _ token: Int, as item: AnyItem?, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    unplacedMoves[token] = nil
    guard let (id, edit) = presentation.overlay.edits.edit(token) else { return nil }
    if edit.change.isDeletion {
      return confirmDeletion(token, of: id, because: .edit, requests, at: now)
    }
    return change(.edit, at: now) { rows in
      var removal = TimelineEdit()
      if edit.change.isMove {
        if let item, item.id == id, !rows.mayBeOlder(item, for: edit) {
          rows.presentation.overlay.edits.adopt(item, forMove: token)
        }
      } else if let item, edit.isPlaced || item.id == id && !rows.mayBeOlder(item, for: edit) {
        let made = rows.newest(item, for: edit)
        if item.id != id { removal = rows.removeNewsPlace(of: item.id) }
        rows.adopt(made, item.id, for: token, of: id)
      }
      rows.presentation.overlay.edits.confirm(token, after: requests.newest, until: nil)
      return removal
    }
  }

  /// Whether an event reported a different item while an update of it was in flight.
  ///
  /// The event or the answer may be the newer one (rule T3), so the update stays applied to the
  /// reported item.
  private func mayBeOlder(_ item: AnyItem, for edit: PendingEdits.Edit) -> Bool {
    edit.isOvertaken
      && item != presentation.overlay.edits.known(of: item.id, over: timeline.item(item.id))
  }

  /// Replaces a created item with the item that the source returned.
  private mutating func adopt(_ made: AnyItem, _ newID: RowID, for token: Int, of id: RowID) {
    let isAnswered = timeline.order(of: newID) != nil && newID != id
    presentation.overlay.edits.adopt(made, for: token, isAnswered: isAnswered)
    presentation.rename(id, to: newID)
    if displayed == id { displayed = newID }
    if reached == id { reached = newID }
  }

  /// Removes a created item from the position that news gave it.
  ///
  /// If the order of the list is unknown, the item stays where the user inserted it.
  private mutating func removeNewsPlace(of id: RowID) -> TimelineEdit {
    guard order == nil else { return TimelineEdit() }
    if presentation.overlay.isPlaced(id) { presentation.overlay.replaced.insert(id) }
    let isTold = timeline.order(of: id) != nil && !timeline.isProven(id)
    return isTold ? take(out: id) : TimelineEdit()
  }

  /// Returns the newest version of an item that the source returned for an edit (rule R2).
  ///
  /// The answer to an insertion has the first version of the item, so any other known version is
  /// newer. The answer to an update includes the update, which no other known version does.
  private func newest(_ item: AnyItem, for edit: PendingEdits.Edit) -> AnyItem {
    guard edit.makesItem else { return item }
    let known = presentation.overlay.edits.known(of: item.id, over: timeline.item(item.id))
    return known ?? unplacedNews[item.id]?.item ?? item
  }

  /// Removes an item that the source deleted of its own accord.
  mutating func delete(
    _ id: RowID, token: Int, _ requests: RequestContext, at now: Date
  ) -> RowChange {
    presentation.overlay.edits.begin(
      PendingEdits.Edit(token: token, change: .delete, since: requests.newest, cause: .event),
      of: id)
    return confirmDeletion(token, of: id, because: .event, requests, at: now)
  }

  /// Removes an item that the source deleted, and ignores it in answers for a while.
  private mutating func confirmDeletion(
    _ token: Int, of id: RowID, because cause: RowTrace.Cause, _ requests: RequestContext,
    at now: Date
  ) -> RowChange {
    unplacedNews[id] = nil
    presentation.overlay.edits.confirm(
      token, after: requests.newest, until: now.addingTimeInterval(requests.deletionHorizon.seconds)
    )
    return remove(id, because: cause, at: now)
  }

  /// Undoes one edit that the source rejected, and no other.
  mutating func undo(_ token: Int, at now: Date) -> RowChange {
    unplacedMoves[token] = nil
    presentation.overlay.edits.undo(token)
    return change(.edit, at: now)
  }
}
