#if SQLite
  /// The key of a page of a table: a position in its order, and the direction to read in.
  ///
  /// It holds the values by which a row is sorted, and those of its primary key. The position
  /// remains valid if the row is deleted.
  ///
  /// Pages name the keys of their neighbours, and `SQLiteFeedSource` finds the key of a row.
  public struct SQLitePageKey: Hashable, Codable, Sendable {
    /// A hash of the order that the values belong to.
    let order: UInt64
    /// The values of all columns of the order, exactly as they are stored.
    let values: [StoredValue]
    /// Whether the page is above the position.
    let isUpward: Bool
    /// Whether a row at the position itself belongs to the page.
    let isInclusive: Bool

    /// The key for all rows on the other side of the position.
    var opposite: SQLitePageKey {
      SQLitePageKey(
        order: order, values: values, isUpward: !isUpward, isInclusive: !isInclusive)
    }
  }
#endif
