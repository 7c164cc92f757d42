/// An item, whatever its type: a row as an item.
///
/// What works on items of any type is compiled once for this one.
@usableFromInline
package struct AnyItem: ListItem {
  /// The row that the item is.
  @usableFromInline package let row: RowRef

  /// Creates the item of a row.
  @inlinable
  package init(row: RowRef) { self.row = row }

  /// The id of the item.
  @inlinable package var id: RowID { RowID(row) }

  /// Whether both items are equal.
  @inlinable
  package static func == (first: AnyItem, second: AnyItem) -> Bool { first.row.equals(second.row) }

  /// The row of an item.
  @inlinable
  package static func _row(of item: AnyItem) -> RowRef { item.row }

  /// The item of a row.
  @inlinable
  package static func _item(of row: RowRef) -> AnyItem { AnyItem(row: row) }

  /// The id of a row, or of a key.
  @inlinable
  package static func _id(of row: RowRef) -> RowID { RowID(row) }

  /// What the row with an id is looked for by.
  @inlinable
  package static func _key(of id: RowID) -> RowRef { id.row }

  /// Whether two rows or keys have the same id.
  @inlinable
  package static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    first.hasID(of: second)
  }

  /// Whether two rows are equal.
  @inlinable
  package static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool { first.equals(second) }

  /// The order of the ids; `nil` if they have none.
  @inlinable package static var _idOrder: RowComparison? { nil }
}

extension AnyItem: CustomStringConvertible {
  /// What the item says of itself.
  @usableFromInline package var description: String { "\(row)" }
}

extension AnyItem {
  /// An item without its type.
  package init<Item: ListItem>(_ item: Item) { self.init(row: Item._row(of: item)) }

  /// A change of an item, without its type.
  package static func change<Item: ListItem>(
    by change: @escaping @Sendable (inout Item) -> Void
  ) -> @Sendable (inout AnyItem) -> Void {
    { row in
      var item = Item._item(of: row.row)
      change(&item)
      row = AnyItem(item)
    }
  }
}
