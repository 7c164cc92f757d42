/// A number that orders a row among others, whatever their indices are.
@usableFromInline package typealias RowOrder = Int64

/// Rows in the order of numbers that stay the same while other rows move.
///
/// A row's index changes with every insertion above it. Its order changes only if there is no room
/// between two neighbours. Rows and orders are in two parallel trees, so that the rows alone can
/// be handed out as a snapshot.
@usableFromInline
package struct OrderedTree<Row: Sendable>: Sendable {
  @usableFromInline package internal(set) var rows = CountedTree<Row>()
  @usableFromInline package internal(set) var orders = CountedTree<RowOrder>()
  /// The order of the last row that was inserted by index.
  @usableFromInline var lastInserted: RowOrder?

  @inlinable
  package init() {}

  /// Creates rows in this order.
  @inlinable
  package init(_ rows: some Sequence<Row>) { self.init(rows: CountedTree(rows)) }

  @inlinable
  package init(rows: CountedTree<Row>) {
    self.rows = rows
    orders = CountedTree((0..<self.rows.count).lazy.map { RowOrder($0) * Self.step })
  }

  @inlinable
  package var count: Int { rows.count }

  /// Returns the index of the first row at or after an order.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func index(of order: RowOrder) -> Int { orders.index(from: order) }

  /// Returns the index of the first row after an order.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package func index(behind order: RowOrder) -> Int { orders.partitioningIndex { $0 > order } }

  /// Removes the rows with these orders, ascending; absent orders are ignored.
  ///
  /// - Complexity: O(*k* log *n*), and O(log *n*) for adjacent rows.
  @inlinable
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

  /// Inserts rows at free orders, ascending.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for rows that become adjacent.
  @inlinable
  package mutating func insert(_ inserted: [(order: RowOrder, row: Row)]) {
    var start = 0
    while start < inserted.count {
      let at = index(of: inserted[start].order)
      let limit = at < count ? orders[at] : RowOrder.max
      var end = start + 1
      while end < inserted.count, inserted[end].order < limit { end += 1 }
      if end == start + 1 {
        rows.insert(inserted[start].row, at: at)
        orders.insert(inserted[start].order, at: at)
      } else {
        // Indices instead of a lazy sequence: in generic code, each of its steps costs more than
        // its work.
        var newRows = ContiguousArray<Row>()
        var newOrders = ContiguousArray<RowOrder>()
        newRows.reserveCapacity(end - start)
        newOrders.reserveCapacity(end - start)
        for place in start..<end {
          newRows.append(inserted[place].row)
          newOrders.append(inserted[place].order)
        }
        rows.replaceSubrange(at..<at, with: newRows)
        orders.replaceSubrange(at..<at, with: newOrders)
      }
      start = end
    }
  }

  /// Replaces the row at an order.
  @inlinable
  package mutating func update(_ row: Row, at order: RowOrder) {
    update(row, atIndex: index(of: order))
  }

  /// Replaces the row at an index.
  ///
  /// - Complexity: O(log *n*).
  @inlinable
  package mutating func update(_ row: Row, atIndex index: Int) { rows.update(row, at: index) }

  /// Changes the row at an index in place.
  ///
  /// - Complexity: O(log *n*).
  mutating func change<Result>(atIndex index: Int, _ body: (inout Row) -> Result) -> Result {
    rows.change(at: index, body)
  }

  /// Inserts a row at an index, with an order between those of its neighbours.
  ///
  /// If there is no room, as many neighbours as necessary are renumbered, and `moved` is called
  /// with each. On average these are O(log *n*) neighbours for each insertion, at any place.
  ///
  /// - Returns: the order of the row.
  /// - Complexity: O(log *n*), and the cost of renumbering neighbours.
  @inlinable
  package mutating func insert(
    _ row: Row, at index: Int, moved: (Row, RowOrder) -> Void
  ) -> RowOrder {
    if order(before: index) == nil {
      makeRoom(for: 0, in: index..<index) { row, _, order in moved(row, order) }
    }
    guard let order = order(before: index) else { preconditionFailure("there is room now") }
    rows.insert(row, at: index)
    orders.insert(order, at: index)
    lastInserted = order
    return order
  }

  /// The default distance between the orders of consecutive rows.
  @inlinable
  static var step: RowOrder { 1 << 32 }

  /// Returns a free order between the row at an index and the one above it.
  @inlinable
  func order(before index: Int) -> RowOrder? {
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

  /// Returns a free order between two, near the one that was inserted last.
  ///
  /// Rows that are inserted one after another thus leave room for the rows that follow.
  @inlinable
  static func order(
    between above: RowOrder, _ below: RowOrder, after last: RowOrder?
  ) -> RowOrder? {
    let half = (below - above) / 2
    guard half > 0 else { return nil }
    let near = min(half, 1 << 16)
    return above == last ? above + near : below == last ? below - near : above + half
  }
}

extension CountedTree<RowOrder> {
  /// Returns the index of the first row at or after an order.
  ///
  /// - Complexity: O(log *n*).
  @usableFromInline
  package func index(from order: RowOrder) -> Int { partitioningIndex { $0 >= order } }
}

extension OrderedTree {
  /// Inserts rows at an index, with orders between those of their neighbours.
  ///
  /// - Returns: the new orders of other rows, if there was no room.
  /// - Complexity: O(*m* + log *n*) for *m* rows, and the cost of renumbering neighbours.
  @inlinable
  package mutating func insert(_ inserted: [Row], at index: Int) -> Renumbering? {
    guard inserted.count > 1 else {
      guard let row = inserted.first else { return nil }
      var renumbering: Renumbering?
      if !hasRoom(for: 1, at: index) { renumbering = makeRoom(for: 1, at: index) }
      _ = insert(row, at: index) { _, _ in }
      return renumbering
    }
    var renumbering: Renumbering?
    if !hasRoom(for: inserted.count, at: index) {
      renumbering = makeRoom(for: inserted.count, at: index)
    }
    guard let (first, stride) = freeOrders(for: inserted.count, at: index) else {
      preconditionFailure("there is room now")
    }
    var new = ContiguousArray<RowOrder>()
    new.reserveCapacity(inserted.count)
    for place in 0..<inserted.count { new.append(first + RowOrder(place) * stride) }
    rows.replaceSubrange(index..<index, with: inserted)
    orders.replaceSubrange(index..<index, with: new)
    return renumbering
  }

  /// Removes the rows at ascending indices.
  @inlinable
  package mutating func removeRows(_ indices: [Int]) {
    for run in indices.runs.reversed() {
      rows.removeSubrange(run)
      orders.removeSubrange(run)
    }
  }

  @inlinable
  func hasRoom(for added: Int, at index: Int) -> Bool { freeOrders(for: added, at: index) != nil }

  @inlinable
  func freeOrders(for added: Int, at index: Int) -> (first: RowOrder, stride: RowOrder)? {
    Self.freeOrders(
      for: added, between: index > 0 ? orders[index - 1] : nil,
      index < count ? orders[index] : nil)
  }

  /// Returns evenly spread orders between two, or `nil` if there is no room.
  @inlinable
  static func freeOrders(
    for added: Int, between above: RowOrder?, _ below: RowOrder?
  ) -> (first: RowOrder, stride: RowOrder)? {
    let number = RowOrder(added)
    switch (above, below) {
    case (nil, nil): return (0, step)
    case (let above?, nil):
      return above < RowOrder.max / 2 - number * step ? (above + step, step) : nil
    case (nil, let below?):
      return below > RowOrder.min / 2 + number * step ? (below - number * step, step) : nil
    case (let above?, let below?):
      let stride = (below - above) / (number + 1)
      return stride > 0 ? (above + stride, stride) : nil
    }
  }
}
