internal import FreshetLists

/// What one step did to the rows, before anybody is told.
struct RowChange {
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
  /// Rows that came more than once.
  var duplicates = 0
}
