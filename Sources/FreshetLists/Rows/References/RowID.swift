/// The id of a row without its type; two are equal if their rows have the same id.
@usableFromInline
package struct RowID: Hashable, Sendable {
  /// The row, or its key.
  @usableFromInline package let row: RowRef

  /// Creates the id of a row.
  @inlinable
  package init(_ row: RowRef) { self.row = row }

  /// Returns whether both rows have the same id.
  @inlinable
  package static func == (first: RowID, second: RowID) -> Bool { first.row.hasID(of: second.row) }

  /// Hashes the stored hash of the row's id.
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(row.hash) }
}

extension RowID {
  /// Creates the id of a row from the id of an item.
  package init<Item: ListItem>(_ id: Item.ID, of _: Item.Type) { self.init(Item._key(of: id)) }
}
