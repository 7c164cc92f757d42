internal import FreshetLists

/// The result of one step for the rows, before it is published.
///
/// It is passed between many functions and has many parts: a reference is cheaper to copy.
final class RowChange: Sendable {
  let cause: RowTrace.Cause
  /// The change of the timeline.
  let edit: TimelineEdit
  /// The same change, as indices.
  let rows: RowEdits
  /// The disk indices of the rows before the step.
  let stored: DiskIndexMap
  /// The snapshot before the step.
  let shown: ListSnapshot<ListRow<AnyItem>>
  /// The changes from that snapshot to the next one.
  let changes: ListChanges
  /// The number of rows that were in the answer more than once.
  let duplicates: Int

  init(
    _ cause: RowTrace.Cause, edit: TimelineEdit, rows: RowEdits, stored: DiskIndexMap,
    shown: ListSnapshot<ListRow<AnyItem>>, changes: ListChanges, duplicates: Int = 0
  ) {
    (self.cause, self.edit, self.rows, self.stored) = (cause, edit, rows, stored)
    (self.shown, self.changes, self.duplicates) = (shown, changes, duplicates)
  }
}
