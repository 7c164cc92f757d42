#if Postgres
  public import protocol Foundation.LocalizedError
  public import Freshet

  /// An error between a store and a PostgreSQL server.
  @nonexhaustive
  public enum PostgresError: Error, Equatable, Sendable {
    /// The server cannot be reached, or refuses the connection.
    case connection(reason: String)
    /// The connection was lost while a statement ran.
    ///
    /// It is unknown whether the changes were made. Making them again does no harm.
    case lost(reason: String)
    /// The table does not exist, or this user has no access to it.
    case noTable(String)
    /// The table has no such column.
    case noColumn(String, table: String)
    /// The type of a column has no order.
    case noOrder(String, table: String)
    /// There is no such collation, or it belongs to a role that is not trusted.
    case noCollation(String)
    /// Rows have no primary key that distinguishes them, so that their order is not certain.
    case noPrimaryKey(table: String)
    /// No primary key or unique index makes the key column identify a row.
    case noKey(String, table: String)
    /// The table does not notify of its changes.
    case noTriggers(table: String)
    /// The table in which feeds keep their notes is missing, or is not ours.
    case notes(reason: String)
    /// A text contains the character NUL, which PostgreSQL does not store.
    case nul
    /// A row does not match the item's type.
    case row(table: String, key: String, reason: String)
    /// A value that the server computed from the rows is not of the requested type.
    case value(type: String, table: String)
    /// A row is not shown because its item has the same id as the item of a row that is shown.
    case duplicateID(table: String, key: String)
    /// The server refused a statement, for a reason with an SQLSTATE code.
    case statement(sqlState: String, reason: String)
  }

  extension PostgresError: CustomStringConvertible, LocalizedError, LoadFailure {
    /// A description of the error, with a remedy.
    public var description: String {
      switch self {
      case .connection(let reason): "Cannot connect to PostgreSQL: \(reason)"
      case .lost(let reason): "The connection to PostgreSQL was lost: \(reason)"
      case .noTable(let table):
        "There is no table \(table) in the database, or this user may not use its schema: create it, for example with install(creating:), or name its schema."
      case .noColumn(let column, let table):
        "The table \(table) has no column \(column): add it, or leave it out of the item's coding keys."
      case .noOrder(let column, let table):
        "The column \(column) of \(table) has a type without an order: sort by another column, or by one that is generated from it."
      case .noCollation(let name):
        "There is no collation \(name) for the encoding of this database, or its owner is neither this user, the table's owner nor a superuser: use a name from pg_collation."
      case .noPrimaryKey(let table):
        "The rows of \(table) have no key that distinguishes them: give the table a primary key. A view and a parent of inherited tables have none: use a table or a partitioned table, with a condition."
      case .noKey(let key, let table):
        "No column \(key) identifies the rows of \(table): make it the primary key, or name the one that does with key:."
      case .noTriggers(let table):
        "The table \(table) does not tell of its changes by this key: call install() once, as its owner, or run PostgresStore.triggers(on:key:) in a migration."
      case .notes(let reason):
        "The notes of feeds have no table freshet_note: \(reason). Call install() as the owner of the items' table; another table of that name must go, or a schema of your own be the first in the search_path."
      case .nul:
        "A text has the character NUL (U+0000) in it, which PostgreSQL does not keep: take it out, or keep the text as Data."
      case .row(let table, let key, let reason):
        "The row \(key) of \(table) is no item: \(reason)"
      case .value(let type, let table):
        "A value that was computed from the rows of \(table) cannot be read as \(type): request the type that the server returns."
      case .duplicateID(let table, _):
        "A row of \(table) is not shown, because its item has the same id as another row's. If the ids are texts that differ only in how accents are encoded, make the id a BinaryText."
      case .statement(let sqlState, let reason): "PostgreSQL says: \(reason) (SQLSTATE \(sqlState))"
      }
    }

    /// A description of the error, with a remedy.
    public var errorDescription: String? { description }

    /// Whether the same statement may succeed later.
    ///
    /// The causes are a missing connection, a server that is busy or starting, or a lock conflict.
    public var isTransient: Bool {
      switch self {
      case .connection, .lost: true
      case .statement(let sqlState, _): Self.passing.contains { sqlState.hasPrefix($0) }
      default: false
      }
    }

    /// Whether a query that succeeded once may succeed again, as what it needs may return.
    var mayPass: Bool {
      switch self {
      case .nul, .notes: false
      default: true
      }
    }

    /// Whether the error means that the table cannot be used as it is.
    var isAboutTable: Bool {
      switch self {
      case .noTable, .noKey, .noTriggers, .statement("42501", _): true
      default: false
      }
    }

    /// Whether the table does not notify of its changes, although its rows may be readable.
    var isAboutTriggers: Bool {
      switch self {
      case .noTriggers, .noKey: true
      default: false
      }
    }

    /// Whether the error is about a value that a type cannot hold.
    var isAboutValues: Bool {
      if case .statement(let sqlState, _) = self { sqlState.hasPrefix("22") } else { false }
    }

    /// The SQLSTATE prefixes of errors that may pass.
    ///
    /// They mean no connection, no resources, or a server that stops, starts or is read-only.
    /// Others are for a statement that took too long, waited for a lock, or lost to another one.
    private static let passing = [
      "08", "53", "57P", "25006", "57014", "55P03", "40001", "40P01",
    ]
  }
#endif
