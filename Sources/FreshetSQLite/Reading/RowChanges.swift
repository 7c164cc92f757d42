#if SQLite
  internal import Freshet
  internal import GRDB

  /// What is known of the changes in some transactions.
  struct RowChanges<ID: Hashable & Sendable>: Sendable {
    /// Rows that SQLite told of.
    private(set) var rowIDs: Set<Int64> = []
    /// Those of them that came.
    private(set) var inserted: Set<Int64> = []
    /// Whether rows may have gone that nothing tells of: any has to be looked for.
    var mayHaveDisplaced = false
    /// Whether it is not known which rows changed.
    var isUnknown = false
    /// Items that the store wrote.
    var written: Set<ID> = []

    var isEmpty: Bool { rowIDs.isEmpty && written.isEmpty && !isUnknown && !mayHaveDisplaced }

    /// Adds what SQLite told of a row.
    mutating func add(_ rowID: Int64, _ kind: DatabaseEvent.Kind) {
      // A row that took another's place and went: what it displaced cannot be asked of it any more.
      if inserted.contains(rowID), kind != .update { mayHaveDisplaced = true }
      rowIDs.insert(rowID)
      if kind == .insert { inserted.insert(rowID) }
    }

    /// Adds what happened later.
    mutating func add(_ later: RowChanges) {
      mayHaveDisplaced =
        mayHaveDisplaced || later.mayHaveDisplaced || !inserted.isDisjoint(with: later.rowIDs)
      isUnknown = isUnknown || later.isUnknown
      rowIDs.formUnion(later.rowIDs)
      inserted.formUnion(later.inserted)
      written.formUnion(later.written)
    }
  }
#endif
