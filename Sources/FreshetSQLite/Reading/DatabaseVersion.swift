#if SQLite
  internal import GRDB

  /// What SQLite counts up where it does not tell: other tables, and commits of other connections.
  struct DatabaseVersion: Equatable, Sendable {
    /// Changes with every table, index or view, and with `VACUUM`, which may change rowids.
    private(set) var schemas: [Int64] = []
    /// Changes with every commit of another connection.
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
#endif
