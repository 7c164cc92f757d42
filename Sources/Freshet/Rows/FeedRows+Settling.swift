internal import FreshetLists
internal import struct Foundation.Date

// Edits that no answer can contradict any more become evidence.
extension FeedRows {
  /// Returns the edits that no answer can contradict any more, in their order.
  mutating func settledEdits(_ requests: RequestContext, at now: Date) -> ArraySlice<Int> {
    if requests.isRestoring || presentation.overlay.edits.isEmpty { return [] }
    guard !timeline.evicted.runs.isEmpty else {
      return presentation.overlay.edits.settled(oldest: requests.oldest, at: now, unless: nil)[...]
    }
    // Rows on disk are older than an edit, too.
    let timeline = timeline
    return presentation.overlay.edits.settled(
      oldest: requests.oldest, at: now, unless: { timeline.mayBeStored($0) })[...]
  }

  /// Ends edits, up to and including the first that changes the timeline.
  ///
  /// The edits ended together are one step, and their results count as answered.
  mutating func settle(
    _ tokens: inout ArraySlice<Int>, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    guard let first = tokens.first else { return nil }
    let cause = presentation.overlay.edits.edit(first)?.edit.cause ?? .edit
    return change(cause, at: now) { $0.end(&tokens, until: cause, requests) }
  }

  private mutating func end(
    _ tokens: inout ArraySlice<Int>, until cause: RowTrace.Cause, _ requests: RequestContext
  ) -> TimelineEdit {
    while let token = tokens.first {
      if let edit = presentation.overlay.edits.edit(token)?.edit, edit.cause != cause { break }
      tokens.removeFirst()
      guard let (id, edit) = presentation.overlay.edits.end(token) else { continue }
      // The item was deleted since, so its earlier version is not stored.
      if presentation.overlay.edits.isDeleted(id, after: edit.takenAfter ?? 0) { continue }
      let answered = answer(edit, id, requests)
      if !answered.isEmpty { return answered }
    }
    return TimelineEdit()
  }

  /// Applies an edit to the timeline.
  private mutating func answer(
    _ edit: PendingEdits.Edit, _ id: RowID, _ requests: RequestContext
  ) -> TimelineEdit {
    switch edit.change {
    case .delete: return take(out: id)
    case .move(let moved):
      guard edit.isPlaced, let item = moved ?? timeline.item(id) else { return TimelineEdit() }
      let slot = Overlay.InsertionPoint(order: presentation.overlay.places.slot(of: id), behind: id)
      // Other items may be placed between its old row and the new one.
      return put(item, behind: slot, isRenewed: true)
    case .update(let change):
      if var item = timeline.item(id) {
        change(&item)
        return timeline.update(item)
      }
      // The position of the item is not loaded yet.
      if var item = unplacedNews[id]?.item {
        change(&item)
        unplacedNews[id]?.item = item
      }
      return TimelineEdit()
    case .put(let item):
      if edit.cause == .event, let order, edit.isPlaced || timeline.order(of: id) != nil {
        return answer(edit, item, by: order, requests)
      }
      guard edit.isPlaced else { return timeline.update(item) }
      unplacedNews[id] = nil
      let slot = Overlay.InsertionPoint(order: presentation.overlay.places.slot(of: id), behind: id)
      return put(item, behind: slot)
    }
  }

  /// Inserts an item that an event reported into the timeline, at its present position.
  ///
  /// Rows that arrived meanwhile may be between the item and its former position, or its position
  /// may no longer be loaded.
  private mutating func answer(
    _ edit: PendingEdits.Edit, _ item: AnyItem, by order: Timeline.Order, _ requests: RequestContext
  ) -> TimelineEdit {
    guard let index = timeline.index(for: item, by: order) else {
      if mayStillCome(after: edit.since, requests) {
        unplacedNews[item.id] = (item, edit.token, edit.since)
      }
      return take(out: item.id)
    }
    unplacedNews[item.id] = nil
    if index == timeline.index(of: item.id) { return timeline.update(item) }
    let own = Overlay.InsertionPoint(
      order: presentation.overlay.places.slot(of: item.id), behind: item.id)
    return put(
      item,
      behind: presentation.overlay.slot(for: item, before: index, in: timeline, by: order) ?? own)
  }

  /// Inserts an item into the timeline, above placed items further down between the same rows.
  private mutating func put(
    _ item: AnyItem, behind slot: Overlay.InsertionPoint, isRenewed: Bool = false
  ) -> TimelineEdit {
    let before = timeline.content
    let edit = timeline.put(
      item, at: before.index(behind: slot.order), isBetweenPages: true, isRenewed: isRenewed)
    presentation.overlay.rebind(
      behind: slot.behind, from: slot.order, to: item.id, edit, in: timeline, from: before)
    return edit
  }
}
