/// The rows of a section while they are merged, top to bottom.
struct MergedContent {
  var rows = CountedTreeBuilder<RowRef>()
  /// The order of each row; an added row receives its order when all rows are merged.
  var orders = ContiguousArray<RowOrder>()
  /// The indices of the added rows.
  var added: [Int] = []
  /// The number of rows that stay which have been merged so far.
  var passed = 0
  var oldRows: TreeCursor<RowRef>
  var oldOrders: TreeCursor<RowOrder>

  init(_ old: OrderedTree<RowRef>, adding count: Int) {
    (oldRows, oldOrders) = (TreeCursor(old.rows), TreeCursor(old.orders))
    orders.reserveCapacity(old.count + count)
    added.reserveCapacity(count)
  }

  /// Returns a row of the section before the merge, by its index then.
  mutating func row(_ index: Int) -> RowRef {
    let offset = oldRows.seek(index)
    return oldRows.leaf[offset]
  }

  /// Adds the next rows that stay, by their indices before.
  mutating func keep(_ kept: ArraySlice<Int>) {
    for index in kept {
      let (row, order) = (oldRows.seek(index), oldOrders.seek(index))
      rows.append(oldRows.leaf[row])
      orders.append(oldOrders.leaf[order])
    }
    passed += kept.count
  }

  mutating func add(_ row: RowRef) {
    added.append(orders.count)
    rows.append(row)
    orders.append(0)
  }
}

extension OrderedTree<RowRef> {
  /// Returns the merged rows, with orders for those that were added.
  ///
  /// An added row gets an order between those of its neighbours. If there is no room, all rows are
  /// renumbered.
  ///
  /// - Returns: the rows, the order of each, and whether all rows were renumbered.
  /// - Complexity: O(*n*).
  static func merged(
    _ merged: inout MergedContent
  ) -> (OrderedTree, orders: ContiguousArray<RowOrder>, isRenumbered: Bool) {
    var content = OrderedTree(merged.rows.finish())
    var orders = merged.orders
    for run in merged.added.runs {
      let above = run.lowerBound > 0 ? orders[run.lowerBound - 1] : nil
      let below = run.upperBound < orders.count ? orders[run.upperBound] : nil
      guard let (first, stride) = freeOrders(for: run.count, between: above, below) else {
        return (content, ContiguousArray(content.orders), true)
      }
      for (offset, row) in run.enumerated() { orders[row] = first + RowOrder(offset) * stride }
    }
    content.orders = CountedTree(orders)
    return (content, orders, false)
  }
}
