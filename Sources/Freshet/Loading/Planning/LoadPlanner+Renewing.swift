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
      } else if let segment = segment(of: first..<(first + 1), in: timeline) {
        ask.edge = segment
      } else {
        ask.scope = .visible
      }
    }
    return ask
  }

  // MARK: - Segments

  /// Returns the edge of some loaded rows below a gap.
  ///
  /// Their position is that of the gap, with its rows. Only rows that the page repeats prove that
  /// it is theirs, so that the number may be an estimate.
  ///
  /// - Returns: `nil` if no gap is above them, or if the source cannot find them there.
  private func segment(of rows: Range<Int>, in timeline: Timeline) -> FeedEdge? {
    guard finds != .nothing, !rows.isEmpty, rows.lowerBound > 0,
      let (gap, index) = timeline.gaps(in: 0..<rows.lowerBound).last
    else { return nil }
    // The row above is read too: the page repeats it, which proves that the others follow.
    let first = rows.lowerBound - index - 1 - (finds == .rows ? 1 : 0)
    let edge = FeedEdge.segment(
      below: gap.id, rows: max(0, first)..<(rows.upperBound - index - 1))
    return target(ofSegment: edge, in: timeline) == nil ? nil : edge
  }

  /// Returns the edge of the loaded rows on display, if they are below a gap.
  func displayedSegment(to last: Int, in timeline: Timeline) -> FeedEdge? {
    guard last > 0, let gap = timeline.gaps(in: 0..<last).last?.index else { return nil }
    // A page has one more row: the one above that it repeats.
    let first = last + 2 - max(2, configuration.pageSize)
    return segment(of: max(gap + 1, first)..<(last + 1), in: timeline)
  }

  /// Returns whether rows of a segment are left to be read after a run.
  func isLeft(of edge: FeedEdge, after plan: MergePlan, in timeline: Timeline) -> Bool {
    guard case .segment(let gap, let rows) = edge, let index = timeline.index(ofGap: gap),
      plan.end < timeline.count, timeline.rows[plan.end].gap == nil
    else { return false }
    return plan.end - index - 1 < rows.upperBound
  }

  /// Returns the key from which the rows of a segment are found, and the rows to skip.
  func target(
    ofSegment edge: FeedEdge, in timeline: Timeline
  ) -> (key: PageKey, skip: PageSkip)? {
    guard case .segment(let gap, let rows) = edge, let index = timeline.index(ofGap: gap),
      timeline.evicted.runs[gap] == nil, let size = unloaded.size(of: gap, in: timeline)
    else { return nil }
    return skip(size.count + rows.lowerBound, below: index, in: timeline)
  }

  /// Reads the rows on display again after a refresh of the head, for the same callers.
  ///
  /// - Returns: no action if the refresh has read them, or if it failed.
  mutating func readDisplayed(
    after load: inout Load, to last: Int, in timeline: Timeline
  ) -> [LoadAction] {
    guard load.edge == .refresh, load.scope == .visible, !load.readsWindows,
      failures[.refresh] == nil, let edge = displayedSegment(to: last, in: timeline)
    else { return [] }
    let demand = load.demand
    load.demand = Demand()
    let joined: Void? = queue.update(edge) { $0.demand.join(demand) }
    return joined == nil ? begin(edge, demand, in: timeline) : []
  }
}
