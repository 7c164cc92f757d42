#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// The rows of a request that SQLite reports as changed, transaction by transaction.
  struct ObservedChanges<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    typealias Changes = RowChanges<Item.ID>

    /// The request, as its tables are now.
    var reader: RequestReader<Item>?
    /// The changes of the open transaction.
    var pending = Changes()
    /// The committed changes that are not reported yet.
    var committed = Changes()
    /// The writing connection's count of changed rows, in all tables, at its last commit.
    private var changeCount = 0

    private var table: String { Item.databaseTableName }

    /// Starts from the present state of a database.
    mutating func begin(_ reader: RequestReader<Item>, _ db: Database) {
      self = ObservedChanges()
      (self.reader, changeCount) = (reader, db.totalChangesCount)
    }

    // MARK: - Transactions

    /// Returns whether events of a kind concern the request, and are to be reported row by row.
    mutating func observes(_ kind: DatabaseEventKind) -> Bool {
      guard let reader else { return false }
      guard let rows = reader.rows, isOwn(kind.tableName) else {
        // The changed rows alone would not help. Any change of the table counts, also of columns
        // that are not read: other rows may be removed because of it. For some tables, SQLite
        // reports no details.
        if reader.reads(kind.tableName) { pending.isUnknown = true }
        return false
      }
      if case .update(_, let columns) = kind, rows.shape.mayDisplace(byUpdating: columns) {
        pending.mayHaveDisplaced = true
        return true
      }
      if case .update = kind, rows.shape.computesColumns { return true }
      return reader.region.isModified(byEventsOfKind: kind)
    }

    /// Records SQLite's report of a row.
    mutating func note(_ event: DatabaseEvent) {
      if isOwn(event.tableName) {
        pending.add(event.rowID, event.kind)
      } else {
        pending.isUnknown = true
      }
    }

    mutating func commit(_ db: Database) {
      changeCount = db.totalChangesCount
      committed.add(pending)
      pending = Changes()
    }

    /// Looks for rows that changed without a commit.
    ///
    /// A statement that failed half-way may keep its changes.
    mutating func findUnreported(_ db: Database) {
      if db.totalChangesCount != changeCount { committed.isUnknown = true }
      changeCount = db.totalChangesCount
    }

    private func isOwn(_ name: String) -> Bool { name.lowercased() == table.lowercased() }
  }
#endif
