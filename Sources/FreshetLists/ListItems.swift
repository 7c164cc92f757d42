/// The items of a snapshot, section after section.
///
/// A view of the snapshot's rows: made and copied in O(1), however many there are.
///
/// - Complexity: O(log *n*) to reach an item, O(1) on average to advance to the next one.
public struct ListItems<Item: ListItem>: RandomAccessCollection, Sendable {
  @usableFromInline let snapshot: ListSnapshot<Item>

  @inlinable
  init(_ snapshot: ListSnapshot<Item>) { self.snapshot = snapshot }

  /// The index of the first item: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last item: the number of items.
  @inlinable public var endIndex: Int { snapshot.count }

  /// The item at an index.
  @inlinable
  public subscript(index: Int) -> Item { snapshot[snapshot.path(at: index)] }

  /// Returns an iterator over the items.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(snapshot.sections) }

  /// An iterator over the items of a snapshot.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var sections: ListSections<Item>.Iterator
    @usableFromInline var rows: RowTree<Item>.Iterator?

    @inlinable
    init(_ sections: ListSections<Item>) { self.sections = sections.makeIterator() }

    /// Returns the next item, or `nil` after the last one.
    @inlinable
    public mutating func next() -> Item? {
      while true {
        if let row = rows?.next() { return row }
        guard let section = sections.next() else { return nil }
        rows = section.rows.makeIterator()
      }
    }
  }
}

extension ListItems: Equatable {
  /// Returns whether both hold equal items in the same order, regardless of their sections.
  public static func == (first: ListItems, second: ListItems) -> Bool {
    first.snapshot == second.snapshot || first.elementsEqual(second)
  }
}

extension ListItems: CustomStringConvertible {
  /// The items, described like an array.
  public var description: String { Array(self).description }
}

extension ListSnapshot {
  /// All items, section after section.
  ///
  /// - Complexity: O(1).
  @inlinable public var items: ListItems<Item> { ListItems(self) }

  /// Returns the path of the item at an index among all items.
  ///
  /// - Precondition: the index is that of an item.
  /// - Complexity: O(log sections).
  @inlinable
  public func path(at index: Int) -> RowPath {
    var (low, high) = (0, refs.ends.count)
    while low < high {
      let middle = (low + high) / 2
      if refs.ends[middle] > index { high = middle } else { low = middle + 1 }
    }
    return RowPath(section: low, row: index - (low == 0 ? 0 : refs.ends[low - 1]))
  }
}
