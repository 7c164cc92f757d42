public import FreshetLists

/// The items of a feed in server order, without the gaps between them.
///
/// A view on the feed's rows: made and copied in O(1), whatever is loaded.
///
/// - Complexity: O(log *n*) to reach an item.
public struct FeedItems<Item: ListItem>: RandomAccessCollection, Sendable {
  private let rows: RowTree<FeedRow<Item>>
  /// The indices of the gaps among the rows, ascending.
  let gaps: [Int]

  init(rows: RowTree<FeedRow<Item>> = [], gaps: [Int] = []) {
    self.rows = rows
    self.gaps = gaps
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { rows.count - gaps.count }

  /// The item at an index.
  public subscript(index: Int) -> Item {
    guard case .item(let item) = rows[row(of: index)] else {
      preconditionFailure("Gaps are counted when they are made")
    }
    return item
  }

  /// Takes one item after the other.
  ///
  /// - Complexity: O(1) for each, on average.
  public func makeIterator() -> Iterator { Iterator(rows: rows.makeIterator()) }

  /// Takes one item after the other, and passes over gaps.
  public struct Iterator: IteratorProtocol {
    var rows: RowTree<FeedRow<Item>>.Iterator

    /// The next item.
    public mutating func next() -> Item? {
      while let row = rows.next() {
        if let item = row.item { return item }
      }
      return nil
    }
  }

  /// Where an item stands among rows and gaps.
  func row(of index: Int) -> Int {
    index + gaps.indices.partition { gaps[$0] - $0 > index }
  }
}

extension FeedItems: Equatable {
  /// Whether both hold equal items in the same order.
  public static func == (first: FeedItems, second: FeedItems) -> Bool {
    first.gaps == second.gaps && first.rows == second.rows || first.elementsEqual(second)
  }
}
