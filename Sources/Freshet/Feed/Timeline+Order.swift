internal import FreshetLists

/// Items that come one by one, in a list whose order is known.
extension Timeline {
  typealias Order = @Sendable (Item, Item) -> Bool

  /// The index where an item belongs: its own where it stands right, or that of the row it belongs
  /// before; `nil` where it belongs into a gap or beyond the rows that are loaded.
  ///
  /// - Complexity: O(log *n*).
  func index(for item: Item, by order: Order) -> Int? {
    var range = 0..<count
    if let own = index(of: item.id) {
      if let above = neighbour(own - 1), order(item, above) {
        range = 0..<own
      } else if let below = neighbour(own + 1), order(below, item) {
        range = (own + 1)..<count
      } else {
        return own
      }
    }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      // Below a gap there is always an item.
      let row = rows[middle].item ?? neighbour(middle + 1)
      if let row, order(item, row) { high = middle } else { low = middle + 1 }
    }
    if low == 0 { return head == .open ? nil : 0 }
    if low == count { return tail == .open ? nil : low }
    return rows[low].gap == nil ? low : nil
  }

  /// Puts news where it belongs, at the head where no order is known.
  mutating func place(_ item: Item, by order: Order?) -> TimelineEdit<Item> {
    let index = order.flatMap { self.index(for: item, by: $0) } ?? 0
    return put(item, after: index > 0 ? rows[index - 1].item?.id : nil, isNews: true)
  }

  /// Gives an item other contents, and with them its place; it goes where that is not loaded.
  mutating func update(_ item: Item, by order: Order?) -> TimelineEdit<Item> {
    guard let order, let own = index(of: item.id) else { return update(item) }
    return switch index(for: item, by: order) {
    case own: update(item)
    case nil: remove(item.id)
    default: place(item, by: order)
    }
  }

  private func neighbour(_ index: Int) -> Item? {
    rows.indices.contains(index) ? rows[index].item : nil
  }
}
