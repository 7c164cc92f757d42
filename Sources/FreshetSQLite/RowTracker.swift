#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// Tells one query which rows change, transaction by transaction.
  ///
  /// GRDB calls it on the queue of the connection that writes, so what it looks up there is newer
  /// than whatever it told before.
  final class RowTracker<Item: ListItem & FetchableRecord & TableRecord>: TransactionObserver,
    Sendable
  {
    typealias Query = DataStoreQuery<Item, SQLiteStore<Item>.Request>

    /// Rows that changed in a transaction.
    private struct Changes: Sendable {
      var rowIDs: Set<Int64> = []
      /// Whether it is not known which: another table changed, or the request is not about single rows.
      var isUnknown = false
    }

    private struct State {
      var region = DatabaseRegion.fullDatabase
      var isAboutSingleRows = false
      /// What the open transaction changed.
      var pending = Changes()
      /// What is committed and not told yet.
      var committed = Changes()
      var told = ToldRows<Int64, Item>()
      var hasLoaded = false
      var hasStopped = false
    }

    private static var rowIDKey: String { "freshet_rowid" }
    /// How many rows are looked up at a time: SQLite bounds the number of arguments.
    private static var lookUpCount: Int { 500 }
    private static var loadCount: Int { 1_000 }

    private let query: Query
    private let fail: @Sendable (any Error) -> Void
    private let table = Item.databaseTableName
    private let state = Locked(State())

    init(_ query: Query, fail: @escaping @Sendable (any Error) -> Void) {
      self.query = query
      self.fail = fail
    }

    // MARK: - Running

    /// Starts to watch transactions.
    func begin(_ db: Database) throws {
      guard try db.tableExists(table) else { throw SQLiteStoreError.noTable(table) }
      do {
        _ = try db.makeStatement(
          literal: "SELECT rowid FROM \(sql: table.quotedDatabaseIdentifier)")
      } catch {
        throw SQLiteStoreError.noRowID(table: table)
      }
      let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
      let (region, isAboutSingleRows) = (
        statement.databaseRegion, Self.isAboutSingleRows(statement.sql)
      )
      state.withLock { state in
        state.region = region
        state.isAboutSingleRows = isAboutSingleRows
      }
      db.add(transactionObserver: self)
    }

    /// Tells of the rows that there are.
    func load(_ db: Database) throws {
      var told = ToldRows<Int64, Item>()
      var chunk: [Item] = []
      try fetch(db, request) { rowID, item in
        told.insert(item, for: rowID)
        chunk.append(item)
        guard chunk.count == Self.loadCount else { return }
        query.enqueue(chunk, as: .insert)
        query.report(completed: told.count, of: nil)
        chunk = []
      }
      query.enqueue(chunk, as: .insert)
      state.withLock { [told] in $0.told = told }
    }

    /// Tells of what was committed while the rows were read, and from now on at every commit.
    func catchUp(_ db: Database) throws {
      state.withLock { $0.hasLoaded = true }
      try tell(db)
    }

    func stop() { state.withLock { $0.hasStopped = true } }

    // MARK: - Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      state.withLock { $0.region.isModified(byEventsOfKind: kind) }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      let rowID = event.tableName.lowercased() == table.lowercased() ? event.rowID : nil
      state.withLock { state in
        if let rowID, state.isAboutSingleRows {
          state.pending.rowIDs.insert(rowID)
        } else {
          state.pending.isUnknown = true
        }
      }
    }

    func databaseDidChange() { state.withLock { $0.pending.isUnknown = true } }

    func databaseDidRollback(_ db: Database) { state.withLock { $0.pending = Changes() } }

    func databaseDidCommit(_ db: Database) {
      let isDue = state.withLock { state in
        state.committed.rowIDs.formUnion(state.pending.rowIDs)
        state.committed.isUnknown = state.committed.isUnknown || state.pending.isUnknown
        state.pending = Changes()
        return state.hasLoaded && !state.hasStopped
      }
      guard isDue else { return }
      do { try tell(db) } catch { fail(error) }
    }

    // MARK: - Looking up

    private var request: QueryInterfaceRequest<Item> { query.request.make(Item.all()) }

    private func tell(_ db: Database) throws {
      let changes = state.withLock { state in
        defer { state.committed = Changes() }
        return state.committed
      }
      var found: [(key: Int64, item: Item)] = []
      if changes.isUnknown {
        try fetch(db, request) { found.append(($0, $1)) }
      } else {
        try fetch(db, request, changes.rowIDs) { found.append(($0, $1)) }
      }
      // A row that is not asked for, and that a draft may show.
      var others: [Item] = []
      let missing = changes.rowIDs.subtracting(found.lazy.map(\.key))
      try? fetch(db, Item.all(), missing) { others.append($1) }
      let keys = changes.isUnknown ? nil : changes.rowIDs
      let batch = state.withLock { [found, others] in
        $0.told.changes(of: keys, found: found, others: others)
      }
      query.enqueue(batch)
    }

    private func fetch(
      _ db: Database, _ request: QueryInterfaceRequest<Item>, _ rowIDs: Set<Int64>,
      _ take: (Int64, Item) -> Void
    ) throws {
      var rest = Array(rowIDs)[...]
      while !rest.isEmpty {
        try fetch(db, request.filter(rest.prefix(Self.lookUpCount).contains(Column.rowID)), take)
        rest = rest.dropFirst(Self.lookUpCount)
      }
    }

    private func fetch(
      _ db: Database, _ request: QueryInterfaceRequest<Item>, _ take: (Int64, Item) -> Void
    ) throws {
      let rows = try Row.fetchCursor(
        db, request.annotated(with: Column.rowID.forKey(Self.rowIDKey)).asRequest(of: Row.self))
      while let row = try rows.next() { take(row[Self.rowIDKey], try Item(row: row)) }
    }

    /// Whether a statement looks at each row alone: only then can it be asked about some of them.
    ///
    /// A word in a text or a name may say no without need: the statement is run as a whole then.
    private static func isAboutSingleRows(_ sql: String) -> Bool {
      let words = sql.uppercased().split { !$0.isLetter }
      let others: Set<Substring> = [
        "LIMIT", "GROUP", "DISTINCT", "JOIN", "UNION", "EXCEPT", "INTERSECT", "OVER", "WITH",
      ]
      return words.count { $0 == "SELECT" } == 1 && !words.contains(where: others.contains)
    }
  }
#endif
