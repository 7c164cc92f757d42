public import FreshetLists

/// A place where the server may hold rows that the feed has not seen.
///
/// Shown as a row, loadable.
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

  /// Creates a gap.
  public init(id: Int) { self.id = id }

  init(id: Int, isStored: Bool) {
    self.id = id
    self.isStored = isStored
  }
}

/// What stands in a row of a feed: an item, or a gap between items.
public enum FeedRow<Item: ListItem>: ListItem {
  /// A row the server sent.
  case item(Item)
  /// Rows the server may still hold.
  case gap(Gap)

  /// Which row it is.
  public enum ID: Hashable, Sendable {
    /// The id of an item.
    case item(Item.ID)
    /// The id of a gap.
    case gap(Gap.ID)
  }

  /// The id of the item or of the gap.
  public var id: ID {
    switch self {
    case .item(let item): .item(item.id)
    case .gap(let gap): .gap(gap.id)
    }
  }

  /// The item, unless the row is a gap.
  public var item: Item? {
    if case .item(let item) = self { item } else { nil }
  }

  /// The gap, unless the row is an item.
  public var gap: Gap? {
    if case .gap(let gap) = self { gap } else { nil }
  }
}
