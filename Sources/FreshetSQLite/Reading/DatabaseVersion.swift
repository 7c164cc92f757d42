#if SQLite
  internal import GRDB

  /// SQLite's counters of changes that it does not report: other tables and other connections.
  struct DatabaseVersion: Equatable, Sendable {
    /// The counters that change with every table, index or view.
    ///
    /// They also change with `VACUUM`, which may change rowids.
    private(set) var schemas: [Int64] = []
    /// The counters that change with every commit of another connection.
    private(set) var contents: [Int64] = []

    init(_ db: Database) throws {
      let names = try String.fetchAll(
        db.cachedStatement(sql: "SELECT name FROM pragma_database_list"))
      for name in names.map(\.quotedDatabaseIdentifier) {
        func number(_ pragma: String) throws -> Int64 {
          try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA \(name).\(pragma)")) ?? 0
        }
        schemas.append(try number("schema_version"))
        contents.append(try number("data_version"))
      }
    }
  }

  extension Database {
    /// Reads one state of the database, which does not change with commits of other connections.
    ///
    /// Neither their rows nor their definitions of tables are seen meanwhile. While a statement is
    /// open, SQLite reads the same state for all others of its connection. A transaction would do
    /// the same, but GRDB's observers would be notified of it.
    func withSnapshot<Value>(_ read: () throws -> Value) throws -> Value {
      // SQLite also looks up the definitions of the tables now. A statement that is prepared from
      // here on therefore has the columns that exist when it runs.
      let reading = try Row.fetchCursor(
        cachedStatement(sql: "SELECT 1 FROM pragma_database_list"))
      _ = try reading.next()
      return try withExtendedLifetime(reading) { try read() }
    }
  }
#endif
