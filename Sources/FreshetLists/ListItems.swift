/// The items of a snapshot, section after section.
///
/// A view on the snapshot's rows: made and copied in O(1), whatever is in the list.
///
/// - Complexity: O(log *n*) to reach an item, O(1) on average to go on to the next one.
public struct ListItems<Item: ListItem>: RandomAccessCollection, Sendable {
  @usableFromInline let snapshot: ListSnapshot<Item>

  @inlinable
  init(_ snapshot: ListSnapshot<Item>) { self.snapshot = snapshot }

  /// The index of the first item: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index behind the last item: the number of items.
  @inlinable public var endIndex: Int { snapshot.count }

  /// The item at an index.
  @inlinable
  public subscript(index: Int) -> Item { snapshot[snapshot.path(at: index)] }

  /// Takes one item after the other.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(snapshot.sections) }

  /// Takes one item after the other.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var sections: IndexingIterator<ListSections<Item>>
    @usableFromInline var rows: RowTree<Item>.Iterator?

    @inlinable
    init(_ sections: ListSections<Item>) { self.sections = sections.makeIterator() }

    /// The next item, or `nil` behind the last one.
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
  /// Whether both hold equal items in the same order, whatever their sections.
  public static func == (first: ListItems, second: ListItems) -> Bool {
    first.snapshot == second.snapshot || first.elementsEqual(second)
  }
}

extension ListItems: CustomStringConvertible {
  /// The items, as an array shows them.
  public var description: String { Array(self).description }
}

extension ListSnapshot {
  /// All items, section after section.
  ///
  /// - Complexity: O(1).
  @inlinable public var items: ListItems<Item> { ListItems(self) }

  /// The path of the item at an index among all items.
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
