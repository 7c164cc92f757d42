#if SQLite
  internal import Freshet
  internal import GRDB

  /// The known changes of some transactions.
  struct RowChanges<ID: Hashable & Sendable>: Sendable {
    /// The rows that SQLite reported.
    private(set) var rowIDs: Set<Int64> = []
    /// The reported rows that were inserted.
    private(set) var inserted: Set<Int64> = []
    /// Whether rows may have been removed without a report, so that all must be checked.
    var mayHaveDisplaced = false
    /// Whether it is unknown which rows changed.
    var isUnknown = false
    /// The items that the store wrote.
    var written: Set<ID> = []
    /// The feed for which the store wrote them; `nil` if there was any other writer.
    var feed: String?

    var isEmpty: Bool { rowIDs.isEmpty && written.isEmpty && !isUnknown && !mayHaveDisplaced }

    /// Adds SQLite's report of a row.
    mutating func add(_ rowID: Int64, _ kind: DatabaseEvent.Kind) {
      // A row that displaced another and was then removed no longer shows which one it displaced.
      if inserted.contains(rowID), kind != .update { mayHaveDisplaced = true }
      rowIDs.insert(rowID)
      if kind == .insert { inserted.insert(rowID) }
    }

    /// Forgets which rows changed if there are more than some.
    mutating func forgetRows(beyond limit: Int) {
      guard rowIDs.count > limit else { return }
      self = RowChanges()
      isUnknown = true
    }

    /// Adds later changes.
    mutating func add(_ later: RowChanges) {
      if isEmpty { feed = later.feed } else if !later.isEmpty, feed != later.feed { feed = nil }
      mayHaveDisplaced =
        mayHaveDisplaced || later.mayHaveDisplaced || !inserted.isDisjoint(with: later.rowIDs)
      isUnknown = isUnknown || later.isUnknown
      rowIDs.formUnion(later.rowIDs)
      inserted.formUnion(later.inserted)
      written.formUnion(later.written)
    }
  }
#endif
