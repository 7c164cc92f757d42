internal import FreshetLists
internal import struct Foundation.Date

// What the user edits.
extension FeedMachine {
  /// Puts an item behind another, or at the head; one with its id moves there.
  ///
  /// What the app says without telling a source counts as what the source said.
  mutating func insert(_ item: AnyItem, after other: RowID?, at now: Date) -> [Effect] {
    let above = presentation.slot(behind: other, in: timeline)
    let order = timeline.order(of: item.id)
    let isApart = order.map { presentation.overlay.isApart($0, from: above) } ?? false
    return edit(at: now) {
      let before = $0.timeline.content
      let edit = $0.timeline.put(
        item, at: before.index(behind: above.order), isRenewed: isApart)
      // It stands right behind the other one, above what edits put there.
      $0.presentation.overlay.rebind(
        behind: above.behind, from: above.order, to: item.id, edit, in: $0.timeline,
        from: before)
      return edit
    }
  }

  /// Takes an item out.
  mutating func remove(_ id: RowID, at now: Date) -> [Effect] {
    if presentation.overlay.isPlaced(id) { presentation.overlay.edits.removeAll(of: id) }
    return edit(removing: id, at: now)
  }

  /// Moves an item behind another, or to the head.
  mutating func move(_ id: RowID, after other: RowID?, at now: Date) -> [Effect] {
    guard let index = presentation.overlay.index(of: id, in: timeline),
      let item = presentation.overlay.rows[index].item
    else { return [] }
    guard presentation.overlay.isPlaced(id) else {
      return insert(timeline.item(id) ?? item, after: other, at: now)
    }
    // It is being made: no answer says where it stands.
    guard other != id else { return [] }
    presentation.overlay.place(id, at: presentation.slot(behind: other, in: timeline))
    return edit(at: now)
  }

  /// Takes an item out of the timeline, and lets what is on disk around it keep its neighbours.
  mutating func edit(
    removing id: RowID, because cause: RowTrace.Cause = .edit, at now: Date
  ) -> [Effect] {
    edit(because: cause, at: now) {
      $0.timeline.rebindEvicted(beside: id)
      return $0.timeline.remove(id)
    }
  }

  /// Changes the timeline or the edits over it, and shows and stores what that changed.
  mutating func edit(
    because cause: RowTrace.Cause = .edit, at now: Date,
    _ edit: (inout Self) -> TimelineEdit = { _ in TimelineEdit() }
  ) -> [Effect] {
    let change = change(cause, at: now, by: edit)
    // Rows that leave memory are a step of their own.
    var effects = publish(change)
    var rest: [[Effect]] = []
    if !change.edit.isEmpty { rest += [save(change), trim(at: now)] }
    // A load whose edge closed makes way for the answers behind it.
    rest.append(readAnswers())
    for more in rest where !more.isEmpty { effects += more }
    return effects
  }

  // MARK: - Edits that the source is told of

  /// Shows an item changed while the source is told.
  mutating func update(
    _ id: RowID, token: Int, at now: Date, by change: @escaping @Sendable (inout AnyItem) -> Void
  ) -> [Effect] {
    begin(.update(change), token, of: id, at: now)
  }

  /// Shows a new item while the source is told.
  mutating func insert(
    _ item: AnyItem, after other: RowID?, token: Int, at now: Date
  ) -> [Effect] {
    let slot = presentation.slot(behind: other, in: timeline)
    presentation.overlay.edits.revive(item.id)
    presentation.overlay.place(item.id, at: slot)
    return begin(.put(item), token, of: item.id, isPlaced: true, at: now)
  }

  /// Takes an item out while the source is told.
  mutating func delete(_ id: RowID, token: Int, at now: Date) -> [Effect] {
    begin(.delete, token, of: id, at: now)
  }

  private mutating func begin(
    _ change: PendingEdits.Change, _ token: Int, of id: RowID, isPlaced: Bool = false,
    at now: Date
  ) -> [Effect] {
    let isNew = timeline.order(of: id) == nil && !presentation.overlay.edits.contains(id)
    presentation.overlay.edits.begin(
      PendingEdits.Edit(
        token: token, change: change, isPlaced: isPlaced, makesItem: isPlaced && isNew,
        since: planner.lastRequest, cause: .edit),
      of: id)
    return edit(at: now)
  }

  /// The source took an edit, and says what its item is now: one that was made may have another id.
  mutating func confirm(_ token: Int, as item: AnyItem? = nil, at now: Date) -> [Effect] {
    guard let (id, edit) = presentation.overlay.edits.edit(token) else { return [] }
    var effects: [Effect] = []
    if edit.change.isDeletion {
      effects = confirmDeletion(token, of: id, at: now)
    } else {
      if let item, item.id == id || edit.isPlaced {
        let made = newest(item, for: edit)
        if item.id != id { effects = removeNewsPlace(of: item.id, at: now) }
        let isAnswered = timeline.order(of: item.id) != nil && item.id != id
        presentation.overlay.edits.adopt(made, for: token, isAnswered: isAnswered)
        presentation.rename(id, to: item.id)
        if displayed == id { displayed = item.id }
        if reached == id { reached = item.id }
      }
      presentation.overlay.edits.confirm(token, after: planner.lastRequest, until: nil)
      effects += self.edit(at: now)
    }
    return effects + settle(at: now)
  }

  /// Removes an item that was made here from the place that news gave it.
  ///
  /// In a list whose order is not known it stays where the user inserted it.
  private mutating func removeNewsPlace(of id: RowID, at now: Date) -> [Effect] {
    guard order == nil else { return [] }
    if presentation.overlay.isPlaced(id) { presentation.overlay.replaced.insert(id) }
    let isTold = timeline.order(of: id) != nil && !timeline.isProven(id)
    return isTold ? edit(removing: id, because: .event, at: now) : []
  }

  /// The newest of what the source says of an item that it names in answer to an edit (rule R2).
  ///
  /// An item that was made is named in its first version: whatever else is known of it is newer. In
  /// answer to an update it has the update in it, which nothing else is known to have.
  private func newest(_ item: AnyItem, for edit: PendingEdits.Edit) -> AnyItem {
    guard edit.makesItem else { return item }
    let known = presentation.overlay.edits.known(of: item.id, over: timeline.item(item.id))
    return known ?? unplacedNews[item.id]?.item ?? item
  }

  /// The source deleted an item: it is gone, and answers that still have it are not believed for a
  /// while.
  mutating func confirmDeletion(
    _ token: Int, of id: RowID, because cause: RowTrace.Cause = .edit, at now: Date
  ) -> [Effect] {
    unplacedNews[id] = nil
    presentation.overlay.edits.confirm(
      token, after: planner.lastRequest,
      until: now.addingTimeInterval(configuration.deletionHorizon.seconds))
    return edit(removing: id, because: cause, at: now)
  }

  /// The source did not take an edit: it is undone, and it alone.
  mutating func undo(_ token: Int, at now: Date) -> [Effect] {
    presentation.overlay.edits.undo(token)
    return edit(at: now)
  }

  /// Ends the edits that no answer can contradict any more: what they say counts as answered.
  mutating func settle(at now: Date) -> [Effect] {
    guard !isRestoring, !presentation.overlay.edits.isEmpty else { return [] }
    var (tokens, effects) = (settledEdits(at: now)[...], [Effect]())
    while let first = tokens.first {
      let cause = presentation.overlay.edits.edit(first)?.edit.cause ?? .edit
      effects += edit(because: cause, at: now) { $0.end(&tokens, until: cause) }
    }
    return effects
  }

  /// Ends edits up to the first that the timeline does not say yet: together they are one step.
  private mutating func end(
    _ tokens: inout ArraySlice<Int>, until cause: RowTrace.Cause
  ) -> TimelineEdit {
    while let token = tokens.first {
      if let edit = presentation.overlay.edits.edit(token)?.edit, edit.cause != cause { break }
      tokens.removeFirst()
      guard let (id, edit) = presentation.overlay.edits.end(token) else { continue }
      // It went since: what it was before is nothing to store.
      if presentation.overlay.edits.isDeleted(id, after: edit.takenAfter ?? 0) { continue }
      let answered = answer(edit, id)
      if !answered.isEmpty { return answered }
    }
    return TimelineEdit()
  }

  private mutating func settledEdits(at now: Date) -> [Int] {
    let oldest = planner.oldestRequest
    guard !timeline.evicted.runs.isEmpty else {
      return presentation.overlay.edits.settled(oldest: oldest, at: now, unless: nil)
    }
    // What is on disk does not know of an edit either.
    let timeline = timeline
    return presentation.overlay.edits.settled(
      oldest: oldest, at: now, unless: timeline.mayBeStored)
  }

  /// Puts into the timeline what an edit says.
  private mutating func answer(
    _ edit: PendingEdits.Edit, _ id: RowID
  ) -> TimelineEdit {
    switch edit.change {
    case .delete:
      timeline.rebindEvicted(beside: id)
      return timeline.remove(id)
    case .update(let change):
      if var item = timeline.item(id) {
        change(&item)
        return timeline.update(item)
      }
      // It belongs where nothing is loaded yet.
      if var item = unplacedNews[id]?.item {
        change(&item)
        unplacedNews[id]?.item = item
      }
      return TimelineEdit()
    case .put(let item):
      if edit.cause == .event, let order = order,
        edit.isPlaced || timeline.order(of: id) != nil
      {
        return answer(edit, item, by: order)
      }
      guard edit.isPlaced else { return timeline.update(item) }
      unplacedNews[id] = nil
      let slot = Overlay.InsertionPoint(order: presentation.overlay.places.slot(of: id), behind: id)
      return put(item, behind: slot)
    }
  }

  /// Puts news into the timeline where they belong by now: rows that came meanwhile may stand
  /// between them and their place, or that may not be loaded any more.
  private mutating func answer(
    _ edit: PendingEdits.Edit, _ item: AnyItem, by order: Timeline.Order
  ) -> TimelineEdit {
    guard let index = timeline.index(for: item, by: order) else {
      if mayStillCome(after: edit.since) {
        unplacedNews[item.id] = (item, edit.token, edit.since)
      }
      timeline.rebindEvicted(beside: item.id)
      return timeline.remove(item.id)
    }
    unplacedNews[item.id] = nil
    if index == timeline.index(of: item.id) { return timeline.update(item) }
    let own = Overlay.InsertionPoint(
      order: presentation.overlay.places.slot(of: item.id), behind: item.id)
    return put(
      item,
      behind: presentation.overlay.slot(for: item, before: index, in: timeline, by: order) ?? own)
  }

  /// Puts an item into the timeline, above what edits put further down between the same rows.
  private mutating func put(
    _ item: AnyItem, behind slot: Overlay.InsertionPoint
  ) -> TimelineEdit {
    let before = timeline.content
    let edit = timeline.put(item, at: before.index(behind: slot.order), isBetweenPages: true)
    presentation.overlay.rebind(
      behind: slot.behind, from: slot.order, to: item.id, edit, in: timeline, from: before)
    return edit
  }

  // MARK: - Rows that wait

  /// From now on rows that come at the head wait.
  mutating func holdNew() -> [Effect] {
    presentation.holdNew(in: timeline)
    return []
  }

  /// Shows the rows that waited.
  mutating func showNew() -> [Effect] {
    let before = presentation.snapshot
    let changes = presentation.showNew(in: timeline)
    return publish(show(changes, since: before, because: .event))
  }
}
