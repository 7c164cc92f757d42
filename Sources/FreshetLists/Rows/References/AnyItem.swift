/// An item without its type: a row as an item.
///
/// Code for items of any type is compiled once, for this type.
@usableFromInline
package struct AnyItem: ListItem {
  /// The row of the item.
  @usableFromInline package let row: RowRef

  /// Creates the item of a row.
  @inlinable
  package init(row: RowRef) { self.row = row }

  /// The id of the item.
  @inlinable package var id: RowID { RowID(row) }

  /// Returns whether both items are equal.
  @inlinable
  package static func == (first: AnyItem, second: AnyItem) -> Bool { first.row.equals(second.row) }

  /// Returns the row of an item.
  @inlinable
  package static func _row(of item: AnyItem) -> RowRef { item.row }

  /// Returns the item of a row.
  @inlinable
  package static func _item(of row: RowRef) -> AnyItem { AnyItem(row: row) }

  /// Returns the id of a row, or of a key.
  @inlinable
  package static func _id(of row: RowRef) -> RowID { RowID(row) }

  /// Returns the key that finds the row with an id.
  @inlinable
  package static func _key(of id: RowID) -> RowRef { id.row }

  /// Returns whether two rows or keys have the same id.
  @inlinable
  package static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    first.hasID(of: second)
  }

  /// Returns whether two rows are equal.
  @inlinable
  package static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool { first.equals(second) }

  /// The order of the ids, which is always `nil`.
  @inlinable package static var _idOrder: RowComparison? { nil }
}

extension AnyItem: CustomStringConvertible {
  /// The description of the item.
  @usableFromInline package var description: String { "\(row)" }
}

extension AnyItem {
  /// Creates an item without its type.
  package init<Item: ListItem>(_ item: Item) { self.init(row: Item._row(of: item)) }

  /// Returns a change of an `AnyItem` that performs a change of the typed item.
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
