internal import FreshetLists

/// The rows that a live event or an edit inserted, and that no answer has included yet.
///
/// Nothing is known of the rows around them. They are kept as a few ranges of orders or of
/// indices. If there are too many ranges, the rows between two of them also count as unproven.
/// This may cost a request.
struct UnprovenRows: Equatable, Sendable {
  /// The ranges, ascending and not overlapping.
  private(set) var ranges: [ClosedRange<RowOrder>] = []

  /// The maximum number of ranges.
  static var limit: Int { 64 }

  var isEmpty: Bool { ranges.isEmpty }

  /// Returns the range that contains an order.
  ///
  /// - Complexity: O(1): there are few ranges.
  func range(around order: RowOrder) -> ClosedRange<RowOrder>? {
    ranges.first { $0.contains(order) }
  }

  func contains(_ order: RowOrder) -> Bool { range(around: order) != nil }

  /// Adds rows.
  ///
  /// They form one range with neighbours that are unproven too.
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

  /// Adds rows by their indices.
  ///
  /// They form one range with those right beside them.
  mutating func insert(_ rows: Range<Int>) {
    if rows.isEmpty { return }
    let (first, last) = (RowOrder(rows.lowerBound), RowOrder(rows.upperBound - 1))
    insert(first...last, beside: [first - 1, last + 1])
  }

  /// Removes rows, because an answer includes them.
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

  /// Removes ranges that have no row left.
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
