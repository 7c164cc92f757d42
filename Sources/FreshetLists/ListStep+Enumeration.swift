/// A section that was deleted or inserted.
public enum ListSectionChange: Equatable, Sendable {
  /// A deleted section, at its index before the batch.
  case deleted(name: String, at: Int)
  /// An inserted section, at its index after the batch.
  case inserted(name: String, at: Int)
}

/// A row that changed, as `NSFetchedResultsController` reports it.
///
/// Each row is reported once. A delegate performs all changes in one batch. Deletions, the sources
/// of moves and `reloadRows(at:)` use paths before the batch. Insertions and the targets of moves
/// use paths after it. `reconfigureRows(at:)` and `cellForRow(at:)`, called once the batch is
/// done, need the path after it.
public enum ListRowChange<Item: ListItem>: Equatable, Sendable {
  /// A deleted row, at its path before the batch.
  case deleted(Item, at: RowPath)
  /// An inserted row, at its path after the batch.
  case inserted(Item, at: RowPath)
  /// A moved row, with its paths before and after the batch.
  ///
  /// Its contents may have changed too. A view cannot move and reload a row in one batch, so
  /// configure the row again once the batch is done.
  case moved(Item, from: RowPath, to: RowPath)
  /// A row whose contents changed, with its paths before and after the batch.
  ///
  /// Either reload it inside the batch at `from`, or configure it again at `to` once the batch is
  /// done.
  case updated(Item, from: RowPath, to: RowPath)
}

// The changes one by one, as `NSFetchedResultsController` reports them.
extension ListStep {
  /// Calls `body` with each deleted section, then with each inserted one.
  ///
  /// - Complexity: O(*k*) for *k* reported sections.
  public func enumerateSectionChanges(_ body: (ListSectionChange) -> Void) {
    for section in changes.deletedSections {
      body(.deleted(name: before.sections[section].name, at: section))
    }
    for section in changes.insertedSections {
      body(.inserted(name: after.sections[section].name, at: section))
    }
  }

  /// Calls `body` with each deleted, inserted, moved and updated row, in this order.
  ///
  /// By default, the rows of deleted and inserted sections are reported too. Pass `false` for
  /// `withSections` if the view performs the changes of sections.
  ///
  /// - Parameters:
  ///   - withSections: whether the rows of deleted and inserted sections are reported.
  ///   - body: the closure that receives each row.
  /// - Complexity: O(*k* log *n*) for *k* reported rows.
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
