/// The rows of a section as they are merged, top to bottom.
@usableFromInline
struct MergedContent<Row> {
  @usableFromInline var rows = RowTreeBuilder<Row>()
  /// The order of each row; that of one that came is found when all are there.
  @usableFromInline var orders = ContiguousArray<RowOrder>()
  /// The indices of the rows that came.
  @usableFromInline var added: [Int] = []
  /// How many of the rows that stay are among them.
  @usableFromInline var passed = 0
  @usableFromInline var oldRows: RowCursor<Row>
  @usableFromInline var oldOrders: RowCursor<RowOrder>

  @inlinable
  init(_ old: OrderedRows<Row>, adding count: Int) where Row: Sendable {
    (oldRows, oldOrders) = (RowCursor(old.rows), RowCursor(old.orders))
    orders.reserveCapacity(old.count + count)
    added.reserveCapacity(count)
  }

  /// A row that was there, by its index then.
  @inlinable
  mutating func row(_ index: Int) -> Row {
    let offset = oldRows.seek(index)
    return oldRows.leaf[offset]
  }

  /// Adds the next of the rows that stay, by their indices before.
  @inlinable
  mutating func keep(_ kept: ArraySlice<Int>) {
    for index in kept {
      let (row, order) = (oldRows.seek(index), oldOrders.seek(index))
      rows.append(oldRows.leaf[row])
      orders.append(oldOrders.leaf[order])
    }
    passed += kept.count
  }

  @inlinable
  mutating func add(_ row: Row) {
    added.append(orders.count)
    rows.append(row)
    orders.append(0)
  }
}

extension OrderedRows {
  /// Rows of which some came, which are given orders between those of their neighbours; all are
  /// numbered anew where there is no room.
  ///
  /// - Returns: the rows, and the order of each.
  /// - Complexity: O(*n*).
  @inlinable
  static func merged(
    _ merged: inout MergedContent<Row>
  ) -> (OrderedRows, orders: ContiguousArray<RowOrder>, isNumberedAnew: Bool) {
    var content = OrderedRows(merged.rows.finish())
    var orders = merged.orders
    for run in merged.added.runs {
      let above = run.lowerBound > 0 ? orders[run.lowerBound - 1] : nil
      let below = run.upperBound < orders.count ? orders[run.upperBound] : nil
      guard let (first, stride) = freeOrders(for: run.count, between: above, below) else {
        return (content, ContiguousArray(content.orders), true)
      }
      for (offset, row) in run.enumerated() { orders[row] = first + RowOrder(offset) * stride }
    }
    content.orders = RowTree(orders)
    return (content, orders, false)
  }
}
