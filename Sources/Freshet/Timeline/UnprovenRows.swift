internal import FreshetLists

/// Rows that no answer had where they stand: news or an edit put them there, and nothing is known
/// of what is around them.
///
/// They are kept as few ranges of orders: where there would be too many, rows between two of them
/// count as unproven too, which costs a request and loses nothing.
struct UnprovenRows: Equatable, Sendable {
  /// The ranges, ascending and apart.
  private(set) var ranges: [ClosedRange<RowOrder>] = []

  /// How many ranges there may be.
  static var limit: Int { 64 }

  var isEmpty: Bool { ranges.isEmpty }

  /// The range that an order is in.
  ///
  /// - Complexity: O(1): there are few ranges.
  func range(around order: RowOrder) -> ClosedRange<RowOrder>? {
    ranges.first { $0.contains(order) }
  }

  func contains(_ order: RowOrder) -> Bool { range(around: order) != nil }

  func overlaps(_ orders: ClosedRange<RowOrder>) -> Bool {
    ranges.contains { $0.overlaps(orders) }
  }

  /// Adds rows, as one with those of its neighbours that are unproven too.
  ///
  /// - Parameter neighbours: the orders of the rows right above and right below them.
  mutating func insert(_ orders: ClosedRange<RowOrder>, beside neighbours: [RowOrder] = []) {
    var joined = orders
    for range in ranges
    where range.overlaps(orders) || neighbours.contains(where: range.contains) {
      joined = min(joined.lowerBound, range.lowerBound)...max(joined.upperBound, range.upperBound)
    }
    ranges.removeAll { joined.contains($0.lowerBound) }
    let place = ranges.firstIndex { $0.lowerBound > joined.upperBound } ?? ranges.count
    ranges.insert(joined, at: place)
    if ranges.count > Self.limit { joinNearest() }
  }

  /// Takes rows out: an answer has them.
  mutating func remove(_ orders: ClosedRange<RowOrder>) {
    guard overlaps(orders) else { return }
    ranges = ranges.flatMap { range -> [ClosedRange<RowOrder>] in
      guard range.overlaps(orders) else { return [range] }
      var parts: [ClosedRange<RowOrder>] = []
      if range.lowerBound < orders.lowerBound {
        parts.append(range.lowerBound...(orders.lowerBound - 1))
      }
      if range.upperBound > orders.upperBound {
        parts.append((orders.upperBound + 1)...range.upperBound)
      }
      return parts
    }
    if ranges.count > Self.limit { joinNearest() }
  }

  mutating func removeAll() { ranges = [] }

  private mutating func joinNearest() {
    let place = ranges.indices.dropFirst().min {
      distance(above: $0) < distance(above: $1)
    }
    guard let place else { return }
    let below = ranges.remove(at: place)
    ranges[place - 1] = ranges[place - 1].lowerBound...below.upperBound
  }

  private func distance(above place: Int) -> RowOrder {
    ranges[place].lowerBound - ranges[place - 1].upperBound
  }
}

// Which rows are proven.
extension Timeline {
  /// Whether an answer had an item where it stands, so that its place is evidence: what news and
  /// edits say of places is none.
  func isProven(_ id: Item.ID) -> Bool {
    unproven.isEmpty || order(of: id).map { !unproven.contains($0) } ?? true
  }

  /// News or an edit put rows there.
  ///
  /// - Complexity: O(log *n*).
  mutating func doubt(_ orders: ClosedRange<RowOrder>) {
    let above = content.index(of: orders.lowerBound) - 1
    let below = content.index(of: orders.upperBound + 1)
    let neighbours = [above, below].filter { itemID(at: $0) != nil }
    unproven.insert(orders, beside: neighbours.map { content.orders[$0] })
  }

  /// An answer has these items, which stand side by side.
  mutating func prove(_ items: ArraySlice<Item>) {
    guard !unproven.isEmpty, let first = items.first.flatMap({ order(of: $0.id) }),
      let last = items.last.flatMap({ order(of: $0.id) }), first <= last
    else { return }
    unproven.remove(first...last)
  }

  /// The indices of the rows that are not proven, ascending; of a gap that stands for rows on disk
  /// too, where one of those may not be.
  ///
  /// - Complexity: O(log *n*).
  var unprovenIndices: [Range<Int>] {
    unproven.ranges.compactMap { range in
      let start = content.orders.index(from: range.lowerBound)
      let end = content.orders.index(from: range.upperBound + 1)
      return start < end ? start..<end : nil
    }
  }
}
