internal import FreshetLists

// What is on disk.
extension FeedMachine {
  /// Rows are being read from disk: answers wait for them.
  mutating func beginRestoring() { isRestoring = true }

  /// Whether the rows of the page at the head are still to be read, as far as that is known.
  var isHeadUnread: Bool { restoredRows == 0 || restoredPage != nil }

  /// Somebody waits until all that is on disk is shown.
  mutating func waitForRestore(_ waiter: Int) -> [Effect] {
    guard isRestoring else { return resume(waiter, value.state.refresh) }
    restoreWaiters.append(waiter)
    return []
  }

  /// The reader came to an item; stored with the next step.
  mutating func setAnchor(_ id: Item.ID?) -> [Effect] {
    if let id, timeline.index(of: id) == nil { return [] }
    timeline.setAnchor(id)
    value.anchor = timeline.anchor?.id
    isPlaceSaved = false
    return []
  }

  /// Stores the reader's place and when the list was refreshed, if nothing else did.
  mutating func savePlace() -> [Effect] {
    isPlaceSaved ? [] : save(change(.edit) { _ in TimelineEdit() })
  }

  /// Rows came from disk.
  mutating func restore(_ cached: CachedRows<Item>) -> [Effect] {
    collectPage(cached)
    var read = appearing(cached.rows)
    var rows = isGapNext ? [NewRow<Item>(row: .gap(timeline.makeGap()))] : []
    rows += read.rows
    let state = known(of: cached, &read, &rows)
    if let refreshedAt = state.refreshedAt { value.refreshedAt = refreshedAt }
    let dropped = read.dropped
    // A gap at the end is none, unless more rows follow.
    isGapNext = !cached.isComplete && rows.last?.row.gap != nil
    if isGapNext { rows.removeLast() }
    let rest = isTooLong(cached) ? leaveRest(of: cached, behind: &rows) : nil
    let isComplete = cached.isComplete || rest != nil
    savesWhole = savesWhole || !dropped.isEmpty
    let end = timeline.count
    let change = change(.cache, dropped.count) {
      let hasRows = end + rows.count > 0
      let tail = state.tail == .unknown && hasRows ? FeedEnd.open : state.tail
      var edit = $0.replace(
        end..<end, with: rows, head: state.head, tail: isComplete ? tail : nil)
      for (id, mark) in read.marks { $0.mark(id, &edit) { $0 = mark } }
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
    guard isComplete else { return effects }
    isRestoring = false
    restoredPage = nil
    if let rest {
      savesWhole = false
      let updated = read.edited.compactMap(timeline.index(of:))
      if !dropped.isEmpty || !updated.isEmpty || end > 0 {
        effects += commit(deleted: dropped, inserted: Array(0..<end), updated: updated)
      }
      if timeline.anchor == nil, let place = state.anchor, place >= cached.rows.count,
        place < cached.count
      {
        effects += load(.gap(rest), middle: place - cached.rows.count)
        // Who waits for the rows waits for those around the reader too.
        if let index = loads.lastIndex(where: { $0.middle != nil }) {
          for waiter in restoreWaiters { loads[index].waiters[waiter] = .head }
          restoreWaiters = []
        }
      }
    } else if isSaveHeld {
      effects += save(self.change(.edit) { _ in TimelineEdit() })
    }
    isSaveHeld = false
    return effects + endRestoring()
  }

  /// Takes rows from disk as those of the page at the head, if its validator is stored.
  ///
  /// They are the page as it was answered, whatever is edited meanwhile. Where one of them is lost there
  /// is no page, and the source is asked for all of it.
  private mutating func collectPage(_ cached: CachedRows<Item>) {
    if restoredRows == 0, let page = cached.state.page, page.rows > 0 { restoredPage = (page, []) }
    guard case (let page, var items)? = restoredPage else { return }
    restoredPage = nil
    for row in cached.rows.prefix(page.rows - items.count) {
      guard case .item(let item, _) = row else { return }
      items.append(item)
    }
    if items.count < page.rows {
      restoredPage = (page, items)
    } else {
      answered.note(page.page(of: items), for: nil)
      savedPage = page
    }
  }

  /// What is known beside the rows from disk.
  ///
  /// A gap above the first of them says that rows are lost there: the head of the list is not known
  /// any more, and can be asked for (rule P3). Without any row left nothing is known at all.
  private mutating func known(
    of cached: CachedRows<Item>, _ read: inout ReadRows, _ rows: inout [NewRow<Item>]
  ) -> CachedState {
    var state = cached.state
    if timeline.count == 0, rows.first?.row.gap != nil {
      if read.rows.first?.row.gap != nil { read.dropped.insert(0, at: 0) }
      rows = Array(rows.drop { $0.row.gap != nil })
      savesWhole = true
      state.head = .open
      state.refreshedAt = nil
      if rows.isEmpty, cached.isComplete { state = CachedState() }
    } else if restoredRows > 0 {
      state.head = timeline.head
      state.refreshedAt = value.refreshedAt
    }
    return state
  }

  /// Rows from disk, as they appear.
  struct ReadRows {
    var rows: [NewRow<Item>] = []
    var marks: [Item.ID: PageMark] = [:]
    /// The rows that are not taken, by their place among those read: their items stand elsewhere by
    /// now, or went.
    var dropped: [Int] = []
    /// The place of the last gap that is taken.
    var lastGap = 0
    /// The items that appear edited.
    var edited: [Item.ID] = []
  }

  mutating func appearing(_ cached: [CachedRows<Item>.Row]) -> ReadRows {
    var read = ReadRows()
    var ids: Set<Item.ID> = []
    for (index, row) in cached.enumerated() {
      switch row {
      // Two gaps without a row between them are one.
      case .gap where read.rows.last?.row.gap != nil: read.dropped.append(index)
      case .gap:
        read.rows.append(NewRow(row: .gap(timeline.makeGap())))
        read.lastGap = index
      case .item(let item, let mark):
        guard timeline.index(of: item.id) == nil, ids.insert(item.id).inserted,
          let seen = overlay.seenFromDisk(item)
        else {
          read.dropped.append(index)
          continue
        }
        read.rows.append(NewRow(row: .item(seen)))
        read.marks[item.id] = mark
        if seen != item { read.edited.append(item.id) }
      }
    }
    return read
  }

  /// Whether there is more on disk than is to be in memory.
  private func isTooLong(_ cached: CachedRows<Item>) -> Bool {
    guard let maximum = configuration.maximumRows, !cached.isComplete else { return false }
    return cached.count > maximum
      && cached.rows.contains { if case .item = $0 { true } else { false } }
  }

  /// Leaves the rows behind the first ones on disk.
  private mutating func leaveRest(
    of cached: CachedRows<Item>, behind rows: inout [NewRow<Item>]
  ) -> Gap.ID {
    let gap = Gap(id: timeline.makeGap().id, isStored: true)
    timeline.hasUnread = true
    timeline.unloaded[gap.id] = UnloadedRows(
      count: cached.count - cached.rows.count + (isGapNext ? 1 : 0),
      above: rows.last?.row.item?.id, below: nil)
    isGapNext = false
    rows.append(NewRow(row: .gap(gap)))
    return gap.id
  }

  /// What waited for the rows from disk goes on.
  private mutating func endRestoring() -> [Effect] {
    var effects: [Effect] = []
    effects.append(.resume(restoreWaiters, value.state.refresh))
    restoreWaiters = []
    let news = news
    self.news = []
    for (event, token) in news { effects += receive(event, token: token) }
    let deferred = deferred
    self.deferred = []
    for ask in deferred {
      effects += load(ask.edge, from: ask.side, scope: ask.scope, waiter: ask.waiter)
    }
    return effects + publish() + takeAnswers()
  }
}
