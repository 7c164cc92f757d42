internal import FreshetLists

/// A map from the rows in memory to their indices on disk.
struct DiskIndexMap: Sendable {
  /// The orders of the gaps that represent rows on disk, ascending.
  private var gaps: [RowOrder] = []
  /// For each of these gaps, how many more rows are on disk than in memory down to the gap.
  private var surpluses: [Int] = []
  /// The orders of the rows in memory.
  var rows = CountedTree<RowOrder>()

  init() {}

  /// Creates a map.
  ///
  /// - Parameter gaps: the orders of the gaps, and how many rows on disk each one represents.
  init(_ gaps: [(order: RowOrder, count: Int)]) {
    for (order, count) in gaps.sorted(by: { $0.order < $1.order }) {
      self.gaps.append(order)
      surpluses.append(surplus + count - 1)
    }
  }

  /// Whether no row is only on disk.
  var isEmpty: Bool { gaps.isEmpty }
  /// How many more rows are on disk than in memory.
  var surplus: Int { surpluses.last ?? 0 }
  /// The number of rows, including those that are only on disk.
  var count: Int { rows.count + surplus }

  /// Returns the indices on disk that a row in memory represents.
  ///
  /// - Complexity: O(log *n*).
  func range(of row: Int) -> Range<Int> {
    if gaps.isEmpty { return row..<(row + 1) }
    let order = rows[row]
    let place = gaps.partition { $0 >= order }
    let above = place > 0 ? surpluses[place - 1] : 0
    let isGap = place < gaps.count && gaps[place] == order
    return (row + above)..<(row + (isGap ? surpluses[place] : above) + 1)
  }

  func index(of row: Int) -> Int { range(of: row).lowerBound }

  /// The gaps that represent rows on disk: their indices in memory, and their numbers of rows.
  ///
  /// - Complexity: O(log *n*) for each.
  var unloaded: [(gap: Int, count: Int)] {
    WorkCount.note(gaps.count)
    var above = 0
    return gaps.indices.map { place in
      defer { above = surpluses[place] }
      let gap = rows.partitioningIndex { $0 >= gaps[place] }
      return (gap, surpluses[place] - above + 1)
    }
  }
}
