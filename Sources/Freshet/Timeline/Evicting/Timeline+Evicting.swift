internal import FreshetLists

// Eviction of rows to disk, and their restoration.
extension Timeline {
  /// The map from rows in memory to indices on disk.
  ///
  /// - Complexity: O(1).
  var stored: DiskIndexMap { evicted.stored(self) }

  /// The rows that no answer has included, as indices on disk.
  ///
  /// They are the ones in memory and the ones that are only on disk.
  var unprovenOnDisk: [Range<Int>] { evicted.unproven(in: self) }

  /// Returns whether an older version of an item may be on disk.
  func mayBeStored(_ id: RowID) -> Bool { evicted.mayBeStored(id, beside: self) }

  /// Replaces rows with a gap.
  ///
  /// - Parameter isStored: whether the rows are on disk.
  mutating func evict(_ range: Range<Int>, isStored: Bool) -> TimelineEdit {
    withEvicted { $0.evict(range, isStored: isStored, from: &$1) }
  }

  /// Replaces a gap that represents rows on disk, or a part of the gap, with those rows.
  ///
  /// - Parameters:
  ///   - part: the rows to restore, counted from the first one of the gap.
  ///   - items: the items among those rows, shown or not.
  mutating func restore(
    _ gap: Gap.ID, _ part: Range<Int>, of items: Set<RowID>, with rows: [NewRow]
  ) -> TimelineEdit {
    withEvicted { $0.restore(gap, part, of: items, with: rows, in: &$1) }
  }

  /// Records the rows that stay on disk after those that were read, and the gap for them.
  ///
  /// - Parameter unproven: the rows that no answer has included, counted from the first one.
  mutating func leave(
    _ count: Int, behind gap: Gap, below item: RowID?, unproven: [Range<Int>]
  ) {
    withEvicted { rows, _ in rows.leave(count, behind: gap, below: item, unproven: unproven) }
  }

  /// Marks the rows on disk at these gaps as lost, so that only the gaps remain.
  mutating func forgetEvicted(_ gaps: [Gap.ID]) {
    withEvicted { rows, _ in rows.forget(runs: gaps) }
  }

  /// Prepares for the removal of a row, after which its neighbours are adjacent.
  ///
  /// A segment on disk beside the row gets the row's other neighbour instead. If the item may be
  /// on disk too, that copy is outdated from now on.
  mutating func rebindEvicted(beside id: RowID) {
    withEvicted { $0.rebind(id, in: $1) }
  }

  /// Updates the rows on disk after a change of the timeline.
  ///
  /// A gap that has other neighbours now may be left to the source.
  mutating func followEvicted(_ edit: inout TimelineEdit) {
    if evicted.isIdle { return }
    withEvicted { $0.follow(&edit, &$1) }
  }
}
