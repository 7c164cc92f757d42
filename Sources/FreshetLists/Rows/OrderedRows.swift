/// Rows in the order of numbers that stay the same while other rows move.
///
/// This is an `OrderedTree` of references to rows.
@usableFromInline
package struct OrderedRows<Row: ListItem>: Sendable {
  @usableFromInline package private(set) var refs: OrderedTree<RowRef>

  /// Creates rows from existing references and their orders.
  @inlinable
  package init(refs: OrderedTree<RowRef> = OrderedTree()) { self.refs = refs }

  @inlinable package var rows: RowTree<Row> { RowTree(refs: refs.rows) }
  @inlinable package var orders: CountedTree<RowOrder> { refs.orders }
  @inlinable package var count: Int { refs.count }

  /// Returns the index of the first row at or after an order.
  @inlinable
  package func index(of order: RowOrder) -> Int { refs.index(of: order) }

  /// Returns the index of the first row after an order.
  @inlinable
  package func index(behind order: RowOrder) -> Int { refs.index(behind: order) }
}

extension OrderedRows {
  /// Removes the rows with these orders, ascending; absent orders are ignored.
  @inlinable
  package mutating func remove(_ removed: [RowOrder]) { refs.remove(removed) }

  /// Inserts rows at free orders, ascending.
  @inlinable
  package mutating func insert(_ inserted: [(order: RowOrder, row: Row)]) {
    refs.insert(inserted.map { (order: $0.order, row: Row._row(of: $0.row)) })
  }

  /// Replaces the row at an order.
  @inlinable
  package mutating func update(_ row: Row, at order: RowOrder) {
    refs.update(Row._row(of: row), at: order)
  }

  /// Inserts rows at an index, with orders between those of their neighbours.
  ///
  /// - Returns: the new orders of other rows, if there was no room.
  @inlinable
  package mutating func insert(_ inserted: [Row], at index: Int) -> Renumbering? {
    refs.insert(inserted.map { Row._row(of: $0) }, at: index)
  }

  /// Removes the rows at ascending indices.
  @inlinable
  package mutating func removeRows(_ indices: [Int]) { refs.removeRows(indices) }

  /// Renumbers neighbours to make room for new rows.
  @inlinable
  package mutating func makeRoom(
    for added: Int, in range: Range<Int>, moved: (Row, _ old: RowOrder, _ new: RowOrder) -> Void
  ) {
    refs.makeRoom(for: added, in: range) { moved(Row._item(of: $0), $1, $2) }
  }

  /// Applies the renumbering of another list to the rows with the same orders.
  @usableFromInline
  package mutating func renumber(_ renumbering: Renumbering) { refs.renumber(renumbering) }
}
