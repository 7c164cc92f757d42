internal import FreshetLists

// Rows that are let go to disk, and read back.
extension Timeline {
  /// How the rows count on disk.
  ///
  /// - Complexity: O(1).
  var stored: DiskIndexMap { evicted.stored(self) }

  /// The rows that no answer has included, as indices on disk: those in memory, and those that are
  /// there alone.
  var unprovenOnDisk: [Range<Int>] { evicted.unproven(in: self) }

  /// Whether an older version of an item may be on disk.
  func mayBeStored(_ id: RowID) -> Bool { evicted.mayBeStored(id, beside: self) }

  /// Puts a gap in the place of rows.
  ///
  /// - Parameter isStored: whether they are on disk.
  mutating func evict(_ range: Range<Int>, isStored: Bool) -> TimelineEdit {
    withEvicted { $0.evict(range, isStored: isStored, from: &$1) }
  }

  /// Replaces the gap that represents rows on disk, or a part of it, by those rows.
  ///
  /// - Parameters:
  ///   - part: which rows on disk they are, counted from the first one at the gap.
  ///   - items: the items among those, shown or not.
  mutating func restore(
    _ gap: Gap.ID, _ part: Range<Int>, of items: Set<RowID>, with rows: [NewRow]
  ) -> TimelineEdit {
    withEvicted { $0.restore(gap, part, of: items, with: rows, in: &$1) }
  }

  /// Notes rows on disk behind those that were read, and the gap that represents them.
  ///
  /// - Parameter unproven: which of them no answer has included, counted from the first one.
  mutating func leave(
    _ count: Int, behind gap: Gap, below item: RowID?, unproven: [Range<Int>]
  ) {
    withEvicted { rows, _ in rows.leave(count, behind: gap, below: item, unproven: unproven) }
  }

  /// The rows on disk at these gaps are gone: only the gaps are left.
  mutating func forgetEvicted(_ gaps: [Gap.ID]) {
    withEvicted { rows, _ in rows.forget(runs: gaps) }
  }

  /// A row is to go whose neighbours keep to each other: what is on disk stands beside another one,
  /// and is an older copy where it is of the item.
  mutating func rebindEvicted(beside id: RowID) {
    withEvicted { $0.rebind(id, in: $1) }
  }

  /// What is on disk takes in what became of the rows, and may leave gaps to the source.
  mutating func followEvicted(_ edit: inout TimelineEdit) {
    if evicted.isIdle { return }
    withEvicted { $0.follow(&edit, &$1) }
  }
}
