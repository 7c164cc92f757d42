internal import FreshetLists
internal import struct Foundation.Date

// Loaded rows that are requested again.
extension LoadPlanner {
  /// Returns a request for the page of a row that is too old (rule T3), once in that time.
  mutating func renewal(
    of index: Int, in timeline: Timeline, at now: Date
  ) -> LoadAsk? {
    guard let staleAfter = configuration.staleAfter?.seconds, deferred == nil,
      failures[.refresh] == nil
    else { return nil }
    let date = windows.answeredAt ?? timeline.fetchedAt(index)
    if let date, PageRenewals.isFresh(date, staleAfter, at: now) { return nil }
    // All loaded rows are read again together.
    if windows.areRead { return LoadAsk(.refresh) }
    let (key, first) = timeline.startOfPage(around: index)
    // If the rows before this page are on disk, they are near and are being read.
    if first > 0, timeline.rows[first - 1].gap?.isStored == true { return nil }
    guard let id = timeline.rows[first].item?.id, renewals.begin(id, staleAfter, at: now) else {
      return nil
    }
    var ask = LoadAsk(.refresh)
    if first > 0 {
      if let key, continuity == .stable {
        ask.edge = .page(key)
      } else if let edge = edge(rereading: first..<(first + 1), in: timeline) {
        ask.edge = edge
      } else {
        ask.scope = .visible
      }
    }
    return ask
  }

  // MARK: - By position

  /// Returns the edge of some loaded rows below a gap.
  ///
  /// Their position is the size of the gap, plus the rows between. The size may be an estimate: an
  /// answer is used only if it repeats known rows.
  ///
  /// - Returns: `nil` if no gap is above them, or if the source cannot find them there.
  private func edge(rereading rows: Range<Int>, in timeline: Timeline) -> FeedEdge? {
    guard finds != .nothing, !rows.isEmpty,
      let gap = timeline.lastGap(above: rows.lowerBound)?.index,
      // The row above is read too: the page repeats it, which proves that the others follow.
      case let first = max(gap + 1, rows.lowerBound - (finds == .rows ? 1 : 0)),
      let start = timeline.itemID(at: first), let end = timeline.itemID(at: rows.upperBound - 1)
    else { return nil }
    let edge = FeedEdge.reread(from: start, through: end)
    return target(ofReread: edge, in: timeline) == nil ? nil : edge
  }

  /// Returns the edge of the loaded rows around one on display, if they are below a gap.
  func displayedRows(around displayed: Int, in timeline: Timeline) -> FeedEdge? {
    guard let gap = timeline.lastGap(above: displayed)?.index else { return nil }
    let distance = configuration.prefetchDistance
    let end = timeline.endOfSegment(from: displayed)
    let rows = max(gap + 1, displayed - distance)..<min(end, displayed + distance + 1)
    return edge(rereading: rows, in: timeline)
  }

  /// Returns whether rows are left to be read again after a run.
  func isLeft(of edge: FeedEdge, after plan: MergePlan, in timeline: Timeline) -> Bool {
    guard case .reread(_, let last) = edge, let index = timeline.index(of: last),
      plan.end < timeline.count, timeline.rows[plan.end].gap == nil
    else { return false }
    return plan.end <= index
  }

  /// Returns the key from which rows that are read again are found, and the rows to skip.
  func target(
    ofReread edge: FeedEdge, in timeline: Timeline
  ) -> (key: PageKey, skip: PageSkip)? {
    guard case .reread(let first, _) = edge, let row = timeline.index(of: first),
      let (gap, index) = timeline.lastGap(above: row), timeline.evicted.runs[gap.id] == nil,
      let size = unloaded.size(of: gap.id, in: timeline)
    else { return nil }
    return skip(size.count + row - index - 1, below: index, in: timeline)
  }

  /// Requests another page if the position of one is not that of the rows it should have.
  ///
  /// The key of a list whose pages shift may count from another row by now. It should lead to the
  /// rows that are read again, or to the row above an edge.
  ///
  /// - Parameter shift: the number of rows by which the rows are further down than is known.
  mutating func readElsewhere(
    _ load: Load, _ page: Page<AnyItem, PageKey>, shiftedBy shift: Int = 0, in timeline: Timeline
  ) -> PageDecision? {
    guard load.walk.stepsBack == 0, load.walk.restarts <= min(shift, 1),
      let key = load.request.key, let place = place(of: load, in: timeline).map({ $0 + shift }),
      let rowsAbove = page.rowsAbove?.count, 0...RowTotal.limit ~= rowsAbove,
      !(rowsAbove..<(rowsAbove + max(1, page.items.count)) ~= place)
    else { return nil }
    var count = place - rowsAbove
    if case .far(let skip) = load.target {
      count += skip.count
    } else if finds == .pages {
      // The answer begins with the page above, which proves that the two adjoin.
      count -= max(0, page.items.count - configuration.pageSize)
    }
    // Rows above the page of an edge are found by reading pages backwards.
    guard count >= 0 else { return nil }
    var load = load
    load.walk.forget()
    load.walk.restarts += 1
    load.target = .far(PageSkip(count: count))
    return .wait(ask(load, for: key, in: timeline))
  }

  /// Requests the page that should have the row above an edge, after one without known rows.
  ///
  /// The row is further down by as many rows as no number accounts for, if they are above it.
  mutating func readFurtherDown(
    _ load: Load, _ page: Page<AnyItem, PageKey>, in timeline: Timeline
  ) -> PageDecision? {
    guard !load.edge.isReread, let total = total.total?.exact,
      let shift = unloaded.unaccounted(of: total, in: timeline), 1...RowTotal.limit ~= shift
    else { return nil }
    return readElsewhere(load, page, shiftedBy: shift, in: timeline)
  }

  /// Returns how many rows are above the row that the page of a load should have.
  ///
  /// It is `nil` for loads whose pages are proven otherwise, and if no gap is above the row.
  private func place(of load: Load, in timeline: Timeline) -> Int? {
    switch load.edge {
    case .reread(let first, _):
      return timeline.index(of: first).flatMap { unloaded.rows(above: $0, in: timeline)?.count }
    case .next, .gap:
      guard finds != .nothing, continuity == .overlapping, !load.readsUpward,
        isBelowGap(load.edge, in: timeline)
      else { return nil }
      return unloaded.rows(above: load.edge, in: timeline).map { max(0, $0.count - 1) }
    case .refresh, .previous, .page, .jump: return nil
    }
  }

  /// Returns whether a gap of rows that are not on disk is above the rows at an edge.
  private func isBelowGap(_ edge: FeedEdge, in timeline: Timeline) -> Bool {
    let index: Int? =
      if case .gap(let id) = edge { timeline.index(ofGap: id) } else { timeline.count }
    return index.flatMap(timeline.lastGap(above:)).map { !$0.gap.isStored } ?? false
  }

  /// Returns whether a page without known rows belongs above the edge that it was requested for.
  ///
  /// Then rows shifted further than is known, and nothing proves where the page is.
  func isAboveEdge(
    _ page: Page<AnyItem, PageKey>, of load: Load, in timeline: Timeline
  ) -> Bool {
    guard let place = place(of: load, in: timeline), let rowsAbove = page.rowsAbove?.count
    else { return false }
    return rowsAbove < place
  }

  /// Returns how a run fits the rows that it reads again; `nil` if its place is unproven.
  ///
  /// If the run covers the rest of the segment, its place is the one below.
  func matchReread(_ run: Run, of load: inout Load, in timeline: Timeline) -> MergePlan? {
    guard var plan = timeline.match(run, at: load.place, overlapping: true) else { return nil }
    if let place = timeline.placeBelowSegment(coveredBy: run, plan) {
      load.place = place
      plan = timeline.match(run, at: place, overlapping: true) ?? plan
    }
    return plan.isApart || hasRowsAboveGap(run, of: load, in: timeline) ? nil : plan
  }

  /// Returns whether a run has rows that are loaded above the gap over the rows it reads again.
  ///
  /// They may have moved, or the rows between may be gone: the page that leads down to the gap
  /// decides.
  private func hasRowsAboveGap(_ run: Run, of load: Load, in timeline: Timeline) -> Bool {
    guard case .reread(let first, _) = load.edge, let row = timeline.index(of: first),
      let gap = timeline.lastGap(above: row)?.index
    else { return true }
    return run.items.contains { item in timeline.index(of: item.id).map { $0 < gap } ?? false }
  }

  /// Reads the rows on display again after a refresh of the head, for the same callers.
  ///
  /// - Returns: no action if the refresh has read them, or if it failed.
  mutating func readDisplayed(
    after load: inout Load, around displayed: Int, in timeline: Timeline
  ) -> [LoadAction] {
    guard load.edge == .refresh, load.scope == .visible, !load.readsWindows,
      failures[.refresh] == nil, let edge = displayedRows(around: displayed, in: timeline)
    else { return [] }
    let demand = load.demand.moved(to: edge)
    load.demand = Demand()
    let joined: Void? = queue.update(edge) { $0.demand.join(demand) }
    return joined == nil ? begin(edge, demand, in: timeline) : []
  }
}
