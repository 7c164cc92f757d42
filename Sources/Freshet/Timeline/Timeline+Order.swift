internal import FreshetLists

/// Items that come one by one, in a list whose order is known.
extension Timeline {
  typealias Order = @Sendable (Item, Item) -> Bool

  /// The index where an item belongs: its own where it stands right, or that of the row it belongs
  /// before; `nil` where it belongs into a gap or beyond the rows that are loaded, and
  /// before the first answer.
  ///
  /// - Complexity: O(log *n*).
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

  /// Whether what belongs before the row at an index is loaded: not between two rows that are not
  /// proven to be neighbours, nor before the first answer.
  ///
  /// Rows that no answer had say nothing of what is around them.
  private func isLoaded(at index: Int) -> Bool {
    let (above, below) = (provenRow(above: index), provenRow(from: index))
    if above < 0 ? head == .open : rows[above].gap != nil { return false }
    if below == count ? tail != .end : rows[below].gap != nil { return false }
    return gapCount(in: (above + 1)..<below) == 0
  }

  /// The index of the first row above an index that an answer had there; -1 where there is none.
  private func provenRow(above index: Int) -> Int {
    var above = index - 1
    while above >= 0, let range = unproven.range(around: content.orders[above]) {
      above = content.index(of: range.lowerBound) - 1
    }
    return above
  }

  /// The index of the first row at or below an index that an answer had there; `count` where there
  /// is none.
  private func provenRow(from index: Int) -> Int {
    var below = index
    while below < count, let range = unproven.range(around: content.orders[below]) {
      below = content.index(of: range.upperBound + 1)
    }
    return below
  }
}
