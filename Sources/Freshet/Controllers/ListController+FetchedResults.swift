public import struct Foundation.IndexPath
public import FreshetLists

// The names that users of `NSFetchedResultsController` and `GenericResultsController` know.
extension ListController {
  /// All items in the order of the list: `items`.
  public var fetchedObjects: LoadedItems<Item> { items }

  /// Returns the item at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` if there is no item.
  /// - Complexity: O(log *n*).
  public func object(at path: RowPath) throws(ListError) -> Item {
    guard let item = try row(at: path).item else { throw .invalidIndexPath(path) }
    return item
  }

  /// Returns the item at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` if there is no item.
  /// - Complexity: O(log *n*).
  public func object(at path: IndexPath) throws(ListError) -> Item { try object(at: RowPath(path)) }

  /// The index titles of the sections, each once.
  public var sectionIndexTitles: [String] {
    var seen: Set<String> = []
    return sections.map(\.indexTitle).filter { seen.insert($0).inserted }
  }

  /// Returns the first section with an index title.
  public func section(forIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }
}
