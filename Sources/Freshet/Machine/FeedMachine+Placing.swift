internal import FreshetLists
internal import struct Foundation.Date

// Changes that the source reports together with the neighbours of each row.
extension FeedMachine {
  /// Applies the changes from one state of the source to the next (rule W8).
  ///
  /// Changes that are older than those before are dropped (rule W9).
  mutating func take(_ changes: PlacedChanges<AnyItem>, after request: Int, at now: Date) {
    guard planner.isNews(changes.version) else { return }
    rows.timeline.isSorted = true
    if changes.isComplete { place(changes, after: request, at: now) }
  }

  /// Applies a reading of all loaded rows, after changes that are not known in detail.
  ///
  /// - Parameters:
  ///   - read: the present rows of each segment.
  ///   - segments: the segments as they were when the reading began.
  ///   - version: the state of the source at that time.
  /// - Returns: whether the reading is up to date; if not, it has no effect.
  mutating func take(
    _ read: [[AnyItem]], of segments: [Timeline.Segment], version: Int, at now: Date
  ) -> Bool {
    guard version >= planner.sourceVersion ?? 0, rows.timeline.segments == segments else {
      return false
    }
    for (items, segment) in zip(read, segments) {
      place(
        rows.changes(of: segment, to: items), after: planner.lastRequest, at: now)
    }
    return true
  }

  private mutating func place(
    _ changes: PlacedChanges<AnyItem>, after request: Int, at now: Date
  ) {
    let gaps = rows.storedGaps(of: changes)
    for id in changes.removed where rows.timeline.index(of: id) != nil {
      apply(rows.remove(id, because: .event, at: now), at: now)
    }
    var pending = Set(changes.placed.lazy.map(\.item.id))
    for placement in changes.placed {
      pending.remove(placement.item.id)
      while let id = rows.obstacle(to: placement, among: pending) {
        apply(rows.remove(id, because: .event, at: now), at: now)
      }
      apply(rows.place(placement, among: pending, after: request, at: now), at: now)
    }
    // The neighbour below some of them was only placed after them.
    for placement in changes.placed.reversed() where rows.isMissing(placement.item.id) {
      apply(rows.place(placement, among: [], after: request, at: now), at: now)
    }
    if !gaps.isEmpty { leaveToSource(gaps, at: now) }
    settle(at: now)
  }

  /// Forgets rows on disk, which the source has changed since.
  private mutating func leaveToSource(_ gaps: [Gap.ID], at now: Date) {
    planner.forgetUsedKeys()
    let step = absorb(rows.forgetStored(gaps, at: now))
    publish(step)
    save(step)
  }
}
