/// Rows in the order of numbers that never change while the rows move about: an `OrderedTree` of
/// references.
@usableFromInline
package struct OrderedRows<Row: ListItem>: Sendable {
  @usableFromInline package private(set) var refs: OrderedTree<RowRef>

  /// Creates rows that are there, with their orders.
  @inlinable
  package init(refs: OrderedTree<RowRef> = OrderedTree()) { self.refs = refs }

  /// Creates rows in this order.
  @inlinable
  package init(_ rows: some Sequence<Row>) { refs = OrderedTree(rows: RowTree<Row>.refs(of: rows)) }

  @inlinable package var rows: RowTree<Row> { RowTree(refs: refs.rows) }
  @inlinable package var orders: CountedTree<RowOrder> { refs.orders }
  @inlinable package var count: Int { refs.count }

  /// The index of the first row at or behind an order.
  @inlinable
  package func index(of order: RowOrder) -> Int { refs.index(of: order) }

  /// The index of the first row behind an order.
  @inlinable
  package func index(behind order: RowOrder) -> Int { refs.index(behind: order) }
}

extension OrderedRows {
  /// Removes the rows with these orders, ascending; absent ones are passed over.
  @inlinable
  package mutating func remove(_ removed: [RowOrder]) { refs.remove(removed) }

  /// Inserts rows at orders that are free, ascending.
  @inlinable
  package mutating func insert(_ inserted: [(order: RowOrder, row: Row)]) {
    refs.insert(inserted.map { (order: $0.order, row: Row._row(of: $0.row)) })
  }

  /// Removes the row at an index.
  @inlinable
  package mutating func remove(atIndex index: Int) { refs.remove(atIndex: index) }

  /// Removes the first rows.
  package mutating func removeFirst(_ count: Int) { refs.removeFirst(count) }

  /// Replaces the row at an order.
  @inlinable
  package mutating func update(_ row: Row, at order: RowOrder) {
    refs.update(Row._row(of: row), at: order)
  }

  /// Replaces the row at an index.
  @inlinable
  package mutating func update(_ row: Row, atIndex index: Int) {
    refs.update(Row._row(of: row), atIndex: index)
  }

  /// Inserts rows so that the first of them stands at an index, with orders between those of their
  /// neighbours.
  ///
  /// - Returns: what the orders of other rows became, where there was no room.
  @inlinable
  package mutating func insert(_ inserted: [Row], at index: Int) -> Renumbering? {
    refs.insert(inserted.map { Row._row(of: $0) }, at: index)
  }

  /// Removes the rows at ascending indices.
  @inlinable
  package mutating func removeRows(_ indices: [Int]) { refs.removeRows(indices) }

  /// Numbers neighbours anew where there is no number left between two of them.
  @inlinable
  package mutating func makeRoom(
    for added: Int, in range: Range<Int>, moved: (Row, _ old: RowOrder, _ new: RowOrder) -> Void
  ) {
    refs.makeRoom(for: added, in: range) { moved(Row._item(of: $0), $1, $2) }
  }

  /// Inserts a row at an index, at an order between those of its neighbours.
  ///
  /// - Parameter moved: is called with each neighbour that is numbered anew, and its order.
  /// - Returns: the order of the row.
  @inlinable
  package mutating func insert(
    _ row: Row, at index: Int, moved: (Row, RowOrder) -> Void
  ) -> RowOrder {
    refs.insert(Row._row(of: row), at: index) { moved(Row._item(of: $0), $1) }
  }

  /// Gives rows the orders that others of the same order were given.
  @usableFromInline
  package mutating func renumber(_ renumbering: Renumbering) { refs.renumber(renumbering) }
}
