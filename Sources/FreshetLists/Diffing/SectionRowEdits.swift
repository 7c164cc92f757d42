/// The edits of the rows of one section that stays.
///
/// `ListStep` finds moved rows by id, in this section or across sections, and moves the fewest of
/// them.
@usableFromInline
package struct SectionRowEdits: Sendable {
  /// The section's index before the update.
  @usableFromInline package var before: Int
  /// The section's index after it.
  @usableFromInline package var after: Int
  /// The edits of its rows.
  @usableFromInline package var rows: RowEdits
  /// The hashes of its rows' ids before and after, as far as they are known.
  @usableFromInline var (oldHashes, newHashes) = (RowHashes(), RowHashes())

  /// Creates the edits of a section.
  @inlinable
  package init(before: Int, after: Int, rows: RowEdits = RowEdits()) {
    self.before = before
    self.after = after
    self.rows = rows
  }
}

/// Rows that are consecutive before and after: untouched rows, or one row inserted again.
///
/// There may be as many runs as rows, so each is kept small.
@usableFromInline
struct RowRun {
  @usableFromInline let before: Int32
  @usableFromInline let after: Int32
  @usableFromInline let count: Int32
  /// The index of the row among the inserted rows, if it was inserted again; otherwise -1.
  @usableFromInline let inserted: Int32

  @inlinable
  init(before: Int, after: Int, count: Int, inserted: Int = -1) {
    self.before = Int32(before)
    self.after = Int32(after)
    self.count = Int32(count)
    self.inserted = Int32(inserted)
  }
}

extension RowEdits {
  /// Returns the runs of untouched rows between the edits, which the edits alone determine.
  ///
  /// - Complexity: O(edits).
  @inlinable
  func untouchedRuns(rowsBefore: Int) -> [RowRun] {
    var runs: [RowRun] = []
    runs.reserveCapacity(deleted.count + inserted.count + 1)
    var (old, new) = (0, 0)
    var (nextDeleted, nextInserted) = (0, 0)
    while true {
      while nextDeleted < deleted.count, deleted[nextDeleted] == old {
        old += 1
        nextDeleted += 1
      }
      while nextInserted < inserted.count, inserted[nextInserted] == new {
        new += 1
        nextInserted += 1
      }
      let untilDeleted = (nextDeleted < deleted.count ? deleted[nextDeleted] : rowsBefore) - old
      var length = untilDeleted
      if nextInserted < inserted.count { length = min(length, inserted[nextInserted] - new) }
      guard length > 0 else { return runs }
      runs.append(RowRun(before: old, after: new, count: length))
      old += length
      new += length
    }
  }
}
