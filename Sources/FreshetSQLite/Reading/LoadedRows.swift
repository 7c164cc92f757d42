#if SQLite
  /// The rows that exist when a query begins, by their rowids, and their items in chunks.
  ///
  /// Results merge each chunk into those before it, which takes work for all of them. Each chunk is
  /// therefore many times as large as all chunks before it.
  struct LoadedRows<Item: Sendable>: Sendable {
    /// The number of rows in the first chunk.
    private static var first: Int { 1_000 }
    /// The factor by which the number of rows grows with each further chunk.
    private static var growth: Int { 16 }

    private(set) var rowIDs: [Int64] = []
    private(set) var chunks: [[Item]] = []
    /// The items of the chunk that is being read.
    var items: [Item] = []
    private var end = Self.first

    /// Whether all rows so far belong to the first chunk.
    var areFew: Bool { chunks.isEmpty }

    /// Records the rowid of the item that was read last.
    ///
    /// - Returns: the chunk, if it ends with this item.
    mutating func note(_ rowID: Int64) -> [Item]? {
      rowIDs.append(rowID)
      if rowIDs.count < end { return nil }
      end *= Self.growth
      return endChunk()
    }

    /// Ends and returns the chunk that is being read.
    mutating func endChunk() -> [Item] {
      defer { items = [] }
      chunks.append(items)
      return items
    }

    /// Whether to report progress now, which happens more often than chunks end.
    var isTold: Bool {
      let (thousands, rest) = rowIDs.count.quotientAndRemainder(dividingBy: Self.first)
      return rest == 0 && thousands.nonzeroBitCount == 1
    }
  }
#endif
