// An item type makes and reads its rows with these. The witnesses are code that knows the item.
extension ListItem {
  /// Returns a new row of an item.
  @inlinable
  public static func _row(of item: Self) -> RowRef { RowBox(item) }

  /// Returns the item of a row.
  @inlinable
  public static func _item(of row: RowRef) -> Self { _box(row).item }

  /// Returns the key that finds the row with an id.
  @inlinable
  public static func _key(of id: ID) -> RowRef { RowKeyBox(id) }

  /// Returns the id of a row, or of a key.
  @inlinable
  public static func _id(of row: RowRef) -> ID {
    row.isKey ? RowKeyBox<ID>.id(of: row) : _box(row).item.id
  }

  /// Returns whether two rows or keys have the same id.
  @inlinable
  public static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    _id(of: first) == _id(of: second)
  }

  /// The order of the ids, or `nil` if they cannot be compared.
  public static var _idOrder: RowComparison? {
    (ID.self as? any Comparable.Type).map { RowComparison.ids($0, of: Self.self) }
  }

  /// Returns whether two rows are equal.
  @inlinable
  public static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool {
    _box(first).item == _box(second).item
  }

  /// Returns an id that does not retain its item, for callers that keep ids longer than items.
  package static func detached(_ id: ID) -> ID { _id(of: _key(of: id).key) }

  // Proof of the casts: a row of kind 0 is a `RowBox` of the item of its list, even if that item
  // is wrapped (`AnyItem`, `ListRow`). Rows of another kind are made and read by one type, which
  // checks the kind.
  @inlinable @inline(__always)
  static func _box(_ row: RowRef) -> RowBox<Self> {
    assert(row is RowBox<Self>, "\(type(of: row)) is no row of \(Self.self)")
    return unsafe unsafeDowncast(row, to: RowBox<Self>.self)
  }
}

extension ListItem where ID: Comparable {
  /// The order of the ids.
  @inlinable
  public static var _idOrder: RowComparison? {
    RowComparison({ _id(of: $0) }, .forward) { $0 < $1 }
  }
}
