internal import FreshetLists

/// A number that says where a row stands among others, whatever their indices are.
typealias RowOrder = Int64

/// Rows in the order of numbers that never change while the rows move about.
///
/// A row's index changes with every insertion above it; its order does not. Two trees stand side
/// by side, so that the rows alone can be handed out as a snapshot.
struct OrderedRows<Row: Sendable>: Sendable {
  private(set) var rows = RowTree<Row>()
  private(set) var orders = RowTree<RowOrder>()

  var count: Int { rows.count }

  /// The index of the first row at or behind an order.
  ///
  /// - Complexity: O(log *n*).
  func index(of order: RowOrder) -> Int { orders.partitioningIndex { $0 >= order } }

  /// Removes the rows with these orders, ascending; absent ones are passed over.
  ///
  /// - Complexity: O(*k* log *n*), and O(log *n*) for rows that stand side by side.
  mutating func remove(_ removed: [RowOrder]) {
    var end = removed.count
    while end > 0 {
      let last = index(of: removed[end - 1])
      guard last < count, orders[last] == removed[end - 1] else {
        end -= 1
        continue
      }
      var start = end - 1
      var first = last
      while start > 0, first > 0, orders[first - 1] == removed[start - 1] {
        start -= 1
        first -= 1
      }
      rows.removeSubrange(first..<(last + 1))
      orders.removeSubrange(first..<(last + 1))
      end = start
    }
  }

  /// Inserts rows at orders that are free, ascending.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for rows that come to stand side by side.
  mutating func insert(_ inserted: [(order: RowOrder, row: Row)]) {
    var start = 0
    while start < inserted.count {
      let at = index(of: inserted[start].order)
      let limit = at < count ? orders[at] : RowOrder.max
      var end = start + 1
      while end < inserted.count, inserted[end].order < limit { end += 1 }
      let run = inserted[start..<end]
      rows.replaceSubrange(at..<at, with: run.lazy.map(\.row))
      orders.replaceSubrange(at..<at, with: run.lazy.map(\.order))
      start = end
    }
  }

  /// Removes the first rows.
  mutating func removeFirst(_ count: Int) {
    rows.removeSubrange(0..<count)
    orders.removeSubrange(0..<count)
  }

  /// Replaces the row at an order.
  mutating func update(_ row: Row, at order: RowOrder) { rows.update(row, at: index(of: order)) }

  /// Numbers all rows anew, `step` apart.
  mutating func renumber(step: RowOrder) {
    orders = RowTree((0..<count).map { RowOrder($0 - count / 2) * step })
  }
}
