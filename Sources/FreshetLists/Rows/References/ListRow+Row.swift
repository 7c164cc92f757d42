// The rows of a feed are the rows of its items, with gaps between them.
extension ListRow {
  /// The kind of the row of a gap.
  @inlinable static var gapKind: UInt16 { 1 }
  /// The kind of the row of an item whose own rows are of several kinds.
  @inlinable static var nestedKind: UInt16 { 2 }

  /// Returns the row of an item or gap.
  @_documentation(visibility: internal)
  @inlinable
  public static func _row(of row: Self) -> RowRef {
    switch row {
    case .item(let item):
      let row = Item._row(of: item)
      return row.kind == 0 ? row : RowBox(NestedItem(item), kind: nestedKind)
    case .gap(let gap): return RowBox(GapItem(gap), kind: gapKind)
    }
  }

  /// Returns the item or gap of a row.
  @_documentation(visibility: internal)
  @inlinable
  public static func _item(of row: RowRef) -> Self {
    switch row.kind {
    case gapKind: .gap(GapItem._item(of: row).gap)
    case nestedKind: .item(NestedItem._item(of: row).item)
    default: .item(Item._item(of: row))
    }
  }

  /// Returns the id of a row, or of a key.
  @_documentation(visibility: internal)
  @inlinable
  public static func _id(of row: RowRef) -> ID {
    switch row.kind {
    case gapKind: .gap(GapItem._id(of: row))
    case nestedKind: .item(NestedItem<Item>._id(of: row))
    default: .item(Item._id(of: row))
    }
  }

  /// Returns the key that finds the row with an id.
  @_documentation(visibility: internal)
  @inlinable
  public static func _key(of id: ID) -> RowRef {
    switch id {
    case .item(let id):
      let key = Item._key(of: id)
      return key.kind == 0 ? key : RowKeyBox(id, kind: nestedKind)
    case .gap(let id): return RowKeyBox(id, kind: gapKind)
    }
  }

  /// Returns whether two rows or keys have the same id.
  @_documentation(visibility: internal)
  @inlinable
  public static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    first.hasID(of: second)
  }

  /// Returns whether two rows are equal.
  @_documentation(visibility: internal)
  @inlinable
  public static func _areEqual(_ first: RowRef, _ second: RowRef) -> Bool { first.equals(second) }
}

/// A gap as the item of a row.
@usableFromInline
struct GapItem: ListItem {
  @usableFromInline let gap: Gap
  @inlinable var id: Gap.ID { gap.id }

  @inlinable
  init(_ gap: Gap) { self.gap = gap }
}

/// An item whose own rows are of several kinds, as the item of a row.
@usableFromInline
struct NestedItem<Item: ListItem>: ListItem {
  @usableFromInline let item: Item
  @inlinable var id: Item.ID { item.id }

  @inlinable
  init(_ item: Item) { self.item = item }
}
