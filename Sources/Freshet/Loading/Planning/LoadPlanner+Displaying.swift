internal import FreshetLists
internal import struct Foundation.Date

// Rows that appear on screen, and the loads they cause.
extension LoadPlanner {
  /// Requests the loads that are needed because a row appears on screen.
  ///
  /// Near an end, it requests more rows. If the row is old, it requests the row's page again. It
  /// does not retry failed edges (rule R4).
  ///
  /// - Returns: `nil` if it requests nothing.
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

  /// Returns requests for the rows on disk near a row that appears on screen.
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
