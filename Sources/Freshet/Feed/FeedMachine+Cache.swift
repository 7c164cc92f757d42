internal import FreshetLists

// What is on disk.
extension FeedMachine {
  /// Rows are being read from disk: answers wait for them.
  mutating func beginRestoring() { isRestoring = true }

  /// Somebody waits until all that is on disk is shown.
  mutating func waitForRestore(_ waiter: Int) -> [Effect] {
    guard isRestoring else { return resume(waiter, value.state.refresh) }
    restoreWaiters.append(waiter)
    return []
  }

  /// The reader came to an item; stored with the next step.
  mutating func setAnchor(_ id: Item.ID?) -> [Effect] {
    timeline.setAnchor(id)
    value.anchor = timeline.anchor?.id
    isAnchorSaved = false
    return []
  }

  /// Stores the reader's place, if nothing else did.
  mutating func saveAnchor() -> [Effect] {
    isAnchorSaved ? [] : save(change(.edit) { _ in TimelineEdit() })
  }

  /// Rows came from disk.
  mutating func restore(_ cached: CachedRows<Item>) -> [Effect] {
    let state = cached.state
    if let refreshedAt = state.refreshedAt { value.refreshedAt = refreshedAt }
    var rows: [NewRow<Item>] = isGapNext ? [NewRow(row: .gap(timeline.makeGap()))] : []
    var seen: Set<Item.ID> = []
    var dropped = 0
    for row in cached.rows {
      switch row {
      case .item(let item, _):
        if timeline.index(of: item.id) == nil, seen.insert(item.id).inserted,
          let item = overlay.seenFromDisk(item)
        {
          rows.append(NewRow(row: .item(item)))
        } else {
          dropped += 1
        }
      case .gap: rows.append(NewRow(row: .gap(timeline.makeGap())))
      }
    }
    // A gap at the end is none, unless more rows follow.
    isGapNext = !cached.isComplete && rows.last?.row.gap != nil
    if isGapNext { rows.removeLast() }
    savesWhole = savesWhole || dropped > 0
    let end = timeline.count
    let change = change(.cache, dropped) {
      let hasRows = end + rows.count > 0
      let tail = state.tail == .unknown && hasRows ? FeedEnd.open : state.tail
      var edit = $0.replace(
        end..<end, with: rows, head: state.head, tail: cached.isComplete ? tail : nil)
      for case .item(let item, let mark?) in cached.rows {
        $0.mark(item.id, &edit) { $0 = mark }
      }
      return edit
    }
    // The reader's place counts in the rows as they were stored.
    if timeline.anchor == nil, let place = state.anchor, place >= restoredRows {
      for case .item(let item, _) in cached.rows.dropFirst(place - restoredRows).prefix(1) {
        _ = setAnchor(item.id)
      }
    }
    restoredRows += cached.rows.count
    var effects = publish(change)
    guard cached.isComplete else { return effects }
    isRestoring = false
    if isSaveHeld { effects += save(self.change(.edit) { _ in TimelineEdit() }) }
    isSaveHeld = false
    effects.append(.resume(restoreWaiters, value.state.refresh))
    restoreWaiters = []
    let news = news
    self.news = []
    for (event, token) in news { effects += receive(event, token: token) }
    effects += deferred.flatMap { load($0.edge, from: $0.side, waiter: $0.waiter) }
    deferred = []
    return effects + takeAnswers()
  }
}
