internal import FreshetLists

/// The rows that wait at the head to be shown, while a reader is told how many there are.
struct NewItemsBuffer: Sendable {
  /// How many rows wait; `nil` where rows are shown as they come.
  private(set) var waiting: Int?

  /// From now on rows that come above all others wait.
  mutating func hold() { waiting = waiting ?? 0 }

  /// The rows below those that wait.
  ///
  /// - Complexity: O(log *n*).
  func shown<Row: ListItem>(of rows: RowTree<Row>) -> RowTree<Row> {
    guard let waiting, waiting > 0 else { return rows }
    return rows.rows(from: waiting)
  }

  /// Shows the rows that wait.
  mutating func showAll() -> RowEdits {
    defer { waiting = nil }
    return RowEdits(inserted: Array(0..<(waiting ?? 0)))
  }

  /// Takes in what became of all rows.
  ///
  /// - Parameters:
  ///   - count: how many rows there are now.
  ///   - showsTop: whether rows that come right above the first shown one do not wait.
  /// - Returns: what became of the rows that are shown. Where none of them is left there is nothing
  ///   to stay below: all rows are shown, and those that come above them wait.
  /// - Complexity: O(*k*) for *k* edits.
  mutating func apply(_ edits: RowEdits, count: Int, showsTop: Bool) -> RowEdits {
    guard let waiting else { return edits }
    var shown = RowEdits(deleted: edits.deleted.compactMap { $0 < waiting ? nil : $0 - waiting })
    let rowsBefore = count + edits.deleted.count - edits.inserted.count
    var first = waiting
    for deleted in edits.deleted[edits.deleted.partition { $0 >= waiting }...]
    where deleted == first {
      first += 1
    }
    guard first < rowsBefore else {
      self.waiting = 0
      shown.inserted = Array(0..<count)
      return shown
    }
    var boundary = edits.placeOfUntouched(first)
    if showsTop {
      var above = edits.inserted.partition { $0 >= boundary }
      while above > 0, edits.inserted[above - 1] == boundary - 1 {
        boundary -= 1
        above -= 1
      }
    }
    self.waiting = boundary
    shown.inserted = edits.inserted.compactMap { $0 < boundary ? nil : $0 - boundary }
    shown.updated = edits.updated.compactMap { $0 < boundary ? nil : $0 - boundary }
    return shown
  }
}
