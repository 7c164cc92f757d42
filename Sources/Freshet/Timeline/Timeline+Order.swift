internal import FreshetLists

/// Items that come one by one, in a list whose order is known.
extension Timeline {
  typealias Order = @Sendable (Item, Item) -> Bool

  /// The index where an item belongs: its own where it stands right, or that of the row it belongs
  /// before; `nil` where it belongs into a gap or beyond the rows that are loaded, and
  /// before the first answer.
  ///
  /// - Complexity: O(log *n*) for each row passed over that an edit put there.
  func index(for item: Item, by order: Order) -> Int? {
    var range = 0..<count
    if let own = index(of: item.id), let old = self.item(item.id) {
      if order(item, old) {
        range = 0..<own
      } else if order(old, item) {
        range = (own + 1)..<count
      } else {
        return own
      }
    }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      // Below a gap there is an item, but for the end.
      let row = rows[middle].item ?? (middle + 1 < count ? rows[middle + 1].item : nil)
      if row.map({ order(item, $0) }) ?? true { high = middle } else { low = middle + 1 }
    }
    guard isLoaded(at: low) else { return nil }
    // Right behind its own place is its own place.
    return low == range.lowerBound && low > 0 && rows[low - 1].item?.id == item.id ? low - 1 : low
  }

  /// Whether the rows that belong before the one at an index are loaded: not between two rows that
  /// are not proven to be neighbours, nor before the first answer.
  ///
  /// Rows that an edit put there say nothing of what is around them.
  private func isLoaded(at index: Int) -> Bool {
    var (above, below) = (index, index)
    while above > 0, isMade(rows[above - 1]) { above -= 1 }
    while below < count, isMade(rows[below]) { below += 1 }
    if above == 0 ? head == .open : rows[above - 1].gap != nil { return false }
    return below == count ? tail == .end : rows[below].gap == nil
  }

  /// Whether an edit put a row there, and no answer has included it.
  private func isMade(_ row: FeedRow<Item>) -> Bool {
    guard !unproven.isEmpty, let id = row.item?.id else { return false }
    return !isProven(id) && trace(of: id)?.cause == .edit
  }
}
