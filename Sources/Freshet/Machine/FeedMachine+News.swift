internal import FreshetLists
internal import struct Foundation.Date

// What the source says by itself.
extension FeedMachine {
  /// The source says by itself what changed.
  ///
  /// Answers that were asked for before do not undo it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
  mutating func follow(
    _ event: FeedEvent<AnyItem>, token: Int, after request: Int? = nil, at now: Date
  ) -> [Effect] {
    guard !isRestoring else {
      let request = request ?? planner.lastRequest
      restoring?.news.append((event, token, request))
      return []
    }
    switch event {
    case .invalidate:
      planner.markChanged(after: request)
      return load(.refresh)
    case .insert(let item), .upsert(let item):
      let isNew = if case .insert = event { true } else { false }
      if presentation.overlay.edits.contains(item.id) {
        // The answer of a deletion overtakes news on another way.
        if !isNew, presentation.overlay.edits.isJustDeleted(item.id, at: now) { return [] }
        presentation.overlay.edits.revive(item.id)
      }
      let keys = timeline.isSorted ? forgetKeys(around: item, at: now) : []
      var effects = show(
        news: item, token: token, after: request ?? planner.lastRequest, isNew: isNew, at: now)
      if !keys.isEmpty { effects = keys + effects }
      return keys.isEmpty && presentation.overlay.edits.isEmpty
        ? effects : effects + settle(at: now)
    case .delete(let id):
      presentation.overlay.edits.begin(
        PendingEdits.Edit(token: token, change: .delete, since: planner.lastRequest, cause: .event),
        of: id)
      return confirmDeletion(token, of: id, because: .event, at: now) + settle(at: now)
    }
  }

  /// The source says what an item is: it is shown where it belongs, if that is loaded.
  private mutating func show(
    news item: AnyItem, token: Int, after request: Int, isNew: Bool, at now: Date
  ) -> [Effect] {
    let (id, isKnown) = (item.id, timeline.order(of: item.id) != nil)
    // What is being made here is there: no failure of the edit takes it away.
    let isMade = presentation.overlay.edits.isMaking(id)
    let isPlaced = isMade || presentation.overlay.isPlaced(id)
    let mayBeStored = !isNew && timeline.mayBeStored(id)
    if !isKnown, mayBeStored, !presentation.overlay.edits.contains(id), order == nil {
      // Its older version on disk is read with this one over it.
      return show(item, token, after: request, at: now)
    }
    let place = place(for: item)
    let stays = isMade || isPlaced && order == nil
    if place == nil, !stays, mayStillCome(after: request) {
      unplacedNews[id] = (item, token, request)
    } else if !unplacedNews.isEmpty {
      unplacedNews[id] = nil
    }
    if isKnown || isPlaced {
      guard moves(item, to: place), !(isMade && place == nil) else {
        return show(item, token, after: request, isPlaced: !isKnown, isNew: isNew, at: now)
      }
      guard let place else {
        // It belongs where nothing is loaded.
        presentation.overlay.edits.removeTaken(of: id)
        return edit(removing: id, because: .event, at: now)
          + show(item, token, after: request, isNew: isNew, at: now)
      }
      return show(item, token, after: request, before: place, isNew: isNew, at: now)
    }
    if let place {
      return show(item, token, after: request, before: place, isNew: isNew, at: now)
    }
    // An older answer that has it shows it as it is now.
    guard presentation.overlay.edits.contains(id) else { return [] }
    return show(item, token, after: request, isNew: isNew, at: now)
  }

  /// Forgets the keys that may lead past an item, in a list whose order is known.
  private mutating func forgetKeys(around item: AnyItem, at now: Date) -> [Effect] {
    guard let order = order else { return [] }
    let keys = timeline.inexactKeys(around: item, by: order)
    if keys.next.isEmpty, keys.previous.isEmpty { return [] }
    let change = change(.event, at: now) { machine in
      var edit = TimelineEdit()
      for id in keys.next { machine.timeline.mark(id, &edit) { $0.next = nil } }
      for id in keys.previous { machine.timeline.mark(id, &edit) { $0.previous = nil } }
      return edit
    }
    return publish(change) + save(change)
  }

  /// Shows what the source says of an item by itself, before the row of the timeline at an index
  /// where it does not stand yet.
  private mutating func show(
    _ item: AnyItem, _ token: Int, after request: Int, before index: Int? = nil,
    isPlaced: Bool = false, isNew: Bool = false, at now: Date
  ) -> [Effect] {
    if !isPlaced, isUncontested(item.id, since: request),
      index == nil || presentation.overlay.places.isEmpty
    {
      return edit(because: .event, at: now) { machine in
        guard let index else { return machine.timeline.update(item) }
        return machine.timeline.put(item, at: index, isBetweenPages: true)
      }
    }
    if let index, let slot = slot(for: item, before: index) {
      presentation.overlay.place(item.id, at: slot)
    }
    presentation.overlay.edits.begin(
      news: item, token: token, since: request, isPlaced: isPlaced || index != nil, isNew: isNew)
    presentation.overlay.edits.confirm(token, after: request, until: nil)
    return edit(because: .event, at: now)
  }

  /// Whether an item that is shown leaves its place for the one where it belongs.
  private func moves(_ item: AnyItem, to place: Int?) -> Bool {
    guard let order = order else { return false }
    guard let place, place == timeline.index(of: item.id) else {
      return place != timeline.index(of: item.id)
    }
    return presentation.overlay.isPlaced(item.id)
      || presentation.overlay.side(of: item, at: place, in: timeline, by: order) != nil
  }

  /// The place of an item above a row of the timeline, among those that edits put there; `nil`
  /// where it stands there already.
  private func slot(for item: AnyItem, before index: Int) -> Overlay.InsertionPoint? {
    guard let order = order else {
      return Overlay.InsertionPoint(order: index > 0 ? timeline.content.orders[index - 1] : .min)
    }
    let isOwn = index == timeline.index(of: item.id)
    let side = isOwn ? presentation.overlay.side(of: item, at: index, in: timeline, by: order) : nil
    return presentation.overlay.slot(
      for: item, before: side == .below ? index + 1 : index, in: timeline, by: order)
  }

  /// Whether news of an item count as answered at once: no answer under way and nothing on disk may
  /// say otherwise, and no edit of it is pending.
  private func isUncontested(_ id: RowID, since request: Int) -> Bool {
    !presentation.overlay.edits.contains(id)
      && !timeline.mayBeStored(id)
      && planner.oldestRequest.map { $0 > request } ?? true
  }

  /// Where an item belongs, as far as that is loaded: at the head where no order is known.
  private func place(for item: AnyItem) -> Int? {
    if let order = order { return timeline.index(for: item, by: order) }
    let mayBeMiddle = timeline.head == .open || timeline.head == .unknown && planner.start != nil
    return timeline.index(of: item.id) ?? (mayBeMiddle ? nil : 0)
  }

  /// Shows the items that belong where rows are loaded by now.
  ///
  /// - Parameters:
  ///   - request: the oldest request behind the rows that came: one that was made after the news
  ///     knows better whether the item is there.
  ///   - run: the rows: one whose own request was made after its news is what it is now.
  mutating func passFrontier(
    _ request: Int, by run: Run? = nil, at now: Date
  ) -> [Effect] {
    if unplacedNews.isEmpty { return [] }
    var effects: [Effect] = []
    let requests = run.map { run in
      Dictionary(zip(run.items.lazy.map(\.id), run.requests)) { $1 }
    }
    for (id, news) in unplacedNews.sorted(by: { $0.value.token < $1.value.token })
    where timeline.index(of: id) != nil || place(for: news.item) != nil {
      unplacedNews[id] = nil
      // The source may have taken edits of it since.
      let edits = presentation.overlay.edits
      guard request <= news.request, requests?[id] ?? 0 <= news.request,
        let item = edits.known(of: id, over: news.item)
      else { continue }
      effects += follow(
        .upsert(item), token: news.token, after: max(news.request, edits.lastTaken(of: id) ?? 0),
        at: now)
    }
    // What was asked for since knows them: only those are kept that something older may still lead
    // to.
    if !unplacedNews.isEmpty {
      unplacedNews = unplacedNews.filter { mayStillCome(after: $0.value.request) }
    }
    return effects
  }

  /// Puts the items where they belong that answers showed not to be where edits had put them.
  mutating func placeMisplaced(at now: Date) -> [Effect] {
    if misplaced.isEmpty { return [] }
    var effects: [Effect] = []
    let items = misplaced
    misplaced = []
    for item in items
    where timeline.order(of: item.id) == nil && !presentation.overlay.edits.contains(item.id) {
      effects += forgetKeys(around: item, at: now)
      guard let place = place(for: item) else { continue }
      effects += edit(because: .event, at: now) {
        $0.timeline.put(item, at: place, isBetweenPages: true)
      }
    }
    return effects
  }

  /// Whether rows may still come that do not know what the source said after a request: an answer
  /// that was asked for before, the answer of an edit, or what is on disk.
  func mayStillCome(after request: Int) -> Bool {
    isRestoring || !timeline.evicted.runs.isEmpty || presentation.overlay.edits.isMaking
      || planner.hasAsked(by: request)
  }
}
