internal import FreshetLists

/// A set of ids of any type, copied in O(1) and changed in O(log *n*).
///
/// Copies share their common parts.
struct RowKeys: Equatable, Sendable {
  /// The keys in the order of their hashes.
  private(set) var all = CountedTree<RowRef>()

  var isEmpty: Bool { all.count == 0 }

  /// Whether the id of a row is in the set.
  ///
  /// - Complexity: O(log *n*).
  func contains(_ row: RowRef) -> Bool { place(of: row).isThere }

  /// Adds the id of a row.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ row: RowRef) {
    let place = place(of: row)
    if !place.isThere { all.insert(row.key, at: place.index) }
  }

  /// Removes the id of a row, if it is there.
  ///
  /// - Complexity: O(log *n*).
  mutating func remove(_ row: RowRef) {
    let place = place(of: row)
    if place.isThere { all.remove(at: place.index) }
  }

  /// Returns the ids of both sets.
  func union(_ other: RowKeys) -> RowKeys {
    if isEmpty { return other }
    var union = self
    for key in other.all { union.insert(key) }
    return union
  }

  static func == (first: RowKeys, second: RowKeys) -> Bool {
    first.all.isIdentical(to: second.all)
      || first.all.count == second.all.count && first.all.allSatisfy(second.contains)
  }

  /// Returns the index at which an id is, or at which it would be inserted.
  private func place(of row: RowRef) -> (index: Int, isThere: Bool) {
    var index = all.partitioningIndex { $0.hash >= row.hash }
    while index < all.count, all[index].hash == row.hash {
      if all[index].hasID(of: row) { return (index, true) }
      index += 1
    }
    return (index, false)
  }
}
