internal import FreshetLists
internal import struct Foundation.Date

// What the user edits.
extension FeedMachine {
  /// Puts an item behind another, or at the head; one with its id moves there.
  ///
  /// What the app says without telling a source counts as what the source said.
  mutating func insert(_ item: Item, after other: Item.ID?, at now: Date) -> [Effect] {
    let slot = other.flatMap { stages.overlay.slot(behind: $0, in: timeline) }
    let above = slot ?? stages.headSlot(in: timeline)
    return edit(at: now) {
      let before = $0.timeline.content
      let edit = $0.timeline.put(item, at: before.index(behind: above.order))
      // It stands right behind the other one, above what edits put there.
      $0.stages.overlay.rebind(
        behind: above.behind, from: above.order, to: item.id, edit, from: before)
      return edit
    }
  }

  /// Takes an item out.
  mutating func remove(_ id: Item.ID, at now: Date) -> [Effect] {
    if stages.overlay.isPlaced(id) { stages.overlay.edits.removeAll(of: id) }
    return edit(removing: id, at: now)
  }

  /// Moves an item behind another, or to the head.
  mutating func move(_ id: Item.ID, after other: Item.ID?, at now: Date) -> [Effect] {
    guard let index = stages.overlay.index(of: id, in: timeline),
      let item = stages.overlay.rows[index].item
    else { return [] }
    guard stages.overlay.isPlaced(id) else {
      return insert(timeline.item(id) ?? item, after: other, at: now)
    }
    return place(id, behind: other, at: now)
  }

  /// Says where an item stands that is being made.
  private mutating func place(
    _ id: Item.ID, behind other: Item.ID?, at now: Date
  ) -> [Effect] {
    guard other != id else { return [] }
    let slot = other.flatMap { stages.overlay.slot(behind: $0, in: timeline) }
    stages.overlay.place(id, at: slot ?? stages.headSlot(in: timeline))
    return edit(at: now)
  }

  /// Takes an item out of the timeline, and lets what is on disk around it keep its neighbours.
  private mutating func edit(
    removing id: Item.ID, because cause: RowTrace.Cause = .edit, at now: Date
  ) -> [Effect] {
    edit(because: cause, at: now) {
      $0.window.rebind(id, in: $0.timeline)
      return $0.timeline.remove(id)
    }
  }

  /// Changes the timeline or the edits over it, and shows and stores what that changed.
  private mutating func edit(
    because cause: RowTrace.Cause = .edit, at now: Date,
    _ edit: (inout Self) -> TimelineEdit<Item> = { _ in TimelineEdit() }
  ) -> [Effect] {
    let change = change(cause, at: now, by: edit)
    // Rows that leave memory are a step of their own.
    let published = publish(change)
    let saved = change.edit.isEmpty ? [] : save(change) + trim(at: now)
    // A load whose edge closed makes way for the answers behind it.
    return published + saved + readAnswers()
  }

  // MARK: - Edits that the source is told of

  /// Shows an item changed while the source is told.
  mutating func update(
    _ id: Item.ID, token: Int, at now: Date, by change: @escaping @Sendable (inout Item) -> Void
  ) -> [Effect] {
    begin(.update(change), token, of: id, at: now)
  }

  /// Shows a new item while the source is told.
  mutating func insert(
    _ item: Item, after other: Item.ID?, token: Int, at now: Date
  ) -> [Effect] {
    let slot = other.flatMap { stages.overlay.slot(behind: $0, in: timeline) }
    stages.overlay.edits.revive(item.id)
    stages.overlay.place(item.id, at: slot ?? stages.headSlot(in: timeline))
    return begin(.put(item), token, of: item.id, isPlaced: true, at: now)
  }

  /// Takes an item out while the source is told.
  mutating func delete(_ id: Item.ID, token: Int, at now: Date) -> [Effect] {
    begin(.delete, token, of: id, at: now)
  }

  private mutating func begin(
    _ change: PendingEdits<Item>.Change, _ token: Int, of id: Item.ID, isPlaced: Bool = false,
    at now: Date
  ) -> [Effect] {
    stages.overlay.edits.begin(
      PendingEdits.Edit(
        token: token, change: change, isPlaced: isPlaced, since: traffic.lastRequest, cause: .edit),
      of: id)
    return edit(at: now)
  }

  /// The source took an edit, and says what its item is now: one that was made may have another id.
  mutating func confirm(_ token: Int, as item: Item? = nil, at now: Date) -> [Effect] {
    guard let (id, edit) = stages.overlay.edits.edit(token) else { return [] }
    var effects: [Effect] = []
    if edit.change.isDeletion {
      effects = confirmDeletion(token, of: id, at: now)
    } else {
      if let item, item.id == id || edit.isPlaced {
        let isAnswered = timeline.order(of: item.id) != nil && item.id != id
        stages.overlay.edits.adopt(item, for: token, isAnswered: isAnswered)
        stages.rename(id, to: item.id)
        if reader.displayed == id { reader.displayed = item.id }
        if reader.reached == id { reader.reached = item.id }
      }
      stages.overlay.edits.confirm(token, after: traffic.lastRequest, until: nil)
      effects = self.edit(at: now)
    }
    return effects + settle(at: now)
  }

  /// The source deleted an item: it is gone, and answers that still have it are not believed for a while.
  private mutating func confirmDeletion(
    _ token: Int, of id: Item.ID, because cause: RowTrace.Cause = .edit, at now: Date
  ) -> [Effect] {
    unplacedNews[id] = nil
    stages.overlay.edits.confirm(
      token, after: traffic.lastRequest,
      until: now.addingTimeInterval(configuration.deletionHorizon.seconds))
    return edit(removing: id, because: cause, at: now)
  }

  /// The source did not take an edit: it is undone, and it alone.
  mutating func undo(_ token: Int, at now: Date) -> [Effect] {
    stages.overlay.edits.undo(token)
    return edit(at: now)
  }

  /// Ends the edits that no answer can contradict any more: what they say counts as answered.
  mutating func settle(at now: Date) -> [Effect] {
    guard !isRestoring, !stages.overlay.edits.isEmpty else { return [] }
    return settledEdits(at: now).reduce(into: []) { effects, token in
      let cause = stages.overlay.edits.edit(token)?.edit.cause ?? .edit
      effects += edit(because: cause, at: now) { machine in
        machine.stages.overlay.edits.end(token).map { machine.answer($1, $0) } ?? TimelineEdit()
      }
    }
  }

  /// The loads with an answer under way, or with one that was read and is not merged.
  private var asking: [Load] {
    loads.filter { (!$0.isPausing || $0.walk.run != nil) && $0.disk == nil }
  }

  private mutating func settledEdits(at now: Date) -> [Int] {
    let (timeline, window) = (timeline, window)
    // What is on disk does not know of an edit either.
    let isOnDisk: (Item.ID) -> Bool = { window.mayBeStored($0, beside: timeline) }
    return stages.overlay.edits.settled(
      oldest: asking.map(\.oldestRequest).min(), at: now,
      unless: window.unloaded.isEmpty ? nil : isOnDisk)
  }

  /// Puts into the timeline what an edit says.
  private mutating func answer(
    _ edit: PendingEdits<Item>.Edit, _ id: Item.ID
  ) -> TimelineEdit<Item> {
    switch edit.change {
    case .delete:
      window.rebind(id, in: timeline)
      return timeline.remove(id)
    case .update(let change):
      guard var item = timeline.item(id) else { return TimelineEdit() }
      change(&item)
      return timeline.update(item)
    case .put(let item):
      guard edit.isPlaced else { return timeline.update(item) }
      let (slot, before) = (stages.overlay.places.slot(of: id), timeline.content)
      let edit = timeline.put(item, at: before.index(behind: slot), isBetweenPages: true)
      stages.overlay.rebind(behind: id, from: slot, to: id, edit, from: before)
      return edit
    }
  }

  // MARK: - Rows that wait

  /// From now on rows that come at the head wait.
  mutating func holdNew() -> [Effect] {
    stages.holdNew(in: timeline)
    return []
  }

  /// Shows the rows that waited.
  mutating func showNew() -> [Effect] {
    let before = stages.snapshot
    let changes = stages.showNew(in: timeline)
    return publish(show(changes, since: before, because: .event))
  }

  // MARK: - News

  /// The source says by itself what changed.
  ///
  /// Answers that were asked for before do not undo it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
  mutating func follow(
    _ event: FeedEvent<Item>, token: Int, after request: Int? = nil, at now: Date
  ) -> [Effect] {
    guard !isRestoring else {
      restoring?.news.append((event, token))
      return []
    }
    switch event {
    case .invalidate: return load(.refresh)
    case .insert(let item), .upsert(let item):
      let isNew = if case .insert = event { true } else { false }
      stages.overlay.edits.revive(item.id)
      let effects = show(
        news: item, token: token, after: request ?? traffic.lastRequest, isNew: isNew, at: now)
      return effects + settle(at: now)
    case .delete(let id):
      stages.overlay.edits.begin(
        PendingEdits.Edit(token: token, change: .delete, since: traffic.lastRequest, cause: .event),
        of: id)
      return confirmDeletion(token, of: id, because: .event, at: now) + settle(at: now)
    }
  }

  /// The source says what an item is: it is shown where it belongs, if that is loaded.
  private mutating func show(
    news item: Item, token: Int, after request: Int, isNew: Bool, at now: Date
  ) -> [Effect] {
    let (id, isKnown) = (item.id, timeline.order(of: item.id) != nil)
    let isPlaced = stages.overlay.isPlaced(id)
    let mayBeStored = !isNew && window.mayBeStored(id, beside: timeline)
    if !isKnown, mayBeStored, !stages.overlay.edits.contains(id), setup.order == nil {
      // Its older version on disk is read with this one over it.
      return note(item, token, after: request, at: now)
    }
    let place = place(for: item)
    unplacedNews[id] = place == nil && !isPlaced ? (item, token, request) : nil
    if isKnown || isPlaced {
      let moves = setup.order != nil && place != timeline.index(of: id)
      // What is being made here is there: no failure of the edit takes it away.
      guard moves else { return note(item, token, after: request, isPlaced: !isKnown, at: now) }
      guard let place else {
        return edit(removing: id, because: .event, at: now)
          + note(item, token, after: request, at: now)
      }
      return note(item, token, after: request, before: place, at: now)
    }
    return place.map { note(item, token, after: request, before: $0, at: now) } ?? []
  }

  /// Shows what the source says of an item by itself, before the row of the timeline at an index where it
  /// does not stand yet.
  private mutating func note(
    _ item: Item, _ token: Int, after request: Int, before index: Int? = nil,
    isPlaced: Bool = false, at now: Date
  ) -> [Effect] {
    if !isPlaced, isUncontested(item.id, since: request) {
      return edit(because: .event, at: now) { machine in
        guard let index else { return machine.timeline.update(item) }
        return machine.timeline.put(item, at: index, isBetweenPages: true)
      }
    }
    if let index {
      let above = index > 0 ? timeline.content.orders[index - 1] : .min
      stages.overlay.place(item.id, at: Overlay<Item>.Slot(order: above))
    }
    stages.overlay.edits.begin(
      news: item, token: token, since: request, isPlaced: isPlaced || index != nil)
    stages.overlay.edits.confirm(token, after: request, until: nil)
    return edit(because: .event, at: now)
  }

  /// Whether news of an item count as answered at once: no answer under way and nothing on disk may say
  /// otherwise, and no edit of it is pending, nor one that put an item somewhere.
  private func isUncontested(_ id: Item.ID, since request: Int) -> Bool {
    !stages.overlay.edits.contains(id) && stages.overlay.places.isEmpty
      && !window.mayBeStored(id, beside: timeline)
      && asking.allSatisfy { $0.oldestRequest > request }
  }

  /// Where an item belongs, as far as that is loaded: at the head where no order is known.
  private func place(for item: Item) -> Int? {
    if let order = setup.order { return timeline.index(for: item, by: order) }
    let mayBeMiddle = timeline.head == .open || timeline.head == .unknown && setup.start != nil
    return timeline.index(of: item.id) ?? (mayBeMiddle ? nil : 0)
  }

  /// Shows the items that belong where rows are loaded by now.
  ///
  /// - Parameter request: the oldest request behind the rows that came: one that was made after the
  ///   news knows better whether the item is there and what it is.
  mutating func passFrontier(_ request: Int, at now: Date) -> [Effect] {
    var effects: [Effect] = []
    for (id, news) in unplacedNews.sorted(by: { $0.value.token < $1.value.token })
    where timeline.index(of: id) != nil || place(for: news.item) != nil {
      unplacedNews[id] = nil
      if request <= news.request {
        effects += follow(.upsert(news.item), token: news.token, after: news.request, at: now)
      }
    }
    return effects
  }
}
