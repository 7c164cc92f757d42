internal import FreshetLists

// Rows that are evidence of what is around them.
extension Timeline {
  /// Returns whether an answer included an item at its position.
  ///
  /// A position that a live event or an edit gave the item is no evidence.
  func isProven(_ id: RowID) -> Bool {
    unproven.isEmpty || order(of: id).map { !unproven.contains($0) } ?? true
  }

  /// Marks rows as unproven, because no answer included them.
  ///
  /// - Complexity: O(log *n*).
  mutating func markUnproven(_ orders: ClosedRange<RowOrder>) {
    if unproven.ranges.count == UnprovenRows.limit {
      let content = content
      unproven.forget { content.index(of: $0.lowerBound) < content.index(of: $0.upperBound + 1) }
    }
    let above = content.index(of: orders.lowerBound) - 1
    let below = content.index(of: orders.upperBound + 1)
    let neighbours = [above, below].filter { itemID(at: $0) != nil }
    unproven.insert(orders, beside: neighbours.map { content.orders[$0] })
  }

  /// Marks items that are side by side as proven, because an answer included them.
  mutating func markProven(_ items: ArraySlice<AnyItem>) {
    guard !unproven.isEmpty, let first = items.first.flatMap({ order(of: $0.id) }),
      let last = items.last.flatMap({ order(of: $0.id) }), first <= last
    else { return }
    unproven.remove(first...last)
  }

  /// The indices of the unproven rows, ascending.
  ///
  /// - Complexity: O(log *n*).
  var unprovenIndices: [Range<Int>] {
    unproven.ranges.compactMap { range in
      let start = content.index(of: range.lowerBound)
      let end = content.index(of: range.upperBound + 1)
      return start < end ? start..<end : nil
    }
  }

  /// Returns how many of some rows an answer included.
  ///
  /// Gaps and unproven rows do not count.
  ///
  /// - Complexity: O(log *n*).
  func provenCount(in rows: Range<Int>) -> Int {
    let unproven = unprovenIndices.reduce(0) { $0 + $1.clamped(to: rows).count }
    return rows.count - gapCount(in: rows) - unproven
  }
}
