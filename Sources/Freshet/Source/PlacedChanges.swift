public import FreshetLists

/// The rows that changed from one state of a source to the next, with their neighbours.
///
/// A source that can look up the neighbours of a row reports its changes in this way, such as a
/// database. A feed then knows the position of each row without an order of its own.
///
/// ```swift
/// let changes = PlacedChanges(
///   removed: [7], placed: [.init(post, above: 12, below: nil)])
/// feed.receive(.changes(changes))
/// ```
public struct PlacedChanges<Item: ListItem>: Equatable, Sendable {
  /// An item that is new, has other contents or is at another position, with its neighbours.
  public struct Placement: Equatable, Sendable {
    /// The item, as it is after the changes.
    public var item: Item
    /// The item directly above it in the whole list; `nil` if it is the first one.
    public var above: Item.ID?
    /// The item directly below it in the whole list; `nil` if it is the last one.
    public var below: Item.ID?
    /// The item's position, as the key of the page below it; `nil` if the source has no such keys.
    package var position: KeysetKey?

    /// Places an item between its neighbours.
    public init(_ item: Item, above: Item.ID?, below: Item.ID?) {
      (self.item, self.above, self.below) = (item, above, below)
    }
  }

  /// The items that are no longer in the list.
  public var removed: [Item.ID]
  /// The items that are new, changed or moved, from the top to the bottom of the list.
  ///
  /// The neighbours are those after all of the changes.
  public var placed: [Placement]
  /// Whether these are all changes; if not, the feed reads its rows again.
  package var isComplete = true
  /// The number of the state after the changes (rule W9).
  ///
  /// Pages of a source that numbers its states have such a number, too.
  package var version: Int?

  /// Creates the changes from one state to the next.
  public init(removed: [Item.ID] = [], placed: [Placement] = []) {
    (self.removed, self.placed) = (removed, placed)
  }
}

extension PlacedChanges {
  /// The same changes, with type-erased items.
  var erased: PlacedChanges<AnyItem> {
    func erased(_ id: Item.ID) -> RowID { RowID(id, of: Item.self) }
    var changes = PlacedChanges<AnyItem>(
      removed: removed.map(erased),
      placed: placed.map {
        var placement = PlacedChanges<AnyItem>.Placement(
          AnyItem($0.item), above: $0.above.map(erased), below: $0.below.map(erased))
        placement.position = $0.position
        return placement
      })
    (changes.isComplete, changes.version) = (isComplete, version)
    return changes
  }
}
