public import FreshetLists

/// A place where the server may hold rows that the feed has not seen.
///
/// Shown as a row, loadable.
///
/// ```swift
/// for case .gap(let gap) in feed.rows {
///   await feed.load(gap)  // one page, from the row above the gap downwards
///   await feed.load(gap, from: .below)  // one page, from the row below it upwards
/// }
/// ```
public struct Gap: Identifiable, Hashable, Sendable {
  /// Which gap of its feed it is.
  public let id: Int
  /// Whether the rows are on disk, let go to save memory.
  ///
  /// They come back as the reader comes near: show it as something that loads by itself.
  public internal(set) var isStored = false

  /// From where a gap is filled.
  public enum Side: Sendable {
    /// From the row above it on.
    case above
    /// From the row below it upwards, where the source has stable pages that lead there
    /// (`Page.previous`, a keyset API's `min_id`); from above where it has not.
    case below
  }

  /// Creates a gap, for previews and tests.
  public init(id: Int) { self.id = id }

  init(id: Int, isStored: Bool) {
    self.id = id
    self.isStored = isStored
  }
}

/// What stands in a row of a feed: an item, or a gap between items.
///
/// ```swift
/// for row in feed.rows {
///   switch row {
///   case .item(let post): print(post.text)
///   case .gap(let gap) where gap.isStored: print("…")  // on disk: it comes as the reader comes near
///   case .gap(let gap): print("Rows may be missing here.", feed.state.gaps[gap.id] ?? .idle)
///   }
/// }
/// ```
public enum FeedRow<Item: ListItem>: ListItem {
  /// A row the server sent.
  case item(Item)
  /// Rows the server may still hold.
  case gap(Gap)

  /// Which row it is: an item's id, or a gap's.
  public enum ID: Hashable, Sendable {
    /// The id of an item.
    case item(Item.ID)
    /// The id of a gap.
    case gap(Gap.ID)
  }

  /// The id of the item or of the gap.
  @inlinable
  public var id: ID {
    switch self {
    case .item(let item): .item(item.id)
    case .gap(let gap): .gap(gap.id)
    }
  }

  /// The item, unless the row is a gap.
  @inlinable
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }

  /// The gap, unless the row is an item.
  public var gap: Gap? {
    if case .gap(let gap) = self { gap } else { nil }
  }
}

// Its rows are those of the items, and gaps beside them: the same rows, whatever the items are
// called.
extension FeedRow {
  /// What kind of row a gap is.
  @inlinable static var gapKind: UInt16 { 1 }
  /// What kind of row an item is whose own rows are of several kinds.
  @inlinable static var nestedKind: UInt16 { 2 }

  /// The row of an item.
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

  /// The item of a row.
  @_documentation(visibility: internal)
  @inlinable
  public static func _item(of row: RowRef) -> Self {
    switch row.kind {
    case gapKind: .gap(GapItem._item(of: row).gap)
    case nestedKind: .item(NestedItem._item(of: row).item)
    default: .item(Item._item(of: row))
    }
  }

  /// The id of a row, or of a key.
  @_documentation(visibility: internal)
  @inlinable
  public static func _id(of row: RowRef) -> ID {
    switch row.kind {
    case gapKind: .gap(GapItem._id(of: row))
    case nestedKind: .item(NestedItem<Item>._id(of: row))
    default: .item(Item._id(of: row))
    }
  }

  /// What the row with an id is looked for by.
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

  /// Whether two rows or keys have the same id.
  @_documentation(visibility: internal)
  @inlinable
  public static func _haveOneID(_ first: RowRef, _ second: RowRef) -> Bool {
    first.hasID(of: second)
  }

  /// Whether two rows are equal.
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
