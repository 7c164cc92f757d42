#if SQLite
  public import protocol Foundation.LocalizedError

  /// An error of a table that cannot be a store, or of an item that cannot be read or written.
  @nonexhaustive
  public enum SQLiteStoreError: Error, Equatable {
    /// There is no such table.
    case noTable(String)
    /// The table has no such column.
    case noColumn(String, table: String)
    /// Rows have no primary key that distinguishes them, so that their order is not certain.
    case noPrimaryKey(table: String)
    /// No column holds the items' ids.
    case noIDColumn(table: String)
    /// The primary key is not the items' id, so that a write would change other rows than intended.
    case noKey(table: String)
    /// A text contains the character NUL and would be cut there.
    case nul(column: String, table: String)
    /// The file of the database was deleted, or another one was put in its place.
    case noFile(path: String)
    /// A row does not match the item's type.
    ///
    /// `rowID` is `nil` if the table or the source does not identify its rows by their rowids.
    case row(table: String, rowID: Int64?, reason: String)
    /// A value that the database computed from the rows is not of the requested type.
    case value(type: String, table: String)
    /// A row is not shown because its item has the same id as the item of a row that is shown.
    ///
    /// `rowID` is `nil` if the request does not identify its rows by their rowids.
    case duplicateID(table: String, rowID: Int64?)
  }

  extension SQLiteStoreError: CustomStringConvertible, LocalizedError {
    /// A description of the problem, with a remedy.
    public var description: String {
      switch self {
      case .noTable(let table):
        "There is no table \(table): create it in a migration, or with SQLiteStore.createTable(like:in:)."
      case .noColumn(let column, let table):
        "The table \(table) has no column \(column): use the name that the table's definition has."
      case .noPrimaryKey(let table):
        "The rows of \(table) have no key that distinguishes them: give the table a primary key that is NOT NULL. A view has none: use a table with a filter."
      case .noIDColumn(let table):
        "No column of \(table) holds the items' ids: give the record a column named id."
      case .noKey(let table):
        "The primary key of \(table) is not the items' id: make the column of the id the primary key."
      case .nul(let column, let table):
        "A text for \(column) of \(table) has the character NUL (U+0000) in it, where it would be cut: take it out, or keep the text as Data."
      case .noFile(let path):
        "The database \(path) was deleted or replaced while it was open: open it again, or put the file back."
      case .row(let table, let rowID, let reason):
        "\(rowID.map { "The row \($0)" } ?? "A row") of \(table) is no item: \(reason)"
      case .value(let type, let table):
        "A value that was computed from the rows of \(table) cannot be read as \(type): request the type that the database returns."
      case .duplicateID(let table, let rowID):
        "\(rowID.map { "The row \($0)" } ?? "A row") of \(table) is not shown, because its item has the same id as another row's. If the ids are texts that differ only in how accents are encoded, make the id a BinaryText."
      }
    }

    /// A description of the problem, with a remedy.
    public var errorDescription: String? { description }
  }
#endif
