internal import FreshetLists

/// A list that shows an edit from the moment it is made until its source has decided on it.
protocol OptimisticList<Item>: EditableList {
  /// Shows an edit before the source knows it; it is on display on return if the list is idle.
  ///
  /// - Parameter isShared: whether the other lists of the identity map show it, too.
  /// - Returns: the number of the edit.
  func begin(_ edit: OptimisticEdit, isShared: Bool) -> Int
  /// Ends an edit that the source took, with the item as the source returned it, if it did.
  func confirm(_ edit: Int, as item: AnyItem?) async
  /// Ends an edit that the source did not take.
  func undo(_ edit: Int) async
  /// Returns whether an item is on display, after all edits before.
  func displays(_ id: RowID) async -> Bool
  /// Returns once all edits that were begun are on display.
  func awaitEdits() async
}

extension OptimisticList {
  /// Shows an edit, sends it, and confirms or undoes it.
  func perform<Answer: Sendable>(
    _ edit: OptimisticEdit, _ commit: () async throws -> Answer
  ) async throws -> Answer {
    let number = begin(edit, isShared: true)
    return try await send(commit) {
      await confirm(number, as: $0)
    } undo: {
      await undo(number)
    }
  }
}
