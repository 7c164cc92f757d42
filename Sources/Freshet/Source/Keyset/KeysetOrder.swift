internal import Foundation
internal import FreshetLists

/// The order of a table's rows, in which no two rows have the same position.
///
/// The columns to sort by are followed by the primary key, in the direction of the first of them.
/// An index on the columns, which ends with the primary key, then has the rows in this order.
package struct KeysetOrder: Sendable {
  /// The columns to sort by, followed by those of the primary key.
  package let columns: [KeysetColumn]
  /// A hash of the order, which is the same in every process.
  private let hash: UInt64

  /// Completes an order with the primary key.
  ///
  /// - Parameters:
  ///   - sortColumns: the columns to sort by.
  ///   - ties: the columns that distinguish rows, with the collations that decide it.
  ///   - nullsAreSmallest: whether `NULL` is the smallest value in an index, or the largest.
  ///   - mayBeNull: returns whether rows may have no value in a column.
  package init(
    _ sortColumns: [SortColumn], ties: [(name: String, collation: String?)],
    nullsAreSmallest: Bool, mayBeNull: (String) -> Bool
  ) {
    let isDescending = sortColumns.first?.isDescending ?? false
    let keys = ties.map { name, collation in
      SortColumn(name: name, isDescending: isDescending, collation: collation)
    }
    columns = (sortColumns + keys).map {
      KeysetColumn($0, nullsAreSmallest: nullsAreSmallest, mayBeNull: mayBeNull($0.name))
    }
    let text = columns.map { "\($0.name)\0\($0.collation ?? "")\0\($0.isDescending)\0\($0.nulls)" }
    hash = XXHash64.hash(Data(text.joined(separator: "\0").utf8))
  }

  // MARK: - Keys

  /// Returns the key of the page on one side of a row.
  ///
  /// - Parameter values: the values of the row in all columns of the order.
  package func key(
    _ values: [String?], isUpward: Bool, isInclusive: Bool = false
  ) -> KeysetKey {
    KeysetKey(order: hash, values: values, isUpward: isUpward, isInclusive: isInclusive)
  }

  /// Returns the keys of the pages on both sides of a page.
  ///
  /// - Parameters:
  ///   - key: the key of the page; `nil` for the first one.
  ///   - ends: the values of the rows at both ends, beginning at the key; `nil` without rows.
  ///   - hasMore: whether there are rows after the last one, in the direction of the key.
  ///   - hasRowsBehind: whether there are rows on the other side of the key.
  package func neighbours(
    of key: KeysetKey?, ends: (first: [String?], last: [String?])?, hasMore: Bool,
    hasRowsBehind: Bool
  ) -> (next: KeysetKey?, previous: KeysetKey?) {
    let isUpward = key?.isUpward ?? false
    let ahead = hasMore ? ends.map { self.key($0.last, isUpward: isUpward) } : nil
    let back = ends.map { self.key($0.first, isUpward: !isUpward) } ?? key?.opposite
    let behind = hasRowsBehind ? back : nil
    return isUpward ? (behind, ahead) : (ahead, behind)
  }

  // MARK: - Ranges

  /// Returns the ranges of a page's rows, beginning at the position of its key.
  ///
  /// - Parameter value: returns a value for the text in a key; `nil` if there is none.
  /// - Throws: `FeedError.staleKey` if the key belongs to another order.
  package func ranges<Value>(
    for key: KeysetKey?, _ value: (String) -> Value?
  ) throws(FeedError) -> [KeysetRange<Value>] {
    guard let key else { return columns.ranges() }
    guard key.order == hash, key.values.count == columns.count else {
      throw .staleKey("\(key.values.count) values of another order")
    }
    var values: [Value?] = []
    for text in key.values {
      let stored = text.flatMap(value)
      if text != nil, stored == nil { throw .staleKey("a value that cannot be read") }
      values.append(stored)
    }
    let columns = key.isUpward ? columns.map(\.reversed) : columns
    return key.isInclusive ? columns.ranges(from: values) : columns.ranges(after: values)
  }

  /// Returns the ranges of the rows at some values or after them.
  ///
  /// - Parameter values: values for the columns, of which the last ones can be left out.
  /// - Precondition: there are not more values than columns.
  package func ranges<Value>(from values: [Value?]) -> [KeysetRange<Value>] {
    precondition(values.count <= columns.count, "there are more values than columns")
    return columns.ranges(from: values)
  }
}
