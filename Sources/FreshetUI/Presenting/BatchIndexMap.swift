internal import FreshetLists

/// A map from the row paths before a batch to the row paths after it.
///
/// It covers rows that the batch does not name: whether each stays, and its path afterwards.
struct BatchIndexMap {
  private let sections: RowEdits
  private let deleted: [Int: [Int]]
  private let inserted: [Int: [Int]]
  private let moved: [RowPath: RowPath]

  /// Creates the map of a batch.
  ///
  /// - Complexity: O(*k* log *k*) for *k* changes.
  init(_ changes: ListChanges) {
    sections = RowEdits(deleted: changes.deletedSections, inserted: changes.insertedSections)
    moved = Dictionary(uniqueKeysWithValues: changes.movedRows.map { ($0.from, $0.to) })
    func rows(_ paths: [RowPath]) -> [Int: [Int]] {
      Dictionary(grouping: paths, by: \.section).mapValues { $0.map(\.row).sorted() }
    }
    deleted = rows(changes.deletedRows + moved.keys)
    inserted = rows(changes.insertedRows + moved.values)
  }

  /// Returns the path of a row after the batch, or `nil` if the row is removed.
  ///
  /// - Complexity: O(log *k*).
  func place(of path: RowPath) -> RowPath? {
    if let target = moved[path] { return target }
    guard let section = sections.place(of: path.section) else { return nil }
    let rows = RowEdits(deleted: deleted[path.section] ?? [], inserted: inserted[section] ?? [])
    return rows.place(of: path.row).map { RowPath(section: section, row: $0) }
  }
}
