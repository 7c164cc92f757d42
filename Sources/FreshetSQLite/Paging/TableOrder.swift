#if SQLite
  internal import Freshet
  internal import GRDB

  /// The total order of a table's rows, as the table is now.
  struct TableOrder: Sendable {
    let keyset: KeysetOrder
    /// The number of columns that are sorted by, before those of the primary key.
    let sortColumns: Int
    /// The columns of the declared primary key.
    let primaryKey: [String]
    /// The index of the column that is the rowid, if one is.
    let rowIDIndex: Int?

    /// Completes an order for a table.
    ///
    /// - Throws: `SQLiteStoreError` if the table or a column is missing, or if rows have no key.
    init(_ sortColumns: [SortColumn], of table: String, _ db: Database) throws {
      let key = try TableKey(of: table, db)
      for column in sortColumns where !key.has(column.name) {
        throw SQLiteStoreError.noColumn(column.name, table: table)
      }
      let isSortedByRowID = sortColumns.contains { key.isRowID($0.name) }
      keyset = KeysetOrder(
        sortColumns, ties: key.columns.filter { !isSortedByRowID || !key.isRowID($0.name) },
        nullsAreSmallest: true, mayBeNull: key.mayBeNull)
      self.sortColumns = sortColumns.count
      primaryKey = key.primaryKey
      rowIDIndex = keyset.columns.firstIndex { key.isRowID($0.name) }
    }
  }
#endif
