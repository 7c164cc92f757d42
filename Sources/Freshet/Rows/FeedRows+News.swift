internal import FreshetLists
internal import struct Foundation.Date

// What the source says by itself.
extension FeedRows {
  /// Whether the source just deleted an item in answer to an edit: the answer overtook what it says
  /// of the item by itself.
  func isJustDeleted(_ id: RowID, at now: Date) -> Bool {
    let isEdited = presentation.overlay.edits.contains(id)
    return isEdited && presentation.overlay.edits.isJustDeleted(id, at: now)
  }

  /// Forgets the keys that may lead past an item, in a list whose order is known.
  mutating func forgetKeys(around item: AnyItem, at now: Date) -> RowChange? {
    guard let order else { return nil }
    let keys = timeline.inexactKeys(around: item, by: order)
    if keys.next.isEmpty, keys.previous.isEmpty { return nil }
    return change(.event, at: now) { rows in
      var edit = TimelineEdit()
      for id in keys.next { rows.timeline.mark(id, &edit) { $0.next = nil } }
      for id in keys.previous { rows.timeline.mark(id, &edit) { $0.previous = nil } }
      return edit
    }
  }

  /// The source says what an item is: it is shown where it belongs, if that is loaded.
  ///
  /// - Parameter isNew: whether it says that it is a new one.
  /// - Returns: `nil` where nothing is shown of it.
  mutating func show(
    _ news: News, isNew: Bool, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    let (item, id, isKnown) = (news.item, news.item.id, timeline.order(of: news.item.id) != nil)
    // It is there: a confirmed deletion of it is undone.
    if presentation.overlay.edits.contains(id) { presentation.overlay.edits.revive(id) }
    let isEdited = presentation.overlay.edits.contains(id)
    // What is being made here is there: no failure of the edit takes it away.
    let isMade = isEdited && presentation.overlay.edits.isMaking(id)
    let isPlaced = isMade || presentation.overlay.isPlaced(id)
    let mayBeStored = !isNew && timeline.mayBeStored(id)
    if !isKnown, mayBeStored, !isEdited, order == nil {
      // Its older version on disk is read with this one over it.
      return put(news, isNew: false, requests, at: now)
    }
    let place = place(for: item, requests)
    let stays = isMade || isPlaced && order == nil
    if place == nil, !stays, mayStillCome(after: news.request, requests) {
      unplacedNews[id] = news
    } else if !unplacedNews.isEmpty {
      unplacedNews[id] = nil
    }
    guard isKnown || isPlaced else {
      // An older answer that has it shows it as it is now.
      guard place != nil || isEdited else { return nil }
      return put(news, before: place, isNew: isNew, requests, at: now)
    }
    guard moves(item, to: place), !(isMade && place == nil) else {
      return put(news, isPlaced: !isKnown, isNew: isNew, requests, at: now)
    }
    guard place == nil else { return put(news, before: place, isNew: isNew, requests, at: now) }
    // It belongs where nothing is loaded.
    presentation.overlay.edits.removeTaken(of: id)
    return change(.event, at: now) { rows in
      let edit = rows.take(out: id)
      if !rows.isUncontested(id, since: news.request, requests) {
        rows.begin(news, isPlaced: false, isNew: isNew)
      }
      return edit
    }
  }

  /// Shows what the source says of an item by itself, before the row of the timeline at an index
  /// where it does not stand yet.
  private mutating func put(
    _ news: News, before index: Int? = nil, isPlaced: Bool = false, isNew: Bool,
    _ requests: RequestContext, at now: Date
  ) -> RowChange {
    let item = news.item
    if !isPlaced, isUncontested(item.id, since: news.request, requests),
      index == nil || presentation.overlay.places.isEmpty
    {
      return change(.event, at: now) { rows in
        guard let index else { return rows.timeline.update(item) }
        return rows.timeline.put(item, at: index, isBetweenPages: true)
      }
    }
    if let index, let slot = slot(for: item, before: index) {
      presentation.overlay.place(item.id, at: slot)
    }
    begin(news, isPlaced: isPlaced || index != nil, isNew: isNew)
    return change(.event, at: now)
  }

  /// News count as an edit that the source took, until no answer can say otherwise.
  private mutating func begin(_ news: News, isPlaced: Bool, isNew: Bool) {
    presentation.overlay.edits.begin(
      news: news.item, token: news.token, since: news.request, isPlaced: isPlaced, isNew: isNew)
    presentation.overlay.edits.confirm(news.token, after: news.request, until: nil)
  }

  /// Whether an item that is shown leaves its place for the one where it belongs.
  private func moves(_ item: AnyItem, to place: Int?) -> Bool {
    guard let order else { return false }
    guard let place, place == timeline.index(of: item.id) else {
      return place != timeline.index(of: item.id)
    }
    return presentation.overlay.isPlaced(item.id)
      || presentation.overlay.side(of: item, at: place, in: timeline, by: order) != nil
  }

  /// The place of an item above a row of the timeline, among those that edits put there; `nil`
  /// where it stands there already.
  private func slot(for item: AnyItem, before index: Int) -> Overlay.InsertionPoint? {
    guard let order else {
      return Overlay.InsertionPoint(order: index > 0 ? timeline.content.orders[index - 1] : .min)
    }
    let isOwn = index == timeline.index(of: item.id)
    let side = isOwn ? presentation.overlay.side(of: item, at: index, in: timeline, by: order) : nil
    return presentation.overlay.slot(
      for: item, before: side == .below ? index + 1 : index, in: timeline, by: order)
  }

  /// Whether news of an item count as answered at once: no answer under way and nothing on disk may
  /// say otherwise, and no edit of it is pending.
  private func isUncontested(_ id: RowID, since request: Int, _ requests: RequestContext) -> Bool {
    !presentation.overlay.edits.contains(id) && !timeline.mayBeStored(id)
      && !requests.mayAnswer(request)
  }

  /// Where an item belongs, as far as that is loaded: at the head where no order is known.
  private func place(for item: AnyItem, _ requests: RequestContext) -> Int? {
    if let order { return timeline.index(for: item, by: order) }
    let mayBeMiddle = timeline.head == .open || timeline.head == .unknown && requests.startsInMiddle
    return timeline.index(of: item.id) ?? (mayBeMiddle ? nil : 0)
  }

  /// Whether rows may still come that do not know what the source said after a request: an answer
  /// that was asked for before, the answer of an edit, or what is on disk.
  func mayStillCome(after request: Int, _ requests: RequestContext) -> Bool {
    requests.isRestoring || !timeline.evicted.runs.isEmpty || presentation.overlay.edits.isMaking
      || requests.mayAnswer(request)
  }

  // MARK: - What belongs where nothing was loaded

  /// The items of which there is news that belongs where nothing was loaded, in the order in which
  /// it came.
  var unplacedItems: [RowID] {
    if unplacedNews.isEmpty { return [] }
    return unplacedNews.sorted { $0.value.token < $1.value.token }.map(\.key)
  }

  /// Takes news of an item that belongs where rows are loaded by now.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request behind the rows that came: one that was made after the news
  ///     knows better whether the item is there.
  ///   - own: the request behind the item's own row, if it came: made after the news, it is what
  ///     it is now.
  mutating func takeNews(
    of id: RowID, after oldest: Int, _ own: Int?, _ requests: RequestContext
  ) -> News? {
    guard let news = unplacedNews[id],
      timeline.index(of: id) != nil || place(for: news.item, requests) != nil
    else { return nil }
    unplacedNews[id] = nil
    // The source may have taken edits of it since.
    let edits = presentation.overlay.edits
    guard oldest <= news.request, own ?? 0 <= news.request,
      let item = edits.known(of: id, over: news.item)
    else { return nil }
    return (item, news.token, max(news.request, edits.lastTaken(of: id) ?? 0))
  }

  /// Drops news that every answer knows by now: only those are kept that something older may still
  /// lead to.
  mutating func dropKnownNews(_ requests: RequestContext) {
    if unplacedNews.isEmpty { return }
    unplacedNews = unplacedNews.filter { mayStillCome(after: $0.value.request, requests) }
  }

  /// The items that answers showed not to be where edits had put them.
  mutating func takeMisplaced() -> [AnyItem] {
    if misplaced.isEmpty { return [] }
    defer { misplaced = [] }
    return misplaced
  }

  /// Whether an item is neither there nor being edited.
  func isMissing(_ id: RowID) -> Bool {
    timeline.order(of: id) == nil && !presentation.overlay.edits.contains(id)
  }

  /// Puts an item where it belongs; `nil` if that is not loaded.
  mutating func place(misplaced item: AnyItem, _ requests: RequestContext, at now: Date)
    -> RowChange?
  {
    guard let place = place(for: item, requests) else { return nil }
    return change(.event, at: now) {
      $0.timeline.put(item, at: place, isBetweenPages: true)
    }
  }
}
