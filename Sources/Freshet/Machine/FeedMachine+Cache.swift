internal import FreshetLists
internal import struct Foundation.Date

// What is on disk.
extension FeedMachine {
  /// Rows are being read from disk: answers wait for them.
  mutating func beginRestoring() {
    restoring = RestoreProgress()
    planner.beginRestoring()
  }

  /// Somebody waits until all that is on disk is shown.
  mutating func waitForRestore(_ waiter: Int) -> [Effect] {
    guard isRestoring else { return [.load(.resume([waiter], contents.state.refresh))] }
    planner.waitForRestore(waiter)
    return []
  }

  /// The reader came to an item; stored with the next step.
  mutating func setAnchor(_ id: RowID?) -> [Effect] {
    if let id, presentation.overlay.index(of: id, in: timeline) == nil { return [] }
    presentation.setReader(id, in: timeline)
    contents.anchor = presentation.readerKey
    pending.isPlaceSaved = false
    return []
  }

  /// Stores the reader's place and when the list was refreshed, if nothing else did.
  mutating func savePlace(at now: Date) -> [Effect] {
    pending.isPlaceSaved ? [] : save(change(.edit, at: now))
  }

  /// Rows came from disk.
  mutating func restore(_ cached: CachedRows<AnyItem>, at now: Date) -> [Effect] {
    guard var progress = restoring else { return [] }
    collectPage(cached, &progress)
    var read = appearing(cached.rows)
    var rows = progress.isGapNext ? [NewRow(row: .gap(timeline.makeGap()))] : []
    rows += read.rows
    let state = known(of: cached, after: progress.rows, &read, &rows)
    if let refreshedAt = state.refreshedAt { contents.refreshedAt = refreshedAt }
    // A gap at the end is none, unless more rows follow.
    progress.isGapNext = !cached.isComplete && rows.last?.row.gap != nil
    if progress.isGapNext { rows.removeLast() }
    let rest = isTooLong(cached) ? leaveRest(of: cached, behind: &rows, &progress) : nil
    let isComplete = cached.isComplete || rest != nil
    pending.isWhole = pending.isWhole || !read.dropped.isEmpty
    let end = timeline.count
    let change = change(.cache, read.dropped.count, at: now) { machine in
      let tail = state.tail == .unknown && end + rows.count > 0 ? FeedEnd.open : state.tail
      var edit = machine.timeline.replace(
        end..<end, with: rows, head: state.head, tail: isComplete ? tail : nil)
      for (id, mark) in read.marks { machine.timeline.mark(id, &edit) { $0 = mark.stored } }
      return edit
    }
    restoreReader(at: state.anchor, in: cached, after: progress.rows)
    let here = progress.rows..<(progress.rows + cached.rows.count)
    markUnproven(
      cached.state.unproven.counted(in: here), of: cached.rows, but: read.dropped)
    progress.rows += cached.rows.count
    restoring = progress
    planner.noteRestored(isHeadUnread: progress.isHeadUnread)
    let published = publish(change)
    guard isComplete else { return published }
    restoring = nil
    var deferred = planner.endRestoring()
    let effects =
      if let rest {
        leave(rest, of: cached, dropped: read.dropped, before: end, &deferred)
      } else {
        progress.holdsSave ? save(self.change(.edit, at: now)) : []
      }
    return published + effects + endRestoring(deferred, progress.news, at: now)
  }

  /// The reader is where rows from disk say so: the place counts in the rows as they were stored.
  private mutating func restoreReader(
    at place: Int?, in cached: CachedRows<AnyItem>, after restored: Int
  ) {
    if presentation.reader == nil, let place, place >= restored,
      case .item(let item, _)? = cached.rows.dropFirst(place - restored).first
    {
      _ = setAnchor(item.id)
    }
  }

  /// Marks rows from disk that no answer has included.
  ///
  /// - Parameters:
  ///   - unproven: which of them, counted from the first one.
  ///   - dropped: those that were not taken.
  mutating func markUnproven(
    _ unproven: [Range<Int>], of rows: [CachedRows<AnyItem>.Row], but dropped: [Int]
  ) {
    for range in unproven {
      let orders = range.clamped(to: rows.indices).compactMap { index -> RowOrder? in
        guard case .item(let item, _) = rows[index], !dropped.contains(index) else { return nil }
        return timeline.order(of: item.id)
      }
      if let first = orders.first, let last = orders.last, first <= last {
        timeline.markUnproven(first...last)
      }
    }
  }

  /// The rest of the rows stays on disk, but for those around the reader.
  private mutating func leave(
    _ rest: Gap.ID, of cached: CachedRows<AnyItem>, dropped: [Int], before end: Int,
    _ deferred: inout DeferredLoads
  ) -> [Effect] {
    pending.isWhole = false
    var effects: [Effect] = []
    if !dropped.isEmpty || end > 0 {
      effects += commit(deleted: dropped, inserted: Array(0..<end))
    }
    let first = cached.count - (timeline.evicted.runs[rest]?.count ?? 0)
    guard presentation.reader == nil, let place = cached.state.anchor,
      (first..<cached.count).contains(place)
    else { return effects }
    let actions = planner.readRows(
      around: place - first, of: rest, for: &deferred, in: timeline)
    return effects + perform(actions) + publish()
  }

  /// Takes rows from disk as those of the page at the head, if its validator is stored.
  ///
  /// They are the page as it was answered, whatever is edited meanwhile. Where one of them is lost
  /// there is no page, and the source is asked for all of it.
  private mutating func collectPage(
    _ cached: CachedRows<AnyItem>, _ progress: inout RestoreProgress
  ) {
    if progress.rows == 0, let page = cached.state.page, page.rows > 0 {
      progress.page = (page, [])
    }
    guard case (let page, var items)? = progress.page else { return }
    progress.page = nil
    for row in cached.rows.prefix(page.rows - items.count) {
      guard case .item(let item, _) = row else { return }
      items.append(item)
    }
    if items.count < page.rows {
      progress.page = (page, items)
    } else {
      planner.noteRestored(page.page(of: items))
      pending.page = page
    }
  }

  /// What is known beside the rows from disk.
  ///
  /// A gap above the first of them says that rows are lost there: the head of the list is not known
  /// any more, and can be asked for (rule P3). Without any row left nothing is known at all.
  private mutating func known(
    of cached: CachedRows<AnyItem>, after restored: Int, _ read: inout ReadRows,
    _ rows: inout [NewRow]
  ) -> CachedState {
    var state = cached.state
    if timeline.count == 0, rows.first?.row.gap != nil {
      if read.rows.first?.row.gap != nil { read.dropped.insert(0, at: 0) }
      rows = Array(rows.drop { $0.row.gap != nil })
      pending.isWhole = true
      state.head = .open
      state.refreshedAt = nil
      if rows.isEmpty, cached.isComplete { state = CachedState() }
    } else if restored > 0 {
      state.head = timeline.head
      state.refreshedAt = contents.refreshedAt
    }
    return state
  }

  /// Rows from disk, as they appear.
  struct ReadRows {
    var rows: [NewRow] = []
    var marks: [RowID: PageBoundary] = [:]
    /// The rows that are not taken, by their place among those read: their items stand elsewhere by
    /// now, or went.
    var dropped: [Int] = []
    /// The items among the rows, taken or not.
    var ids: Set<RowID> = []
    /// The place of the last gap that is taken.
    var lastGap = 0
  }

  mutating func appearing(_ cached: [CachedRows<AnyItem>.Row]) -> ReadRows {
    var read = ReadRows()
    for (index, row) in cached.enumerated() {
      switch row {
      // Two gaps without a row between them are one.
      case .gap where read.rows.last?.row.gap != nil: read.dropped.append(index)
      case .gap:
        read.rows.append(NewRow(row: .gap(timeline.makeGap())))
        read.lastGap = index
      case .item(let item, let mark):
        guard read.ids.insert(item.id).inserted, timeline.index(of: item.id) == nil,
          !timeline.evicted.outdated.contains(item.id),
          !presentation.overlay.edits.isDeleted(item.id)
        else {
          read.dropped.append(index)
          continue
        }
        read.rows.append(NewRow(row: .item(item)))
        read.marks[item.id] = mark
      }
    }
    return read
  }

  /// Whether there is more on disk than is to be in memory.
  private func isTooLong(_ cached: CachedRows<AnyItem>) -> Bool {
    guard let maximum = configuration.maximumRows, !cached.isComplete else { return false }
    return cached.count > maximum
      && cached.rows.contains { if case .item = $0 { true } else { false } }
  }

  /// Leaves the rows behind the first ones on disk.
  private mutating func leaveRest(
    of cached: CachedRows<AnyItem>, behind rows: inout [NewRow], _ progress: inout RestoreProgress
  ) -> Gap.ID {
    let gap = Gap(id: timeline.makeGap().id, isStored: true)
    let count = cached.count - cached.rows.count + (progress.isGapNext ? 1 : 0)
    timeline.leave(
      count, behind: gap, below: rows.last?.row.item?.id,
      unproven: cached.state.unproven.counted(in: (cached.count - count)..<cached.count))
    progress.isGapNext = false
    rows.append(NewRow(row: .gap(gap)))
    return gap.id
  }

  /// What waited for the rows from disk goes on.
  private mutating func endRestoring(
    _ deferred: DeferredLoads,
    _ news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)], at now: Date
  ) -> [Effect] {
    var effects = settle(at: now)
    effects.append(.load(.resume(deferred.waiters, contents.state.refresh)))
    for (event, token, request) in news {
      effects += follow(event, token: token, after: request, at: now)
    }
    effects += perform(planner.load(deferred, in: timeline))
    return effects + publish() + readAnswers()
  }
}
