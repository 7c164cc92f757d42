internal import FreshetLists

// Jumps to rows that are far from all loaded ones (rule W3).
extension LoadPlanner {
  /// Returns a request for the edge that leads to the wanted row.
  ///
  /// Rows far from an edge are jumped to if the order of the segments is certain afterwards.
  ///
  /// - Returns: `nil` if the row is loaded.
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  func located(_ ask: LoadAsk, in timeline: Timeline) -> LoadAsk? {
    guard let index = ask.row.map({ min($0, RowTotal.limit) }) else { return ask }
    guard let row = unloaded.row(at: index, in: timeline) else { return nil }
    var ask = ask
    (ask.row, ask.edge) = (nil, row.edge)
    if let jump = jumpUnderWay(to: row) ?? jump(to: row, at: index, in: timeline) {
      ask.edge = .jump(jump)
    } else if row.edge == .next {
      // The last rows on disk have the key of those that follow.
      if timeline.endGap != nil { ask.side = .below }
    } else if case .gap(let id) = row.edge {
      if timeline.evicted.runs[id] != nil { ask.middle = row.index }
      if row.index >= (row.count?.count ?? .max) / 2 { ask.side = .below }
    }
    return ask
  }

  /// Returns the jump under way whose page probably has a row.
  private func jumpUnderWay(to row: UnloadedRow) -> Jump? {
    let page = max(1, configuration.pageSize)
    return queue.edges.lazy.compactMap(\.jump).first { jump in
      guard jump.edge == row.edge else { return false }
      // Where a whole page begins is not known yet.
      if finds == .pages { return abs(jump.skipped - row.index) < page }
      if jump.side == .above { return jump.skipped..<(jump.skipped + page) ~= row.index }
      guard let count = row.count?.count else { return false }
      return jump.skipped..<(jump.skipped + page) ~= count - 1 - row.index
    }
  }

  /// Returns the jump to a row, with about as many rows above it as below.
  ///
  /// It is `nil` if the row is near an edge, or if the source cannot skip rows there.
  private func jump(to row: UnloadedRow, at index: Int, in timeline: Timeline) -> Jump? {
    if finds == .pages { return jumpToPage(of: row, at: index, in: timeline) }
    guard finds == .rows else { return nil }
    let margin = continuity == .stable ? 0 : margin(at: row.edge, in: timeline)
    guard let margin else { return nil }
    let page = max(1, configuration.pageSize)
    let above = row.index - page / 2
    let end = row.count.map { $0.count - page }
    let below = end.map { max(0, $0 - max(0, above)) }
    let jump: Jump
    switch row.edge {
    case .next where timeline.tail != .open || timeline.endGap != nil: return nil
    case .next:
      // An estimate may be far too low.
      let below = unloaded.below(of: total.total(in: timeline), in: timeline)?.exact
      let last = below.map { $0 - page } ?? .max
      if above < margin { return nil }
      jump = Jump(row: index, edge: .next, side: .above, skipped: min(above, last))
    case .previous:
      jump = Jump(row: index, edge: .previous, side: .below, skipped: below ?? 0)
    case .gap where continuity == .overlapping:
      // A page that reaches the end of the gap repeats the row below, which proves its place.
      guard let end else { return nil }
      if margin > 0, above < margin || above > end - margin { return nil }
      jump = Jump(row: index, edge: row.edge, side: .above, skipped: min(above, end + 1))
    case .gap:
      guard above > 0, let below, below > 0 else { return nil }
      jump =
        above <= below
        ? Jump(row: index, edge: row.edge, side: .above, skipped: above)
        : Jump(row: index, edge: row.edge, side: .below, skipped: below)
    case .refresh, .page, .reread, .jump: return nil
    }
    return jump.skipped > 0 && target(of: jump, in: timeline) != nil ? jump : nil
  }

  /// Returns the jump to the whole page that contains a row.
  ///
  /// It is `nil` if the row is near an edge, or if it would not be certain where the page is.
  private func jumpToPage(
    of row: UnloadedRow, at index: Int, in timeline: Timeline
  ) -> Jump? {
    guard let margin = margin(at: row.edge, in: timeline),
      row.index >= configuration.pageSize + margin,
      unloaded.rows(above: row.edge, in: timeline) != nil
    else { return nil }
    var skipped = row.index
    if row.edge == .next {
      guard timeline.tail == .open, timeline.endGap == nil,
        let below = unloaded.below(of: total.total(in: timeline), in: timeline), below.count > 0
      else { return nil }
      skipped = min(skipped, below.count - 1)
    } else {
      guard let size = row.count?.count else { return nil }
      if margin > 0, row.index > size - configuration.pageSize - margin { return nil }
    }
    let jump = Jump(row: index, edge: row.edge, side: .above, skipped: skipped)
    return target(of: jump, in: timeline) != nil ? jump : nil
  }

  /// Returns the key from which a jump skips rows, and the rows to skip.
  ///
  /// In a gap, the key on its other side bounds the jump, unless pages shift.
  func target(
    of jump: Jump, in timeline: Timeline
  ) -> (key: PageKey, skip: PageSkip)? {
    let shifts = continuity == .overlapping || finds == .pages
    if case .gap(let id) = jump.edge, timeline.evicted.runs[id] != nil { return nil }
    var end: PageKey?
    if case .gap(let id) = jump.edge, !shifts {
      guard let gap = timeline.index(ofGap: id), let upper = keyAbove(gap, in: timeline),
        let lower = timeline.key(below: gap + 1)
      else { return nil }
      end = jump.side == .above ? lower.key : upper.key
    }
    if jump.side == .below {
      return keyBelow(jump.edge, in: timeline).map {
        ($0.key, PageSkip(count: jump.skipped, end: end))
      }
    }
    let index: Int? =
      if case .gap(let id) = jump.edge { timeline.index(ofGap: id) } else { timeline.count }
    return index.flatMap { skip(jump.skipped, below: $0, to: end, in: timeline) }
  }

  /// Returns the key that leads to some rows below an index, and the rows to skip from its page.
  func skip(
    _ rows: Int, below index: Int, to end: PageKey? = nil, in timeline: Timeline
  ) -> (key: PageKey, skip: PageSkip)? {
    keyAbove(index, in: timeline).map { key, passed in
      // A page of a list that counts rows begins with the row of the key.
      let repeated = continuity == .overlapping && finds == .rows ? 1 : 0
      return (key, PageSkip(count: rows + passed + repeated, end: end))
    }
  }

  /// Returns the last key above an index, and how many rows below its row the index is.
  ///
  /// It is `nil` if a gap is between them.
  private func keyAbove(_ index: Int, in timeline: Timeline) -> (key: PageKey, passed: Int)? {
    guard let (key, item) = timeline.key(above: index), let row = timeline.index(of: item),
      timeline.gapCount(in: row..<index) == 0
    else { return nil }
    return (key, index - 1 - row)
  }

  /// Whether the total is the same as when rows were last read beside others.
  private var isTotalSteady: Bool { shiftedAfter == nil && total.total?.exact != nil }

  /// Returns how far from loaded rows a page has to be, of a list whose pages shift.
  ///
  /// If the total is that of the loaded pages, the number of rows above a page proves its place.
  /// If not, rows may have shifted by about as many as no number accounts for. The margin is twice
  /// as many, and a page. The result is `nil` if that is unknown.
  private func margin(at edge: FeedEdge, in timeline: Timeline) -> Int? {
    guard let total = total.total?.exact else { return nil }
    let isExact =
      switch edge {
      case .gap(let id): unloaded.size(of: id, in: timeline)?.exact != nil
      default: unloaded.rows(above: edge, in: timeline)?.exact != nil
      }
    let rows = unloaded.imbalance(of: total, in: timeline)
    if shiftedAfter == nil, isExact, (rows ?? 0) == 0 { return 0 }
    return rows.map { 2 * min($0, RowTotal.limit) + max(1, configuration.pageSize) }
  }

  /// Returns whether the place of a page is certain, of a list whose pages shift.
  ///
  /// The gap has room for the page and the rows that are skipped, with a margin if rows may have
  /// shifted.
  private func isCertain(
    _ page: Page<AnyItem, PageKey>, of jump: Jump, skipping skipped: Int, _ plan: MergePlan,
    in timeline: Timeline
  ) -> Bool {
    guard page.total?.exact == total.total?.exact, let margin = margin(at: jump.edge, in: timeline)
    else { return false }
    if margin > 0, skipped < margin { return false }
    guard case .gap(let id) = jump.edge else { return true }
    guard let size = unloaded.size(of: id, in: timeline)?.count else { return false }
    let end = skipped + page.items.count + margin
    // The row that a page repeats, or the rows below the gap that a whole page has too.
    return finds == .pages ? end <= size || plan.meetsKnown : end <= size + 1
  }

  /// Returns how many rows at the edge of a jump are above its page; `nil` if that is unknown.
  ///
  /// The key of a list whose pages shift may count from another row by now, so the answer counts.
  /// The number is negative if a page begins above the edge.
  private func skipped(
    by jump: Jump, to page: Page<AnyItem, PageKey>, in timeline: Timeline
  ) -> RowTotal? {
    let shifts = continuity == .overlapping && jump.side == .above
    guard finds == .pages || shifts else { return .exact(jump.skipped) }
    guard let rowsAbove = page.rowsAbove?.count, 0...RowTotal.limit ~= rowsAbove,
      let edge = unloaded.rows(above: jump.edge, in: timeline)
    else { return finds == .pages ? nil : .exact(jump.skipped) }
    let skipped = rowsAbove - edge.count
    let isExact = edge.exact != nil && margin(at: jump.edge, in: timeline) == 0
    return isExact ? .exact(skipped) : .estimated(skipped)
  }

  /// Returns whether no key leads any more to the rows of a jump, or to those read again.
  func hasLostItsWay(_ load: Load, in timeline: Timeline) -> Bool {
    if load.edge.isReread { return target(ofReread: load.edge, in: timeline) == nil }
    return load.jump.map { target(of: $0, in: timeline) == nil } ?? false
  }

  /// Returns requests for the gaps beside inserted rows that should have no rows.
  ///
  /// The numbers of pages do not prove that two pages adjoin. A page that is read with the one
  /// above it does, and closes the gap (rule T5).
  func asksForEmptyGaps(beside edit: TimelineEdit, in timeline: Timeline) -> [LoadAsk] {
    guard finds == .pages, let first = edit.inserted.first, let last = edit.inserted.last else {
      return []
    }
    let start = timeline.content.index(of: first.order) - 1
    let end = timeline.content.index(of: last.order) + 2
    let gaps = timeline.gaps(in: max(0, start)..<min(end, timeline.count))
    return gaps.map(\.gap).filter {
      !$0.isStored && unloaded.size(of: $0.id, in: timeline) == .exact(0)
        && failures[.gap($0.id)] == nil
    }.map { LoadAsk(.gap($0.id)) }
  }

  /// Returns a jump to rows halfway, after the source had no rows at the end of a shorter list.
  private func shorter(_ jump: Jump) -> Jump? {
    guard finds == .rows, jump.edge == .next, jump.skipped > configuration.pageSize,
      continuity == .stable || isTotalSteady
    else { return nil }
    return Jump(row: jump.row, edge: .next, side: .above, skipped: jump.skipped / 2)
  }

  /// Returns whether the row of a jump is at another edge by now, or loaded.
  func isElsewhere(_ jump: Jump, in timeline: Timeline) -> Bool {
    unloaded.row(at: jump.row, in: timeline)?.edge != jump.edge
  }

  /// Looks for the row of a jump again, because other rows are at its edge by now.
  mutating func jumpAgain(_ load: Load, _ jump: Jump, in timeline: Timeline) -> [LoadAction] {
    queue.remove(load.ticket)
    let waiters = load.demand.waiters.keys.sorted()
    guard let ask = located(LoadAsk(rowAt: jump.row, waiter: nil), in: timeline) else {
      return waiters.map { .resume([$0], .idle) }
    }
    guard let edge = edgeToLoad(ask.edge, in: timeline) else {
      return waiters.map { .resume([$0], .end) }
    }
    return begin(edge, insteadOf: load, from: ask.side, middle: ask.middle, in: timeline)
  }

  /// Loads the edge of a jump from its nearer side instead, for the same callers.
  ///
  /// A load whose edge has no more rows ends, and so does one that reads rows again.
  mutating func loadNearer(_ load: Load, in timeline: Timeline) -> [LoadAction] {
    guard let jump = load.jump, let edge = edgeToLoad(jump.edge, in: timeline) else {
      queue.remove(load.ticket)
      let state = load.edge.isReread ? LoadState.idle : .end
      return load.demand.waiters.keys.sorted().map { .resume([$0], state) }
    }
    return begin(edge, insteadOf: load, from: jump.side, in: timeline)
  }

  /// Begins a load instead of a jump, for the same callers.
  private mutating func begin(
    _ edge: FeedEdge, insteadOf load: Load, from side: Gap.Side, middle: Int? = nil,
    in timeline: Timeline
  ) -> [LoadAction] {
    queue.remove(load.ticket)
    let demand = load.demand.moved(to: edge.shown)
    let joined: Void? = queue.update(edge) { $0.demand.join(demand) }
    if joined != nil { return [] }
    let actions = begin(edge, from: side, middle: middle, demand, in: timeline)
    queue.update(edge) {
      ($0.attempts.retries, $0.attempts.spent) = (load.attempts.retries, load.attempts.spent)
    }
    return actions
  }

  /// Decides about a page of a jump.
  ///
  /// If its place is not certain, the edge is loaded from its nearer side, which proves all.
  mutating func readFar(
    _ page: Page<AnyItem, PageKey>, _ jump: Jump, _ skip: PageSkip, for load: Load,
    in timeline: Timeline
  ) -> PageDecision {
    var load = load
    // The row from which rows were skipped was moved or removed, or other rows follow it.
    guard let target = target(of: jump, in: timeline), target.key == load.request.key,
      target.skip == skip
    else { return .wait(restart(load, in: timeline)) }
    load.walk.readIDs = []
    if page.items.isEmpty, let shorter = shorter(jump) {
      return .wait(begin(.jump(shorter), insteadOf: load, from: .above, in: timeline))
    }
    let shifts = (page.continuity ?? continuity) == .overlapping || finds == .pages
    let skipped = skipped(by: jump, to: page, in: timeline)
    guard !page.items.isEmpty, let skipped, let run = extend(&load, with: page),
      let plan = timeline.matchApart(run, at: jump.edge.place),
      !shifts || isCertain(page, of: jump, skipping: skipped.count, plan, in: timeline),
      skipped.count >= 0 || !plan.needsGapAbove
    else {
      let isElsewhere = isElsewhere(jump, in: timeline)
      return .wait(
        isElsewhere ? jumpAgain(load, jump, in: timeline) : loadNearer(load, in: timeline))
    }
    load.walk.run = run
    load.walk.skipped = skipped
    // A server that ignores the position would have repeated the known head of the list.
    if shifts, plan.isNew, timeline.head == .end, page.invalidItems == 0,
      case let (item, .estimated(rowsAbove))? = load.request.position
    {
      load.request.position = (item, .exact(rowsAbove))
    }
    let reachesHead = jump.edge == .previous && page.previous == nil
    return merge(run, plan, for: load, then: .apart(reachesHead: reachesHead), in: timeline)
  }
}
