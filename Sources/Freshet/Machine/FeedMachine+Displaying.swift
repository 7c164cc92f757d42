internal import FreshetLists
internal import struct Foundation.Date

// What comes on screen, and asks for more.
extension FeedMachine {
  /// An item comes on screen: near an end, that asks for more, and where it is old, for its page
  /// (but does not retry: rule R4).
  mutating func willDisplay(_ id: RowID, at now: Date) -> [Effect] {
    reader.displayed = id
    guard timeline.count > 0, let index = presentation.overlay.timelineIndex(of: id, in: timeline)
    else { return [] }
    var effects = renew(min(index, timeline.count - 1), at: now) + reload(around: index)
    if timeline.tail == .open, timeline.endGap == nil, failures[.next] == nil,
      index >= timeline.count - configuration.prefetchDistance
    {
      effects += load(.next)
    }
    if timeline.head == .open, failures[.previous] == nil, index < configuration.prefetchDistance,
      timeline.key(below: 0) != nil
    {
      effects += load(.previous)
    }
    return effects
  }

  /// Asks again for the page of a row that is older than it may be (rule T3), once in that time.
  private mutating func renew(_ index: Int, at now: Date) -> [Effect] {
    guard let staleAfter = configuration.staleAfter?.seconds, !isRestoring,
      failures[.refresh] == nil
    else { return [] }
    // A date in the future is of a clock that went wrong.
    let isFresh = { (date: Date) in abs(now.timeIntervalSince(date)) < staleAfter }
    if let date = timeline.fetchedAt(index), isFresh(date) { return [] }
    reader.renewals = reader.renewals.filter { isFresh($0.value) }
    let (key, first) = timeline.startOfPage(around: index)
    guard let id = timeline.rows[first].item?.id, reader.renewals[id] == nil else { return [] }
    // What leads here may be on disk, and near: then it is being read.
    if first > 0, timeline.rows[first - 1].gap?.isStored == true { return [] }
    reader.renewals[id] = now
    if first == 0 { return load(.refresh) }
    guard let key, continuity == .stable else { return load(.refresh, scope: .visible) }
    return load(.page(key))
  }

  /// Reads rows back that are on disk near a row that comes on screen.
  mutating func reload(around index: Int) -> [Effect] {
    var effects: [Effect] = []
    if timeline.evicted.runs.isEmpty { return effects }
    let distance = max(1, configuration.prefetchDistance)
    let near = max(0, index - distance)..<min(timeline.count, index + distance + 1)
    for (gap, row) in timeline.gaps(in: near)
    where timeline.evicted.runs[gap.id] != nil && failures[.gap(gap.id)] == nil {
      effects += load(.gap(gap.id), from: row > index ? .above : .below)
    }
    return effects
  }
}
