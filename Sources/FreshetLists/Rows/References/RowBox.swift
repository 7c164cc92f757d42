// Proof: its item never changes and is `Sendable`.
/// A row that is an item.
@usableFromInline
package final class RowBox<Item: ListItem>: RowRef, @unchecked Sendable {
  /// The item that the row is.
  @usableFromInline package let item: Item

  /// Creates the row of an item.
  @inlinable
  package init(_ item: Item, kind: UInt16 = 0) {
    self.item = item
    super.init(hash: RowRef.fold(item.id.hashValue), kind: kind, isKey: false)
  }

  // The type of the item compares, in code that knows the item.
  @usableFromInline
  override func sharesID(with other: RowRef) -> Bool { Item._haveOneID(self, other) }

  @usableFromInline
  override func sharesContents(with other: RowRef) -> Bool { Item._areEqual(self, other) }

  @usableFromInline
  override package var key: RowRef { RowKeyBox(item.id, kind: kind) }
}

extension RowBox: CustomStringConvertible, CustomReflectable {
  /// What the item says of itself.
  @usableFromInline package var description: String { String(describing: item) }

  /// The parts of the item.
  @usableFromInline package var customMirror: Mirror { Mirror(reflecting: item) }
}

// Proof: as for `RowBox`.

/// An id by which a row is looked for.
@usableFromInline
package final class RowKeyBox<ID: Hashable & Sendable>: RowRef, @unchecked Sendable {
  /// The id that a row is looked for by.
  @usableFromInline package let id: ID

  /// Creates what a row with an id is looked for by.
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

  /// The id of a key.
  @inlinable
  package static func id(of key: RowRef) -> ID {
    assert(key is RowKeyBox<ID>, "\(type(of: key)) is no key of \(ID.self)")
    return unsafe unsafeDowncast(key, to: RowKeyBox<ID>.self).id
  }
}
