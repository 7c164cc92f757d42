/// What became of the rows of one section that stays.
///
/// `ListUpdate` finds the rows that moved by id, in this section or across sections, and moves the
/// fewest of them.
@usableFromInline
package struct SectionEdits: Sendable {
  /// The section's index before the update.
  @usableFromInline package var before: Int
  /// The section's index after it.
  @usableFromInline package var after: Int
  /// What became of its rows.
  @usableFromInline package var rows: RowEdits

  /// Creates the edits of a section.
  @inlinable
  package init(before: Int, after: Int, rows: RowEdits = RowEdits()) {
    self.before = before
    self.after = after
    self.rows = rows
  }
}

/// Rows that stand one behind the other before and after: untouched rows, or one that came back.
@usableFromInline
struct RowRun {
  @usableFromInline var before: Int
  @usableFromInline var after: Int
  @usableFromInline var count: Int

  @inlinable
  init(before: Int, after: Int, count: Int) {
    self.before = before
    self.after = after
    self.count = count
  }
}

extension RowEdits {
  /// The runs of untouched rows between the edits, which need not be listed to be known.
  ///
  /// - Complexity: O(edits).
  @inlinable
  func untouchedRuns(rowsBefore: Int) -> [RowRun] {
    var runs: [RowRun] = []
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
