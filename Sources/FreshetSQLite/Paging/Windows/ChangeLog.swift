#if SQLite
  /// The latest changes of a table, by the number of the read that found them.
  struct ChangeLog: Sendable {
    /// The rows that changed between two reads.
    struct Changes: Sendable {
      var rowIDs: Set<Int64> = []
      /// The latest positions of those that the request has now; `nil` if they were not read.
      var positions: [Int64: ColumnValues]? = [:]
      /// Whether other rows may have been removed without a report.
      var mayHaveDisplaced = false
      /// Whether the number of the request's rows may have changed.
      var mayChangeTotal = false

      /// The number of positions beyond which one query is faster than comparing them.
      static var positionLimit: Int { 1_000 }

      /// Adds the positions of rows that changed in an earlier read, and not since.
      fileprivate mutating func addPositions(of earlier: Changes) {
        guard let others = earlier.positions,
          others.count + (positions?.count ?? 0) <= Self.positionLimit
        else { return positions = nil }
        for (rowID, values) in others where !rowIDs.contains(rowID) {
          positions?[rowID] = values
        }
      }
    }

    /// The number of rows that are kept.
    static var limit: Int { 10_000 }

    /// The number of the last read that found changes.
    private(set) var number = 0
    /// The number since which all changes are known.
    private var start = 0
    private var entries: [(number: Int, changes: Changes)] = []
    private var count = 0

    /// Adds the changes that a read found; `nil` if it is unknown which rows changed.
    mutating func add(_ changes: Changes?) {
      number += 1
      guard let changes else {
        (entries, count, start) = ([], 0, number)
        return
      }
      entries.append((number, changes))
      count += max(1, changes.rowIDs.count)
      while count > Self.limit, let first = entries.first {
        count -= max(1, first.changes.rowIDs.count)
        start = first.number
        entries.removeFirst()
      }
    }

    /// Returns the changes after a read; `nil` if they are not known.
    func changes(since number: Int) -> Changes? {
      guard number >= start else { return nil }
      var all = Changes()
      for (_, changes) in entries.reversed().prefix(while: { $0.number > number }) {
        all.addPositions(of: changes)
        all.rowIDs.formUnion(changes.rowIDs)
        all.mayHaveDisplaced = all.mayHaveDisplaced || changes.mayHaveDisplaced
        all.mayChangeTotal = all.mayChangeTotal || changes.mayChangeTotal
      }
      return all
    }
  }
#endif
