internal import FreshetLists
internal import struct Foundation.Date

// What comes on screen, and asks for more.
extension LoadPlanner {
  /// A row comes on screen: near an end, that asks for more, and if it is old, for its page (but
  /// does not retry: rule R4).
  ///
  /// - Returns: `nil` if it asks for nothing.
  mutating func rowAppears(at index: Int, in timeline: Timeline, at now: Date) -> [LoadAction]? {
    var asks = asksForRows(around: index, in: timeline)
    if let renewal = renewal(of: min(index, timeline.count - 1), in: timeline, at: now) {
      asks.insert(renewal, at: 0)
    }
    if timeline.tail == .open, timeline.endGap == nil, failures[.next] == nil,
      index >= timeline.count - configuration.prefetchDistance
    {
      asks.append(LoadAsk(.next))
    }
    if timeline.head == .open, failures[.previous] == nil, index < configuration.prefetchDistance,
      timeline.key(below: 0) != nil
    {
      asks.append(LoadAsk(.previous))
    }
    return asks.isEmpty ? nil : asks.flatMap { load($0, in: timeline) }
  }

  /// The page of a row that is older than it may be (rule T3), once in that time.
  private mutating func renewal(
    of index: Int, in timeline: Timeline, at now: Date
  ) -> LoadAsk? {
    guard let staleAfter = configuration.staleAfter?.seconds, deferred == nil,
      failures[.refresh] == nil
    else { return nil }
    if let date = timeline.fetchedAt(index), PageRenewals.isFresh(date, staleAfter, at: now) {
      return nil
    }
    let (key, first) = timeline.startOfPage(around: index)
    // What leads here may be on disk, and near: then it is being read.
    if first > 0, timeline.rows[first - 1].gap?.isStored == true { return nil }
    guard let id = timeline.rows[first].item?.id, renewals.begin(id, staleAfter, at: now) else {
      return nil
    }
    var ask = LoadAsk(.refresh)
    if first > 0 {
      if let key, continuity == .stable { ask.edge = .page(key) } else { ask.scope = .visible }
    }
    return ask
  }

  /// The rows on disk near a row that comes on screen.
  private func asksForRows(around index: Int, in timeline: Timeline) -> [LoadAsk] {
    if timeline.evicted.runs.isEmpty { return [] }
    let distance = max(1, configuration.prefetchDistance)
    let near = max(0, index - distance)..<min(timeline.count, index + distance + 1)
    return timeline.gaps(in: near).compactMap { gap, row in
      guard timeline.evicted.runs[gap.id] != nil, failures[.gap(gap.id)] == nil else { return nil }
      var ask = LoadAsk(.gap(gap.id))
      ask.side = row > index ? .above : .below
      return ask
    }
  }
}
