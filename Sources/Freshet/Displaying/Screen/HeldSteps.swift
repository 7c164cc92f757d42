internal import FreshetLists

/// What lies between the rows that a view shows and those of its list: rows that the reader dragged, and steps
/// that wait until the view can take them.
struct HeldSteps<Row: ListItem> {
  /// What leads from the rows on screen to those of the list; `nil` where they are the same.
  private var step: ListUpdate<Row>?
  /// Whether a step of the list is part of it: what the reader dragged alone is no step.
  private var isAnswered = false

  /// Takes in a step of the list.
  mutating func add(_ next: ListUpdate<Row>) {
    step = step?.followed(by: next) ?? next
    isAnswered = true
  }

  /// Takes in that the reader dragged a row, which the view shows already.
  ///
  /// - Parameters:
  ///   - move: where the row stood, and where it stands now.
  ///   - before: the rows that were shown.
  ///   - after: the rows that are shown now.
  mutating func drag(
    _ move: ListChanges.Move, from before: ListSnapshot<Row>, to after: ListSnapshot<Row>
  ) {
    var changes = ListChanges()
    changes.movedRows = [ListChanges.Move(from: move.to, to: move.from)]
    let back = ListUpdate(before: after, after: before, changes: changes, origin: .edit)
    step = step.map { back.followed(by: $0) } ?? back
  }

  /// The step to show, all of it as one batch; `nil` where the list did not say anything.
  ///
  /// Rows that were dragged stay where they are until it does.
  mutating func take() -> ListUpdate<Row>? {
    guard isAnswered else { return nil }
    defer { self = HeldSteps() }
    return step
  }

  /// Where a row of the list is shown; `nil` where it is not yet.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows that wait.
  func shownPath(of path: RowPath) -> RowPath? {
    guard let step else { return path }
    return StayingRows(step.changes.reversed).place(of: path)
  }
}

extension ListChanges {
  /// The way back, but for contents.
  fileprivate var reversed: ListChanges {
    var back = ListChanges()
    (back.deletedSections, back.insertedSections) = (insertedSections, deletedSections)
    (back.deletedRows, back.insertedRows) = (insertedRows, deletedRows)
    back.movedRows = movedRows.map { Move(from: $0.to, to: $0.from) }
    return back
  }
}
