internal import FreshetLists

/// Rows that a live event or an edit inserted, and that no answer has included yet: nothing is
/// known of what is around them.
///
/// They are kept as few ranges, of orders or of indices: when there would be too many, the rows
/// between two of them count as unproven as well, which may cost a request.
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
    while ranges.count > Self.limit { joinNearest() }
  }

  /// Adds rows by their indices, as one with those right beside them.
  mutating func insert(_ rows: Range<Int>) {
    if rows.isEmpty { return }
    let (first, last) = (RowOrder(rows.lowerBound), RowOrder(rows.upperBound - 1))
    insert(first...last, beside: [first - 1, last + 1])
  }

  /// Takes rows out: an answer has them.
  mutating func remove(_ orders: ClosedRange<RowOrder>) {
    guard ranges.contains(where: { $0.overlaps(orders) }) else { return }
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
  }

  /// Forgets ranges in which no row is left.
  mutating func forget(unless holdsRow: (ClosedRange<RowOrder>) -> Bool) {
    ranges.removeAll { !holdsRow($0) }
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
