internal import FreshetLists

extension ListLayout {
  /// Returns the changes that lead a view from another layout to this one, as one batch.
  ///
  /// - Parameters:
  ///   - old: the layout that the view shows.
  ///   - changes: the changes of the list since then.
  ///   - gaps: the gaps of this list whose load states changed.
  /// - Complexity: O(*k*) for *k* changes, those of placeholders included.
  func changes(
    since old: ListLayout, _ changes: ListChanges, gaps: [RowPath] = []
  ) -> ListChanges {
    var all = placeholders.changes(changes, since: old.placeholders)
      .shifted(from: old.offset, to: offset)
    add(gaps.map(path(ofListRow:)), to: &all)
    let edges = edgeRows.changes(from: old.edgeRows)
    // A section of edges is the first or the last one.
    func before(_ section: Int) -> Int { section < old.offset ? 0 : old.numberOfSections - 1 }
    func after(_ section: Int) -> Int { section < offset ? 0 : numberOfSections - 1 }
    all.deletedSections.add(edges.deletedSections.map(before))
    all.insertedSections.add(edges.insertedSections.map(after))
    all.deletedRows.add(edges.deletedRows.map { RowPath(section: before($0.section), row: $0.row) })
    all.insertedRows.add(
      edges.insertedRows.map { RowPath(section: after($0.section), row: $0.row) })
    all.updatedRows.add(edges.updatedRows.map { RowPath(section: after($0.section), row: $0.row) })
    return all
  }

  /// Returns how many placeholders are inserted and removed beside changes of the list.
  ///
  /// - Complexity: O(*b* + *k*) for *b* blocks and *k* changes of the list.
  func placeholdersChanged(since old: ListLayout, _ changes: ListChanges) -> Int {
    if placeholders.isEmpty, old.placeholders.isEmpty { return 0 }
    let parts = placeholders.parts(changedBy: changes, since: old.placeholders)
    return (parts.deleted + parts.inserted).reduce(0) { $0 + $1.rows.count }
  }

  /// The edges as a list of their own.
  private var edgeRows: ListSnapshot<EdgeRow> {
    ListSnapshot(
      sections: [("head", head), ("foot", foot)].filter { !$0.1.isEmpty }.map {
        ListSection(name: $0.0, rows: RowTree($0.1))
      })
  }

  private func add(_ gaps: [RowPath], to changes: inout ListChanges) {
    guard !gaps.isEmpty else { return }
    let known = Set(changes.updatedRows + changes.insertedRows)
    let inserted = Set(changes.insertedSections)
    changes.updatedRows.add(
      gaps.filter { !known.contains($0) && !inserted.contains($0.section) })
  }
}

extension ListChanges {
  /// Returns the same changes for sections of the list that begin at other offsets.
  fileprivate func shifted(from old: Int, to new: Int) -> ListChanges {
    guard old != 0 || new != 0 else { return self }
    func before(_ path: RowPath) -> RowPath { RowPath(section: path.section + old, row: path.row) }
    func after(_ path: RowPath) -> RowPath { RowPath(section: path.section + new, row: path.row) }
    var shifted = ListChanges()
    shifted.deletedSections = deletedSections.map { $0 + old }
    shifted.insertedSections = insertedSections.map { $0 + new }
    shifted.deletedRows = deletedRows.map(before)
    shifted.insertedRows = insertedRows.map(after)
    shifted.movedRows = movedRows.map { Move(from: before($0.from), to: after($0.to)) }
    shifted.updatedRows = updatedRows.map(after)
    return shifted
  }
}

extension [Int] {
  fileprivate mutating func add(_ others: [Int]) {
    if !others.isEmpty { self = (self + others).sorted() }
  }
}

extension [RowPath] {
  fileprivate mutating func add(_ others: [RowPath]) {
    if !others.isEmpty { self = (self + others).sorted() }
  }
}
