/// A row of a list with separators: an item or a separator.
public enum SeparatedRow<Item: ListItem, Separator: ListItem>: ListItem {
  /// A row of the list.
  case item(Item)
  /// A separator, and the number of separators with its id above it.
  case separator(Separator, occurrence: Int = 0)

  /// The identity of a row: the id of an item or of a separator.
  public enum ID: Hashable, Sendable {
    /// The id of an item.
    case item(Item.ID)
    /// The id of a separator, and the number of separators with this id above it.
    case separator(Separator.ID, occurrence: Int)
  }

  /// The id of the item or of the separator.
  @inlinable
  public var id: ID {
    switch self {
    case .item(let item): .item(item.id)
    case .separator(let separator, let occurrence):
      .separator(separator.id, occurrence: occurrence)
    }
  }

  /// The item, unless the row is a separator.
  @inlinable
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }
}
