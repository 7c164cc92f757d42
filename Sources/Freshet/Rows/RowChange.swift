internal import FreshetLists

/// What one step did to the rows, before it is published.
///
/// It is handed from function to function, and made of many parts: one reference is copied faster.
final class RowChange: Sendable {
  let cause: RowTrace.Cause
  /// What became of the timeline.
  let edit: TimelineEdit
  /// The same, by index.
  let rows: RowEdits
  /// How the rows counted on disk before.
  let stored: DiskIndexMap
  /// What was shown before.
  let shown: ListSnapshot<ListRow<AnyItem>>
  /// What became of it.
  let changes: ListChanges
  /// How many rows came more than once.
  let duplicates: Int

  init(
    _ cause: RowTrace.Cause, edit: TimelineEdit, rows: RowEdits, stored: DiskIndexMap,
    shown: ListSnapshot<ListRow<AnyItem>>, changes: ListChanges, duplicates: Int = 0
  ) {
    (self.cause, self.edit, self.rows, self.stored) = (cause, edit, rows, stored)
    (self.shown, self.changes, self.duplicates) = (shown, changes, duplicates)
  }
}
