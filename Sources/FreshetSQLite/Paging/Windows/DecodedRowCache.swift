#if SQLite
  internal import FreshetLists

  /// A cache of the items of rows, by their rowids.
  ///
  /// A row that several windows have is decoded once, and again after it changes. The cache holds
  /// at most 2,000 rows (rule W2).
  struct DecodedRowCache<Item: ListItem>: Sendable {
    /// The number of rows after which those that were not used lately are forgotten.
    private static var limit: Int { 1_000 }

    private var recent: [Int64: Item] = [:]
    private var older: [Int64: Item] = [:]

    /// Returns the item of a row, which is decoded if it is not known.
    mutating func item(_ rowID: Int64, _ decode: () throws -> Item) rethrows -> Item {
      if let item = recent[rowID] { return item }
      let item = try older.removeValue(forKey: rowID) ?? decode()
      if recent.count >= Self.limit { (older, recent) = (recent, [:]) }
      recent[rowID] = item
      return item
    }

    /// Forgets rows that changed.
    mutating func forget(_ rowIDs: Set<Int64>) {
      for rowID in rowIDs {
        recent[rowID] = nil
        older[rowID] = nil
      }
    }
  }
#endif
