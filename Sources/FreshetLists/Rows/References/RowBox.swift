// Proof: its item never changes and is `Sendable`.
/// A row that holds an item.
@usableFromInline
package final class RowBox<Item: ListItem>: RowRef, @unchecked Sendable {
  /// The item of the row.
  @usableFromInline package let item: Item

  /// Creates the row of an item.
  @inlinable
  package init(_ item: Item, kind: UInt16 = 0) {
    self.item = item
    super.init(hash: RowRef.fold(item.id.hashValue), kind: kind, isKey: false)
  }

  // The item type compares, in code that knows the item.
  @usableFromInline
  override func sharesID(with other: RowRef) -> Bool { Item._haveOneID(self, other) }

  @usableFromInline
  override func sharesContents(with other: RowRef) -> Bool { Item._areEqual(self, other) }

  @usableFromInline
  override package var key: RowRef { RowKeyBox(item.id, kind: kind) }
}

extension RowBox: CustomStringConvertible, CustomReflectable {
  /// The description of the item.
  @usableFromInline package var description: String { String(describing: item) }

  /// The mirror of the item.
  @usableFromInline package var customMirror: Mirror { Mirror(reflecting: item) }
}

// Proof: its id never changes and is `Sendable`.

/// A key that finds a row by its id.
@usableFromInline
package final class RowKeyBox<ID: Hashable & Sendable>: RowRef, @unchecked Sendable {
  /// The id of the row to find.
  @usableFromInline package let id: ID

  /// Creates the key that finds the row with an id.
  @inlinable
  package init(_ id: ID, kind: UInt16 = 0) {
    self.id = id
    super.init(hash: RowRef.fold(id.hashValue), kind: kind, isKey: true)
  }

  @usableFromInline
  override func sharesID(with other: RowRef) -> Bool {
    // Only a row knows how its id is found.
    guard other.isKey else { return other.sharesID(with: self) }
    return id == Self.id(of: other)
  }

  @usableFromInline
  override func sharesContents(with other: RowRef) -> Bool { id == Self.id(of: other) }

  /// Returns the id of a key.
  @inlinable
  package static func id(of key: RowRef) -> ID {
    assert(key is RowKeyBox<ID>, "\(type(of: key)) is no key of \(ID.self)")
    return unsafe unsafeDowncast(key, to: RowKeyBox<ID>.self).id
  }
}
