#if SQLite
  /// The rows that there are when a query begins, by their rowids, and their items in chunks.
  ///
  /// Results merge each chunk into those before it, which takes work for all of them: a chunk is
  /// many times as large as all before.
  struct LoadedRows<Item: Sendable>: Sendable {
    /// How many rows the first chunk has.
    private static var first: Int { 1_000 }
    /// How many times as many rows there are with each chunk that follows.
    private static var growth: Int { 16 }

    private(set) var rowIDs: [Int64] = []
    private(set) var chunks: [[Item]] = []
    /// The items of the chunk that is being read.
    var items: [Item] = []
    private var end = Self.first

    /// Whether they are rows of the first chunk so far.
    var areFew: Bool { chunks.isEmpty }

    /// Notes the rowid of the item that was read last.
    ///
    /// - Returns: the chunk that ends with it.
    mutating func note(_ rowID: Int64) -> [Item]? {
      rowIDs.append(rowID)
      if rowIDs.count < end { return nil }
      end *= Self.growth
      return endChunk()
    }

    /// Ends the chunk that is being read.
    mutating func endChunk() -> [Item] {
      defer { items = [] }
      chunks.append(items)
      return items
    }

    /// Whether it is time to say how far it is: more often than chunks end.
    var isTold: Bool {
      let (thousands, rest) = rowIDs.count.quotientAndRemainder(dividingBy: Self.first)
      return rest == 0 && thousands.nonzeroBitCount == 1
    }
  }
#endif
