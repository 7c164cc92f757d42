internal import FreshetLists

// The order of items among those that edits placed, in a list whose order is known.
extension Overlay {
  /// Returns the place between two rows of the timeline where an item belongs.
  ///
  /// The order of the list is known. The place is after the last placed item there that does not
  /// belong after `item`.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - index: the index of the timeline's row below.
  /// - Returns: `nil` if the item is already there.
  /// - Complexity: O(log *n*).
  func slot(
    for item: AnyItem, before index: Int, in timeline: Timeline,
    by order: (AnyItem, AnyItem) -> Bool
  ) -> InsertionPoint? {
    let orders = timeline.content.orders
    let above = index > 0 ? orders[index - 1] : .min
    let own = places.index(of: item.id)
    var low = places.count(above: above)
    var high = index < orders.count ? places.count(above: orders[index]) : places.shown.count
    let range = low..<high
    if let own, range.contains(own), let old = self.item(ofPlaced: own, in: timeline) {
      if order(item, old) {
        high = own
      } else if order(old, item) {
        low = own + 1
      } else {
        return nil
      }
    }
    while low < high {
      let middle = (low + high) / 2
      let isAbove = self.item(ofPlaced: middle, in: timeline).map { order(item, $0) } ?? true
      if isAbove { high = middle } else { low = middle + 1 }
    }
    if let own, range.contains(own), low == own || low == own + 1 { return nil }
    guard low > range.lowerBound else { return InsertionPoint(order: above) }
    let entry = places.shown[low - 1]
    return InsertionPoint(order: entry.slot, behind: entry.id)
  }

  /// Returns on which side of its row in the timeline an item belongs; `nil` if the row is right.
  ///
  /// The order of the list is known, and only the placed items around the row are compared.
  func side(
    of item: AnyItem, at index: Int, in timeline: Timeline, by order: (AnyItem, AnyItem) -> Bool
  ) -> Gap.Side? {
    if places.shown.isEmpty { return nil }
    let orders = timeline.content.orders
    let (first, start) = (index > 0 ? orders[index - 1] : .min, places.count(above: orders[index]))
    if start > places.count(above: first), let above = self.item(ofPlaced: start - 1, in: timeline),
      order(item, above)
    {
      return .above
    }
    let isNext =
      start < places.shown.count
      && (index + 1 == orders.count || places.shown[start].slot < orders[index + 1])
    if isNext, let below = self.item(ofPlaced: start, in: timeline), order(below, item) {
      return .below
    }
    return nil
  }

  private func item(ofPlaced place: Int, in timeline: Timeline) -> AnyItem? {
    rows[position(ofPlaced: place, in: timeline.content)].item
  }
}
