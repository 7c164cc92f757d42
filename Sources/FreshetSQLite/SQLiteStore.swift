#if SQLite
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
  /// results.performFetch(.init { $0.filter { $0.magnitude >= 5 } })
  /// ```
  ///
  /// What SQLite does not tell is not seen: changes by another process or another connection pool,
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
    /// - Throws: `SQLiteStoreError`, or what GRDB throws, for a row that cannot be decoded too.
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
    /// - Throws: what GRDB throws, for a row that breaks a constraint of the table too.
    public func write(_ changes: ChangeBatch<Item>) async throws {
      try await database.write { try Self.perform(changes, in: $0) }
    }

    static func perform(_ changes: ChangeBatch<Item>, in db: Database) throws {
      for change in changes.all {
        if var item = change.item {
          try item.save(db)
        } else {
          try Item.deleteOne(db, id: change.id)
        }
      }
    }
  }

  /// Why a table cannot be a store.
  public enum SQLiteStoreError: Error, Equatable, CustomStringConvertible {
    /// There is no such table.
    case noTable(String)
    /// SQLite does not tell of changes in tables without a rowid.
    case noRowID(table: String)
    /// No column holds the items' ids.
    case noIDColumn(table: String)

    /// What is wrong, and what to try.
    public var description: String {
      switch self {
      case .noTable(let table):
        "There is no table \(table): create it in a migration, or with SQLiteStore.createTable(like:in:)."
      case .noRowID(let table):
        "The table \(table) is WITHOUT ROWID, and SQLite does not tell of changes there: create it as an ordinary table."
      case .noIDColumn(let table):
        "No column of \(table) holds the items' ids: give the record a column named id."
      }
    }
  }
#endif
