#if SQLite
  internal import Freshet
  internal import GRDB

  /// The rows of a window as SQL, one statement for each range of them.
  struct WindowQuery: Sendable {
    struct Part: Sendable {
      let sql: String
      let arguments: StatementArguments
    }

    let parts: [Part]
    /// Whether the statements are worth keeping: windows with other keys have the same SQL.
    let isShared: Bool

    /// Returns the statement of a part.
    func statement(of part: Part, _ db: Database) throws -> Statement {
      isShared ? try db.cachedStatement(sql: part.sql) : try db.makeStatement(sql: part.sql)
    }
  }
#endif
