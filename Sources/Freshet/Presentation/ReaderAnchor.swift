internal import FreshetLists

/// The reader's position: an item, followed wherever it moves.
struct ReaderAnchor: Sendable {
  /// The item's id.
  ///
  /// It does not retain the item, which may have a newer version by now.
  private(set) var id: RowID
  /// The item's index among all rows, from which its neighbours are found once it is gone.
  private var index: Int

  init(id: RowID, index: Int) {
    self.id = AnyItem.detached(id)
    self.index = index
  }

  /// Gives the item another id, at the same position.
  mutating func rename(_ old: RowID, to new: RowID) {
    if id == old { id = AnyItem.detached(new) }
  }

  /// Follows the item, or the nearest item that is left if it is gone.
  ///
  /// An item below is preferred to one above.
  ///
  /// - Parameters:
  ///   - edits: the edits of the rows.
  ///   - find: returns the current index of an item.
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
