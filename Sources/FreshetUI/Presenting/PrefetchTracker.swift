internal import FreshetLists

/// The items that were about to appear on screen, kept so that cancelled ones can be found.
///
/// A view names an item by its path at the first mention, whatever is at that path now.
struct PrefetchTracker<Item: ListItem> {
  /// The number of items to keep, which is more than a view requests ahead.
  private static var limit: Int { 512 }
  private var items: [(path: RowPath, item: Item)] = []

  /// Records that an item is about to appear on screen.
  mutating func add(_ item: Item, at path: RowPath) {
    show(item.id)
    items.append((path, item))
    if items.count > Self.limit { items.removeFirst() }
  }

  /// Records that an item is on screen.
  ///
  /// - Complexity: O(items).
  mutating func show(_ id: Item.ID) { items.removeAll { $0.item.id == id } }

  /// Removes and returns the item of a path that will not appear on screen.
  ///
  /// - Complexity: O(items).
  mutating func giveUp(_ path: RowPath) -> Item? {
    items.firstIndex { $0.path == path }.map { items.remove(at: $0).item }
  }
}
