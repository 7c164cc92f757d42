// How a type of items makes and reads its rows. The witnesses are code that knows the item.
extension ListItem {
  /// A new row of an item.
  @inlinable
  public static func _row(of item: Self) -> RowRef { RowBox(item) }

  /// The item of a row.
  @inlinable
  public static func _item(of row: RowRef) -> Self { _box(row).item }

  /// What the row with an id is looked for by.
  @inlinable
  public static func _key(of id: ID) -> RowRef { RowKeyBox(id) }

  /// The id of a row, or of a key.
  @inlinable
  public static func _id(of row: RowRef) -> ID {
    row.isKey ? RowKeyBox<ID>.id(of: row) : _box(row).item.id
  }

  /// Whether two rows or keys have the same id.
  @inlinable
  public static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    _id(of: first) == _id(of: second)
  }

  /// The order of the ids, where they have one.
  public static var _idOrder: RowComparison? {
    (ID.self as? any Comparable.Type).map { RowComparison.ids($0, of: Self.self) }
  }

  /// Whether two rows are equal.
  @inlinable
  public static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool {
    _box(first).item == _box(second).item
  }

  /// An id that does not keep its item, for those who keep ids longer than items.
  package static func detached(_ id: ID) -> ID { _id(of: _key(of: id).key) }

  // Proof of the casts: a row of kind 0 is a `RowBox` of the item that its list is made of,
  // whatever is put around that (`AnyItem`, `ListRow`). Rows of another kind are made and read by
  // one type, which asks for the kind.
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
