/// A place where the server may hold rows that the feed has not seen.
///
/// A gap is shown as a row, and its rows can be loaded.
///
/// ```swift
/// for case .gap(let gap) in feed.rows {
///   await feed.load(gap)  // one page, from the row above the gap downwards
///   await feed.load(gap, from: .below)  // one page, from the row below it upwards
/// }
/// ```
public struct Gap: Identifiable, Hashable, Sendable {
  /// The identity of the gap in its feed.
  public let id: Int
  /// Whether the rows of the gap are on disk, evicted to save memory.
  ///
  /// They are loaded again as the reader approaches. Show such a gap as something that loads by
  /// itself.
  public package(set) var isStored = false

  /// The side from which a gap is filled.
  public enum Side: Sendable {
    /// From the row above the gap downwards.
    case above
    /// From the row below the gap upwards.
    ///
    /// The source must have stable pages in that direction (`Page.previous`, a keyset API's
    /// `min_id`). If it has none, the gap is filled from above.
    case below
  }

  /// Creates a gap, for previews and tests.
  public init(id: Int) { self.id = id }

  package init(id: Int, isStored: Bool) {
    self.id = id
    self.isStored = isStored
  }
}

/// A row of a feed: an item, or a gap between items.
///
/// ```swift
/// for row in feed.rows {
///   switch row {
///   case .item(let post): print(post.text)
///   case .gap(let gap) where gap.isStored: print("…")  // on disk: it comes as the reader comes near
///   case .gap(let gap):
///     let size = feed.state.gapSizes[gap.id]?.text ?? "Some"
///     print("\(size) rows may be missing here.", feed.state.gaps[gap.id] ?? .idle)
///   }
/// }
/// ```
public enum ListRow<Item: ListItem>: ListItem {
  /// A row that the server sent.
  case item(Item)
  /// A gap: a place for rows that the server may still hold.
  case gap(Gap)

  /// The identity of a row: the id of an item or of a gap.
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
