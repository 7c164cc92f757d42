/// A number that says where a row stands among others, whatever their indices are.
package typealias RowOrder = Int64

/// Rows in the order of numbers that never change while the rows move about.
///
/// A row's index changes with every insertion above it; its order does not. Two trees stand side
/// by side, so that the rows alone can be handed out as a snapshot.
package struct OrderedRows<Row: Sendable>: Sendable {
  package private(set) var rows = RowTree<Row>()
  package private(set) var orders = RowTree<RowOrder>()
  /// The order of the row that was inserted last by index.
  private var lastInserted: RowOrder?

  package init() {}

  /// Creates rows in this order.
  package init(_ rows: [Row]) {
    self.rows = RowTree(rows)
    orders = RowTree(rows.indices.lazy.map { RowOrder($0) * Self.step })
  }

  package var count: Int { rows.count }

  /// The index of the first row at or behind an order.
  ///
  /// - Complexity: O(log *n*).
  package func index(of order: RowOrder) -> Int { orders.partitioningIndex { $0 >= order } }

  /// Removes the rows with these orders, ascending; absent ones are passed over.
  ///
  /// - Complexity: O(*k* log *n*), and O(log *n*) for rows that stand side by side.
  package mutating func remove(_ removed: [RowOrder]) {
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
      if first == last {
        rows.remove(at: first)
        orders.remove(at: first)
      } else {
        rows.removeSubrange(first..<(last + 1))
        orders.removeSubrange(first..<(last + 1))
      }
      end = start
    }
  }

  /// Inserts rows at orders that are free, ascending.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for rows that come to stand side by side.
  package mutating func insert(_ inserted: [(order: RowOrder, row: Row)]) {
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
  package mutating func removeFirst(_ count: Int) {
    rows.removeSubrange(0..<count)
    orders.removeSubrange(0..<count)
  }

  /// Replaces the row at an order.
  package mutating func update(_ row: Row, at order: RowOrder) {
    rows.update(row, at: index(of: order))
  }

  /// Inserts a row at an index, at an order between those of its neighbours.
  ///
  /// Where there is no room, as many neighbours as it takes are numbered anew, and `moved` is told
  /// of each: O(log *n*) of them on average for each insertion, wherever insertions come.
  ///
  /// - Returns: the order of the row.
  /// - Complexity: O(log *n*), and what it takes to number neighbours anew.
  package mutating func insert(
    _ row: Row, at index: Int, moved: (Row, RowOrder) -> Void
  ) -> RowOrder {
    if order(before: index) == nil { makeRoom(around: index, moved) }
    guard let order = order(before: index) else { preconditionFailure("there is room now") }
    rows.insert(row, at: index)
    orders.insert(order, at: index)
    lastInserted = order
    return order
  }

  /// The distance between the orders of rows that come one behind the other.
  private static var step: RowOrder { 1 << 32 }

  /// A free order between the row at an index and the one above it.
  private func order(before index: Int) -> RowOrder? {
    let above = index > 0 ? orders[index - 1] : nil
    let below = index < count ? orders[index] : nil
    switch (above, below) {
    case (nil, nil): return 0
    case (let above?, nil):
      return above.addingReportingOverflow(Self.step).partialValue > above ? above + Self.step : nil
    case (nil, let below?):
      return below.subtractingReportingOverflow(Self.step).partialValue < below
        ? below - Self.step : nil
    case (let above?, let below?): return Self.order(between: above, below, after: lastInserted)
    }
  }

  /// A free order between two, near the one that came last: rows that come one behind the other leave
  /// room for those to follow.
  private static func order(
    between above: RowOrder, _ below: RowOrder, after last: RowOrder?
  ) -> RowOrder? {
    let half = (below - above) / 2
    guard half > 0 else { return nil }
    let near = min(half, 1 << 16)
    return above == last ? above + near : below == last ? below - near : above + half
  }

  /// Numbers neighbours anew, in a window that grows until there is room for twice as many, squared.
  private mutating func makeRoom(around index: Int, _ moved: (Row, RowOrder) -> Void) {
    var width = 16
    while true {
      let window = max(0, index - width)..<min(count, index + width)
      if window.count == count {
        renumber(step: Self.step)
        for (row, order) in zip(rows, orders) { moved(row, order) }
        return
      }
      let low = window.lowerBound > 0 ? orders[window.lowerBound - 1] : orders[0] - Self.step
      let high =
        window.upperBound < count ? orders[window.upperBound] : orders[count - 1] + Self.step
      let stride = (high - low) / RowOrder(window.count + 1)
      if stride > RowOrder(width) {
        let numbers = (1...window.count).map { low + RowOrder($0) * stride }
        orders.replaceSubrange(window, with: numbers)
        for (row, order) in zip(rows.slice(window), numbers) { moved(row, order) }
        return
      }
      width *= 2
    }
  }

  /// Numbers all rows anew, `step` apart.
  package mutating func renumber(step: RowOrder) {
    orders = RowTree((0..<count).map { RowOrder($0 - count / 2) * step })
  }
}
