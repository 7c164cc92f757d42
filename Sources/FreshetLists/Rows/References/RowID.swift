/// The id of a row, whatever its type: two are equal if their rows have the same id.
@usableFromInline
package struct RowID: Hashable, Sendable {
  /// The row, or its key.
  @usableFromInline package let row: RowRef

  /// Creates the id of a row.
  @inlinable
  package init(_ row: RowRef) { self.row = row }

  /// Whether both rows have the same id.
  @inlinable
  package static func == (first: RowID, second: RowID) -> Bool { first.row.hasID(of: second.row) }

  /// Hashes the hash of the row's id.
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(row.hash) }
}

extension RowID {
  /// The id of an item.
  package init<Item: ListItem>(_ id: Item.ID, of _: Item.Type) { self.init(Item._key(of: id)) }
}
