/// The key of a page of a table: a position in its order, and the direction to read in.
///
/// It holds the values by which a row is sorted, and those of its primary key. The position
/// remains valid if the row is deleted.
///
/// Pages name the keys of their neighbours, and a source such as `SQLiteFeedSource` or
/// `PostgresFeedSource` finds the key of a row. A key of another order is `FeedError.staleKey`.
public struct KeysetKey: Hashable, Codable, Sendable {
  /// A hash of the order that the values belong to.
  package let order: UInt64
  /// The values of all columns of the order, as the source writes them; `nil` is `NULL`.
  package let values: [String?]
  /// Whether the page is above the position.
  package let isUpward: Bool
  /// Whether a row at the position itself belongs to the page.
  package let isInclusive: Bool

  /// The number of rows above the position when the key was made, if it was counted.
  package var rowsAbove: Int?

  package init(order: UInt64, values: [String?], isUpward: Bool, isInclusive: Bool) {
    (self.order, self.values) = (order, values)
    (self.isUpward, self.isInclusive) = (isUpward, isInclusive)
  }

  /// The key for all rows on the other side of the position.
  package var opposite: KeysetKey {
    KeysetKey(order: order, values: values, isUpward: !isUpward, isInclusive: !isInclusive)
  }

  /// Returns whether two keys are for the same page.
  public static func == (first: KeysetKey, second: KeysetKey) -> Bool {
    (first.order, first.isUpward, first.isInclusive)
      == (second.order, second.isUpward, second.isInclusive) && first.values == second.values
  }

  /// Adds what distinguishes the key to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(values)
    hasher.combine(isUpward)
  }
}

extension PageRequest where Key == KeysetKey {
  /// The number of rows above the page, as far as it is known without counting.
  ///
  /// The rows above a key may be others than when it was made.
  package var rowsAbove: RowTotal? {
    guard let key else { return .exact(0) }
    return key.rowsAbove.map { .estimated($0) }
  }
}
