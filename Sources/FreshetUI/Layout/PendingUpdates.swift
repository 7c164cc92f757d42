internal import FreshetLists

/// The changes between the rows that a view shows and those of its list.
///
/// They are rows that the user dragged, and steps that are held back until the view can take them.
struct PendingUpdates<Row: ListItem> {
  /// The changes from the rows on screen to those of the list.
  enum Way {
    /// The rows are the same.
    case none
    case step(ListStep<Row>)
    /// The changes could be found only by comparing the lists.
    case unknown

    /// Combines two steps, one after the other.
    init(_ first: ListStep<Row>, _ next: ListStep<Row>) {
      self = first.followed(by: next).map(Way.step) ?? .unknown
    }
  }

  private var way = Way.none

  /// Adds a step of the list.
  mutating func add(_ next: ListStep<Row>) {
    way =
      switch way {
      case .none: .step(next)
      case .step(let first): Way(first, next)
      case .unknown: .unknown
      }
  }

  /// Records that the user dragged a row, which the view shows at its new place already.
  ///
  /// - Parameters:
  ///   - move: the path of the row before the drag, and its path now.
  ///   - before: the rows that were shown.
  ///   - after: the rows that are shown now.
  mutating func drag(
    _ move: ListChanges.Move, from before: ListSnapshot<Row>, to after: ListSnapshot<Row>
  ) {
    var changes = ListChanges()
    changes.movedRows = [ListChanges.Move(from: move.to, to: move.from)]
    let back = ListStep(before: after, after: before, changes: changes, origin: .edit)
    way =
      switch way {
      case .none: .step(back)
      case .step(let step): Way(back, step)
      case .unknown: way
      }
  }

  /// Returns the pending changes as one batch, and clears them.
  ///
  /// Rows that were dragged and that the list did not move return to their old place.
  mutating func take() -> Way {
    defer { way = .none }
    return way
  }

  /// Returns the path at which a row of the list is shown.
  ///
  /// It is `nil` if the row is not shown yet, or if its path is not known.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows in the pending changes.
  func shownPath(of path: RowPath) -> RowPath? {
    switch way {
    case .none: path
    case .step(let step): BatchIndexMap(step.changes.reversed).place(of: path)
    case .unknown: nil
    }
  }
}

extension ListChanges {
  /// The opposite changes, without those of contents.
  fileprivate var reversed: ListChanges {
    var back = ListChanges()
    (back.deletedSections, back.insertedSections) = (insertedSections, deletedSections)
    (back.deletedRows, back.insertedRows) = (insertedRows, deletedRows)
    back.movedRows = movedRows.map { Move(from: $0.to, to: $0.from) }
    return back
  }
}
