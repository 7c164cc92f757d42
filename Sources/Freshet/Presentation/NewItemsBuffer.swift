internal import FreshetLists

/// A buffer that holds back new rows at the head, while the reader is shown how many there are.
struct NewItemsBuffer: Sendable {
  /// How many rows are held back; `nil` if new rows are shown at once.
  private(set) var waiting: Int?

  /// Starts to hold back rows that are inserted above all others.
  mutating func hold() { waiting = waiting ?? 0 }

  /// Returns the rows below those that are held back.
  ///
  /// - Complexity: O(log *n*).
  func shown<Row: ListItem>(of rows: RowTree<Row>) -> RowTree<Row> {
    guard let waiting, waiting > 0 else { return rows }
    return rows.rows(from: waiting)
  }

  /// Shows the rows that were held back.
  mutating func showAll() -> RowEdits {
    defer { waiting = nil }
    return RowEdits(inserted: Array(0..<(waiting ?? 0)))
  }

  /// Applies edits of all rows, and returns the edits of the shown rows.
  ///
  /// - Parameters:
  ///   - count: how many rows there are now.
  ///   - showsTop: whether rows that are inserted right above the first shown row are shown at
  ///     once.
  /// - Returns: the edits of the shown rows. If none of the shown rows is left, all rows are
  ///   shown, because there is no row to stay below. Rows that are inserted above them later are
  ///   held back.
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
