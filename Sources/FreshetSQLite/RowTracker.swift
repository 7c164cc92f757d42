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
      /// Set when the query begins.
      var statements: Statements?
      /// The columns that are the rowid.
      var rowIDColumns: Set<String> = ["rowid", "ROWID"]
      /// What the open transaction changed.
      var pending = Changes()
      /// What is committed and not told yet.
      var committed = Changes()
      var told = ToldRows<Int64, Item>()
      var hasLoaded = false
      var hasStopped = false
    }

    private static var rowIDKey: String { "freshet_rowid" }
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
      let statements = Statements(
        all: try SQLText(request, db),
        some: Self.isAboutSingleRows(statement.sql) ? try SQLText(lookingUp: request, db) : nil,
        others: try SQLText(lookingUp: Item.all(), db))
      let (region, rowIDColumn) = (
        statement.databaseRegion, try db.primaryKey(table).rowIDColumn
      )
      state.withLock { state in
        state.region = region
        state.statements = statements
        if let rowIDColumn { state.rowIDColumns.insert(rowIDColumn) }
      }
      db.add(transactionObserver: self)
    }

    /// Tells of the rows that there are.
    func load(_ db: Database) throws {
      var told = ToldRows<Int64, Item>()
      var chunk: [Item] = []
      guard let all = state.withLock({ $0.statements?.all }) else { return }
      try fetch(db, all) { rowID, item in
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
      state.withLock { state in
        // SQLite tells the rowid after an update: of a row that gets another, the old one is not known.
        if case .update(let name, let columns) = kind, name.lowercased() == table.lowercased(),
          !columns.isDisjoint(with: state.rowIDColumns)
        {
          state.pending.isUnknown = true
        }
        return state.region.isModified(byEventsOfKind: kind)
      }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      let rowID = event.tableName.lowercased() == table.lowercased() ? event.rowID : nil
      state.withLock { state in
        if let rowID { state.pending.rowIDs.insert(rowID) }
        if rowID == nil || state.statements?.some == nil { state.pending.isUnknown = true }
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
      let (changes, statements) = state.withLock { state in
        defer { state.committed = Changes() }
        return (state.committed, state.statements)
      }
      guard let statements, changes.isUnknown || !changes.rowIDs.isEmpty else { return }
      var found: [(key: Int64, item: Item)] = []
      let some = changes.isUnknown ? nil : statements.some
      if let some {
        try fetch(db, some, changes.rowIDs) { found.append(($0, $1)) }
      } else {
        try fetch(db, statements.all) { found.append(($0, $1)) }
      }
      // Rows that are not asked for, and that a draft may show.
      var others: [Item] = []
      let missing = changes.rowIDs.subtracting(found.lazy.map(\.key))
      try? fetch(db, statements.others, missing) { others.append($1) }
      let keys = some == nil ? nil : changes.rowIDs
      let batch = state.withLock { [found, others] in
        $0.told.changes(of: keys, found: found, others: others)
      }
      query.enqueue(batch)
    }

    /// Reads the rows that a statement finds, those of some rowids if it looks them up.
    private func fetch(
      _ db: Database, _ sql: SQLText, _ rowIDs: Set<Int64>? = nil, _ take: (Int64, Item) -> Void
    ) throws {
      if let rowIDs, rowIDs.isEmpty { return }
      var arguments = sql.arguments
      if let rowIDs { arguments += ["[\(rowIDs.map(String.init).joined(separator: ","))]"] }
      let statement = try db.cachedStatement(sql: sql.text)
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      while let row = try rows.next() { take(row[Self.rowIDKey], try Item(row: row)) }
    }

    /// What a query asks SQLite.
    private struct Statements: Sendable {
      /// Reads all rows.
      let all: SQLText
      /// Looks rows up; `nil` where the request cannot be asked about some of them.
      let some: SQLText?
      /// Looks up rows that are not asked for.
      let others: SQLText
    }

    /// A request as SQL.
    private struct SQLText: Sendable {
      let text: String
      let arguments: StatementArguments

      init(_ request: QueryInterfaceRequest<Item>, _ db: Database) throws {
        let request = request.annotated(with: Column.rowID.forKey(rowIDKey))
        let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
        (text, arguments) = (statement.sql, statement.arguments)
      }

      /// A request whose last argument is a JSON array of rowids.
      init(lookingUp request: QueryInterfaceRequest<Item>, _ db: Database) throws {
        let request = request.unordered()
        arguments = try SQLText(request, db).arguments
        text = try SQLText(
          request.filter(literal: "\(Column.rowID) IN (SELECT value FROM json_each(\("[]")))"), db
        ).text
      }
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
