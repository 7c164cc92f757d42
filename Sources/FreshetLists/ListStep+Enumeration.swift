/// A section that came or went.
public enum ListSectionChange: Equatable, Sendable {
  /// It went, from an index before the batch.
  case deleted(name: String, at: Int)
  /// It came, to an index after the batch.
  case inserted(name: String, at: Int)
}

/// A row that came, went, moved or changed, as `NSFetchedResultsController` tells it.
///
/// Each row is told of once. All that a delegate does goes into one batch: deletions, the sources
/// of moves and `reloadRows(at:)` count in the list before it, insertions and the targets of moves
/// in the list after it. `reconfigureRows(at:)` and `cellForRow(at:)` after the batch want the
/// place after it.
public enum ListRowChange<Item: ListItem>: Equatable, Sendable {
  /// It went, from a place before the batch.
  case deleted(Item, at: RowPath)
  /// It came, to a place after the batch.
  case inserted(Item, at: RowPath)
  /// It moved, from a place before the batch to one after it; its contents may have changed too: a
  /// view cannot move and reload a row in one batch, so configure it anew once the batch is done.
  case moved(Item, from: RowPath, to: RowPath)
  /// Its contents changed: reload it inside of the batch at the place before it (`from`), or
  /// configure it anew at the place after it (`to`) once the batch is done.
  case updated(Item, from: RowPath, to: RowPath)
}

// The changes one by one, as `NSFetchedResultsController` tells them.
extension ListStep {
  /// Tells of each section that went, then of each that came.
  ///
  /// - Complexity: O(*k*) for *k* sections that are told of.
  public func enumerateSectionChanges(_ body: (ListSectionChange) -> Void) {
    for section in changes.deletedSections {
      body(.deleted(name: before.sections[section].name, at: section))
    }
    for section in changes.insertedSections {
      body(.inserted(name: after.sections[section].name, at: section))
    }
  }

  /// Tells of each row that went, came, moved and changed, in this order.
  ///
  /// Rows of a section that came or went are told of too: a view that performs the section's change
  /// leaves them out.
  ///
  /// - Parameters:
  ///   - withSections: whether rows of sections that came or went are told of.
  ///   - body: is told of each row.
  /// - Complexity: O(*k* log *n*) for *k* rows that are told of.
  public func enumerateRowChanges(
    withSections: Bool = true, _ body: (ListRowChange<Item>) -> Void
  ) {
    for path in paths(changes.deletedRows, withSections ? changes.deletedSections : [], before) {
      body(.deleted(before[path], at: path))
    }
    for path in paths(changes.insertedRows, withSections ? changes.insertedSections : [], after) {
      body(.inserted(after[path], at: path))
    }
    for move in changes.movedRows { body(.moved(after[move.to], from: move.from, to: move.to)) }
    let moved = Set(changes.movedRows.map(\.to))
    for (from, to) in zip(changes.updatedRowsBefore, changes.updatedRows) where !moved.contains(to)
    {
      body(.updated(after[to], from: from, to: to))
    }
  }

  private func paths(
    _ rows: [RowPath], _ sections: [Int], _ list: ListSnapshot<Item>
  ) -> [RowPath] {
    guard !sections.isEmpty else { return rows }
    let whole = sections.flatMap { section in
      list.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
    return (rows + whole).sorted()
  }
}
