#if SQLite
  public import protocol Foundation.LocalizedError
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// A table of SQLite, of records that GRDB fetches.
  ///
  /// A query is told which rows changed by watching transactions: it does not fetch the table again.
  /// It works on the app's own `DatabaseQueue` or `DatabasePool`, whoever writes to it: this store, a
  /// record, or SQL.
  ///
  /// ```swift
  /// let store = SQLiteStore(database, Quake.self)
  /// let results = ResultsController(store: store, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
  /// ```
  ///
  /// An item's id is the primary key of its row. What SQLite does not tell is not seen: changes by another process or another connection pool,
  /// and rows of other ids that `INSERT OR REPLACE` takes away. `Database.notifyChanges(in:)` says so,
  /// or another fetch.
  public final class SQLiteStore<Item: ListItem & FetchableRecord & TableRecord>: DataStore {
    /// What a query asks for.
    public struct Request: Sendable {
      let make: @Sendable (QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item>

      /// Every row.
      public static var all: Request { Request { $0 } }

      /// Some of the rows.
      ///
      /// A request that looks at each row alone, like a filter on its columns, is told of changes in
      /// time proportional to the change. Any other (a limit, a join, a subquery) is correct too, and
      /// is fetched again when a table that it reads has changed. Order is the arrangement's to say.
      ///
      /// - Parameter make: restricts the request for every row.
      public init(
        _ make:
          @escaping @Sendable (_ all: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<
            Item
          >
      ) {
        self.make = make
      }
    }

    let database: any DatabaseWriter

    /// Creates a store over a table of an open database.
    public init(_ database: some DatabaseWriter, _: Item.Type = Item.self) {
      self.database = database
    }

    /// Enqueues the rows, in the order of the request, and until the task is cancelled, what changes.
    ///
    /// Rows are read in one transaction; in a `DatabasePool` others write meanwhile.
    ///
    /// - Throws: `SQLiteStoreError`, or what GRDB throws, for a row that cannot be decoded too. (SQLite
    ///   converts where it can: a text in place of a number reads as zero.)
    public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
      let failures = AsyncThrowingStream<Never, any Error>.makeStream()
      let tracker = RowTracker(query) { failures.continuation.finish(throwing: $0) }
      defer {
        tracker.stop()
        database.asyncWriteWithoutTransaction { $0.remove(transactionObserver: tracker) }
      }
      try await database.writeWithoutTransaction { try tracker.begin($0) }
      try await database.read { try tracker.load($0) }
      try await database.writeWithoutTransaction { try tracker.catchUp($0) }
      query.finishInitialResults()
      for try await _ in failures.stream {}
    }
  }

  extension SQLiteStore: WritableDataStore
  where Item: MutablePersistableRecord, Item.ID: DatabaseValueConvertible {
    /// Saves and deletes records by their primary keys, in one transaction.
    ///
    /// - Throws: `SQLiteStoreError.noKey` where the primary key does not hold the items' ids, or what GRDB
    ///   throws, for a row that breaks a constraint of the table too. Nothing is written then.
    public func write(_ changes: ChangeBatch<Item>) async throws {
      try await database.write { try Self.perform(changes, in: $0) }
    }

    static func perform(_ changes: ChangeBatch<Item>, in db: Database) throws {
      let table = Item.databaseTableName
      let key = try db.primaryKey(table).columns
      // Asked of the first item that tells.
      var isKnown = false
      func check(_ isKey: Bool) throws {
        guard isKey else { throw SQLiteStoreError.noKey(table: table) }
        isKnown = true
      }
      for change in changes.all {
        if var item = change.item {
          if !isKnown {
            let values = try item.databaseDictionary
            try check(key.count == 1 && values[key[0]] == item.id.databaseValue)
          }
          try item.save(db)
        } else {
          if !isKnown, let item = try Item.fetchOne(db, id: change.id) {
            try check(item.id == change.id)
          }
          try Item.deleteOne(db, id: change.id)
        }
      }
    }
  }

  /// Why a table cannot be a store.
  public enum SQLiteStoreError: Error, Equatable {
    /// There is no such table.
    case noTable(String)
    /// SQLite does not tell of changes in tables without a rowid.
    case noRowID(table: String)
    /// No column holds the items' ids.
    case noIDColumn(table: String)
    /// The primary key is not the items' id: other rows would be changed than those that are meant.
    case noKey(table: String)
  }

  extension SQLiteStoreError: CustomStringConvertible, LocalizedError {
    /// What is wrong, and what to try.
    public var description: String {
      switch self {
      case .noTable(let table):
        "There is no table \(table): create it in a migration, or with SQLiteStore.createTable(like:in:)."
      case .noRowID(let table):
        "The table \(table) is WITHOUT ROWID, and SQLite does not tell of changes there: create it as an ordinary table."
      case .noIDColumn(let table):
        "No column of \(table) holds the items' ids: give the record a column named id."
      case .noKey(let table):
        "The primary key of \(table) is not the items' id: make the column of the id the primary key."
      }
    }

    /// What is wrong, and what to try.
    public var errorDescription: String? { description }
  }
#endif
