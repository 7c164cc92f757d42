public import FreshetLists

/// The items of a list in their order, without the gaps between them.
///
/// It is a view of the list's rows. It is created and copied in O(1), however many rows are loaded.
///
/// - Complexity: O(log *n*) to access an item.
public struct LoadedItems<Item: ListItem>: RandomAccessCollection, Sendable {
  @usableFromInline let rows: ListItems<ListRow<Item>>
  /// The indices of the gaps among the rows, ascending.
  @usableFromInline let gaps: [Int]

  init(_ list: ListSnapshot<ListRow<Item>> = ListSnapshot(), gaps: [Int] = []) {
    rows = list.items
    self.gaps = gaps
  }

  /// The index of the first item: zero.
  @inlinable public var startIndex: Int { 0 }
  /// The index after the last item: the number of items.
  @inlinable public var endIndex: Int { rows.endIndex - gaps.count }

  /// The item at an index.
  @inlinable
  public subscript(index: Int) -> Item {
    guard case .item(let item) = rows[gaps.isEmpty ? index : row(of: index)] else {
      preconditionFailure("Gaps are counted when they are made")
    }
    return item
  }

  /// Returns an iterator over the items.
  ///
  /// - Complexity: O(1) for each, on average.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(rows: rows.makeIterator()) }

  /// An iterator over the items, which skips gaps.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var rows: ListItems<ListRow<Item>>.Iterator

    @inlinable
    init(rows: ListItems<ListRow<Item>>.Iterator) { self.rows = rows }

    /// Returns the next item, or `nil` after the last one.
    @inlinable
    public mutating func next() -> Item? {
      while let row = rows.next() {
        if let item = row.item { return item }
      }
      return nil
    }
  }

  /// Returns the index of an item among rows and gaps.
  @usableFromInline
  func row(of index: Int) -> Int {
    index + gaps.indices.partition { gaps[$0] - $0 > index }
  }
}

extension LoadedItems: Equatable {
  /// Returns whether both hold equal items in the same order.
  public static func == (first: LoadedItems, second: LoadedItems) -> Bool {
    first.gaps == second.gaps && first.rows == second.rows || first.elementsEqual(second)
  }
}

extension LoadedItems: CustomStringConvertible {
  /// The items, in the format of an array.
  public var description: String { Array(self).description }
}
