internal import FreshetLists
internal import struct Foundation.Date

// The changes that the source reports in events.
extension FeedRows {
  /// Whether the source just confirmed the user's deletion of an item.
  ///
  /// An event about the item may then be older than that answer.
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

  /// Shows an item that an event reported at its position, if the rows around it are loaded.
  ///
  /// - Parameter isNew: whether the event reports a new item.
  /// - Returns: `nil` if the item changes no row.
  mutating func show(
    _ news: News, isNew: Bool, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    let (item, id, isKnown) = (news.item, news.item.id, timeline.order(of: news.item.id) != nil)
    // The item exists, so a confirmed deletion of it is undone.
    if presentation.overlay.edits.contains(id) { presentation.overlay.edits.revive(id) }
    let isEdited = presentation.overlay.edits.contains(id)
    // The source has the created item, so a failure of the edit must not remove it.
    let isMade = isEdited && presentation.overlay.edits.isMaking(id)
    let isPlaced = isMade || presentation.overlay.isPlaced(id)
    let mayBeStored = !isNew && timeline.mayBeStored(id)
    if !isKnown, mayBeStored, !isEdited, order == nil {
      // When the older version is restored from disk, this one is applied to it.
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
      // If an older answer contains the item, the news is applied to it.
      guard place != nil || isEdited else { return nil }
      return put(news, before: place, isNew: isNew, requests, at: now)
    }
    guard moves(item, to: place), !(isMade && place == nil) else {
      return put(news, isPlaced: !isKnown, isNew: isNew, requests, at: now)
    }
    guard place == nil else { return put(news, before: place, isNew: isNew, requests, at: now) }
    // The position of the item is not loaded.
    presentation.overlay.edits.removeTaken(of: id)
    return change(.event, at: now) { rows in
      let edit = rows.take(out: id)
      if !rows.isUncontested(id, since: news.request, requests) {
        rows.begin(news, isPlaced: false, isNew: isNew)
      }
      return edit
    }
  }

  /// Returns whether the list shows an item, or would without an edit that deletes it.
  func shows(_ id: RowID) -> Bool {
    timeline.order(of: id) != nil || presentation.overlay.isPlaced(id)
  }

  /// Prepares for an older version of an item, which the list does not show, to be read later.
  ///
  /// - Returns: `nil` if no older version can be read.
  mutating func prepare(
    _ news: News, _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    let id = news.item.id
    if unplacedNews[id] != nil {
      unplacedNews[id] = news
      return nil
    }
    guard
      timeline.mayBeStored(id) || requests.mayAnswer(news.request)
        || presentation.overlay.edits.contains(id)
    else { return nil }
    return put(news, isNew: false, requests, at: now)
  }

  /// Updates, in one step, the items whose news no edit and no answer can contradict.
  ///
  /// - Parameter news: the news, of which those that were applied are removed.
  /// - Returns: `nil` if nothing changes.
  mutating func update(
    _ news: inout [News], _ requests: RequestContext, at now: Date
  ) -> RowChange? {
    guard order == nil else { return nil }
    let place = news.partition {
      timeline.order(of: $0.item.id) != nil
        && isUncontested($0.item.id, since: $0.request, requests)
    }
    let plain = news[place...]
    news.removeSubrange(place...)
    if plain.isEmpty { return nil }
    return change(.event, at: now) { rows in
      var edit = TimelineEdit()
      for item in plain.map(\.item) { edit.updated += rows.timeline.update(item).updated }
      edit.updated.sort { $0.order < $1.order }
      return edit
    }
  }

  /// Shows an item that an event reported.
  ///
  /// - Parameter index: the row of the timeline to insert it before; `nil` if the item stays at
  ///   its position.
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

  /// Begins an edit for news, confirmed at once, until no answer can contradict it.
  private mutating func begin(_ news: News, isPlaced: Bool, isNew: Bool) {
    presentation.overlay.edits.begin(
      news: news.item, token: news.token, since: news.request, isPlaced: isPlaced, isNew: isNew)
    presentation.overlay.edits.confirm(news.token, after: news.request, until: nil)
  }

  /// Whether a shown item has to move to another position.
  private func moves(_ item: AnyItem, to place: Int?) -> Bool {
    guard let order else { return false }
    guard let place, place == timeline.index(of: item.id) else {
      return place != timeline.index(of: item.id)
    }
    return presentation.overlay.isPlaced(item.id)
      || presentation.overlay.side(of: item, at: place, in: timeline, by: order) != nil
  }

  /// Returns the insertion point of an item above a row of the timeline, among the placed items.
  ///
  /// It is `nil` if the item is at that position already.
  private func slot(for item: AnyItem, before index: Int) -> Overlay.InsertionPoint? {
    guard let order else {
      return Overlay.InsertionPoint(order: index > 0 ? timeline.content.orders[index - 1] : .min)
    }
    let isOwn = index == timeline.index(of: item.id)
    let side = isOwn ? presentation.overlay.side(of: item, at: index, in: timeline, by: order) : nil
    return presentation.overlay.slot(
      for: item, before: side == .below ? index + 1 : index, in: timeline, by: order)
  }

  /// Whether news of an item counts as answered at once.
  ///
  /// It does if no edit of the item is pending, and neither a running request nor a row on disk
  /// may contradict the news.
  private func isUncontested(_ id: RowID, since request: Int, _ requests: RequestContext) -> Bool {
    !presentation.overlay.edits.contains(id) && !timeline.mayBeStored(id)
      && !requests.mayAnswer(request)
  }

  /// Returns the position of an item; `nil` if it is not loaded.
  ///
  /// It is the head if the order is unknown.
  private func place(for item: AnyItem, _ requests: RequestContext) -> Int? {
    if let order { return timeline.index(for: item, by: order) }
    let mayBeMiddle = timeline.head == .open || timeline.head == .unknown && requests.startsInMiddle
    return timeline.index(of: item.id) ?? (mayBeMiddle ? nil : 0)
  }

  /// Whether rows may still arrive that are older than news sent after a request.
  ///
  /// They may be in the answer to an earlier request, in the answer to an edit, or on disk.
  func mayStillCome(after request: Int, _ requests: RequestContext) -> Bool {
    requests.isRestoring || !timeline.evicted.runs.isEmpty || presentation.overlay.edits.isMaking
      || requests.mayAnswer(request)
  }

  // MARK: - News beyond the loaded rows

  /// Returns whether an item is in the timeline, or has news beyond it.
  func knows(_ id: RowID) -> Bool { timeline.order(of: id) != nil || unplacedNews[id] != nil }

  /// The items with news beyond the rows that were loaded, in the order of the news.
  var unplacedItems: [RowID] {
    if unplacedNews.isEmpty { return [] }
    return unplacedNews.sorted { $0.value.token < $1.value.token }.map(\.key)
  }

  /// Takes the news of an item whose position is loaded by now.
  ///
  /// - Parameters:
  ///   - oldest: the oldest request whose answer contained the new rows. If it was made after the
  ///     news, its answer decides whether the item exists.
  ///   - own: the request whose answer contained the item itself, if there is one. If it was made
  ///     after the news, its version of the item is newer.
  mutating func takeNews(
    of id: RowID, after oldest: Int, _ own: Int?, _ requests: RequestContext
  ) -> News? {
    guard let news = unplacedNews[id],
      timeline.index(of: id) != nil || place(for: news.item, requests) != nil
    else { return nil }
    unplacedNews[id] = nil
    // The source may have confirmed edits of the item since.
    let edits = presentation.overlay.edits
    guard oldest <= news.request, own ?? 0 <= news.request,
      let item = edits.known(of: id, over: news.item)
    else { return nil }
    return (item, news.token, max(news.request, edits.lastTaken(of: id) ?? 0))
  }

  /// Drops the news that all further answers include.
  ///
  /// News is kept only while older rows may still arrive.
  mutating func dropKnownNews(_ requests: RequestContext) {
    if unplacedNews.isEmpty { return }
    unplacedNews = unplacedNews.filter { mayStillCome(after: $0.value.request, requests) }
  }

  /// Returns the items whose positions, set by edits, were refuted by answers, and forgets them.
  mutating func takeMisplaced() -> [AnyItem] {
    if misplaced.isEmpty { return [] }
    defer { misplaced = [] }
    return misplaced
  }

  /// Whether an item is neither in the timeline nor being edited.
  func isMissing(_ id: RowID) -> Bool {
    timeline.order(of: id) == nil && !presentation.overlay.edits.contains(id)
  }

  /// Inserts an item at its position; returns `nil` if the position is not loaded.
  mutating func place(misplaced item: AnyItem, _ requests: RequestContext, at now: Date)
    -> RowChange?
  {
    guard let place = place(for: item, requests) else { return nil }
    return change(.event, at: now) {
      $0.timeline.put(item, at: place, isBetweenPages: true)
    }
  }
}
