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
  public package(set) var isStored = false

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

  package init(id: Int, isStored: Bool) {
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
public enum ListRow<Item: ListItem>: ListItem {
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
