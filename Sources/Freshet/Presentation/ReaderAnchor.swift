internal import FreshetLists

/// Where the reader is: an item, followed wherever it goes.
struct ReaderAnchor: Sendable {
  /// It does not keep the item: that may be another version by now.
  private(set) var id: RowID
  /// Where it stands among all rows: its neighbours are found by it once it is gone.
  private var index: Int

  init(id: RowID, index: Int) {
    self.id = AnyItem.detached(id)
    self.index = index
  }

  /// The item is another one now, in its place.
  mutating func rename(_ old: RowID, to new: RowID) {
    if id == old { id = AnyItem.detached(new) }
  }

  /// Follows the item; where it is gone, the nearest one that is left takes its place, below rather
  /// than above.
  ///
  /// - Parameters:
  ///   - edits: what became of the rows.
  ///   - find: where an item stands now.
  /// - Returns: whether any item is left near it.
  mutating func follow(
    _ edits: RowEdits, of rows: RowTree<ListRow<AnyItem>>, find: (RowID) -> Int?
  ) -> Bool {
    if let found = find(id) {
      index = found
      return true
    }
    let place = min(edits.placeAfter(index), rows.count)
    let near = Array(place..<min(place + 2, rows.count)) + (max(0, place - 2)..<place).reversed()
    guard let next = near.first(where: { rows[$0].item != nil }), let item = rows[next].item else {
      return false
    }
    (id, index) = (AnyItem.detached(item.id), next)
    return true
  }
}
