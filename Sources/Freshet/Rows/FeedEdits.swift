internal import FreshetLists

/// An edit of the user that is not sent to the source.
enum LocalEdit: Sendable {
  /// Inserts an item after another, or at the head; an item with the same id is moved there.
  case insert(AnyItem, after: RowID?)
  case remove(RowID)
  /// Moves an item after another, or to the head.
  case move(RowID, after: RowID?)
}

/// An edit of the user that is shown while it is sent to the source.
enum OptimisticEdit: Sendable {
  case update(RowID, by: @Sendable (inout AnyItem) -> Void)
  /// Inserts an item after another, or at the head.
  case insert(AnyItem, after: RowID?)
  case delete(RowID)
  /// Moves an item after another, or to the head.
  case move(RowID, after: RowID?)
}
