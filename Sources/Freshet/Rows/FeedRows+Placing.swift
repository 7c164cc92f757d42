internal import FreshetLists
internal import struct Foundation.Date

// The changes that the source reports together with the neighbours of each row.
extension FeedRows {
  /// Returns the row to remove before an item can be placed.
  func obstacle(to placement: Timeline.Placement, among pending: Set<RowID>) -> RowID? {
    timeline.obstacle(to: placement, among: pending)
  }

  /// Puts an item between its neighbours, or removes it if the rows there are not loaded.
  ///
  /// - Parameter request: the last request before the change.
  /// - Returns: `nil` if the item is not loaded before or after.
  mutating func place(
    _ placement: Timeline.Placement, among pending: Set<RowID>, after request: Int, at now: Date
  ) -> RowChange? {
    let item = placement.item
    let position = timeline.position(of: placement, among: pending)
    if case .unloaded = position, timeline.index(of: item.id) == nil { return nil }
    noteEdited(Run(items: [item], requests: [request]), merged: 0..<1)
    return change(.event, at: now) { rows in
      switch position {
      case .same: rows.timeline.update(placement)
      case .new(let index): rows.timeline.insert(placement, at: index)
      case .unloaded: rows.take(out: item.id)
      }
    }
  }

  /// Returns the changes that lead from the rows of a segment to its present rows.
  ///
  /// - Complexity: O(*n* × changes) for a segment of *n* rows.
  func changes(of segment: Timeline.Segment, to items: [AnyItem]) -> PlacedChanges<AnyItem> {
    let present = Set(items.lazy.map(\.id))
    let kept = segment.ids.filter(present.contains)
    var changed: Set<Int> = []
    for change in items.map(\.id).difference(from: kept).insertions {
      if case .insert(let index, _, _) = change { changed.insert(index) }
    }
    for (index, item) in items.enumerated() where timeline.item(item.id) != item {
      changed.insert(index)
    }
    let isHead = segment.previous == nil && timeline.head == .end
    return PlacedChanges(
      removed: segment.ids.filter { !present.contains($0) },
      placed: changed.sorted().map { index in
        Timeline.Placement(
          items[index],
          // Of the first row, what is above it is not known.
          above: index > 0 ? items[index - 1].id : isHead ? nil : items[index].id,
          below: index < items.count - 1 ? items[index + 1].id : nil)
      })
  }

  /// Returns the gaps that represent rows on disk, if the changes may concern these rows.
  func storedGaps(of changes: PlacedChanges<AnyItem>) -> [Gap.ID] {
    if timeline.evicted.runs.isEmpty { return [] }
    let ids = changes.placed.flatMap { [$0.item.id, $0.above, $0.below].compactMap(\.self) }
    let isConcerned = (ids + changes.removed).contains { timeline.mayBeStored($0) }
    return isConcerned ? timeline.evicted.runs.keys.sorted() : []
  }
}
