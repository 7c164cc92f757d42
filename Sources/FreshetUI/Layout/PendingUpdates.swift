internal import FreshetLists

/// What lies between the rows that a view shows and those of its list: rows that the reader
/// dragged, and steps that wait until the view can take them.
struct PendingUpdates<Row: ListItem> {
  /// What leads from the rows on screen to those of the list.
  enum Way {
    /// They are the same.
    case none
    case step(ListStep<Row>)
    /// It would take a difference of the lists to tell.
    case unknown

    /// The way of two steps, one behind the other.
    init(_ first: ListStep<Row>, _ next: ListStep<Row>) {
      self = first.followed(by: next).map(Way.step) ?? .unknown
    }
  }

  private var way = Way.none

  /// Takes in a step of the list.
  mutating func add(_ next: ListStep<Row>) {
    way =
      switch way {
      case .none: .step(next)
      case .step(let first): Way(first, next)
      case .unknown: .unknown
      }
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
    let back = ListStep(before: after, after: before, changes: changes, origin: .edit)
    way =
      switch way {
      case .none: .step(back)
      case .step(let step): Way(back, step)
      case .unknown: way
      }
  }

  /// What is to be shown, all of it as one batch: rows that were dragged and that the list did not
  /// move go back.
  mutating func take() -> Way {
    defer { way = .none }
    return way
  }

  /// Where a row of the list is shown; `nil` where it is not yet, or where that is not known.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows that wait.
  func shownPath(of path: RowPath) -> RowPath? {
    switch way {
    case .none: path
    case .step(let step): BatchIndexMap(step.changes.reversed).place(of: path)
    case .unknown: nil
    }
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
