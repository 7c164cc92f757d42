internal import FreshetLists

/// The items that were about to come on screen, so that a view that gives some of them up can say
/// which.
///
/// A view names them by where they stood when it spoke of them first, whatever stands there by now.
struct PrefetchTracker<Item: ListItem> {
  /// More than a view asks for before they come.
  private static var limit: Int { 512 }
  private var items: [(path: RowPath, item: Item)] = []

  /// Takes in that an item is about to come on screen.
  mutating func add(_ item: Item, at path: RowPath) {
    show(item.id)
    items.append((path, item))
    if items.count > Self.limit { items.removeFirst() }
  }

  /// Takes in that an item is on screen.
  ///
  /// - Complexity: O(items).
  mutating func show(_ id: Item.ID) { items.removeAll { $0.item.id == id } }

  /// Takes in that what stood at a path will not come on screen, and says what it was.
  ///
  /// - Complexity: O(items).
  mutating func giveUp(_ path: RowPath) -> Item? {
    items.firstIndex { $0.path == path }.map { items.remove(at: $0).item }
  }
}
