#if SQLite
  internal import GRDB

  /// The columns of a table, and those by which its rows differ, as the table is now.
  struct TableKey {
    /// The columns that distinguish rows, in the collations that decide it.
    let columns: [(name: String, collation: String?)]
    /// The columns of the declared primary key.
    let primaryKey: [String]
    /// The name of the rowid, if it is one of the columns.
    let rowID: String?
    private let names: Set<ColumnName>
    private let required: Set<ColumnName>

    /// A name as SQLite compares it: byte by byte, except for the case of the letters A to Z.
    private typealias ColumnName = [UInt8]

    private static func compared(_ name: String) -> ColumnName {
      name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 32 : $0 }
    }

    /// Reads the definition of a table.
    ///
    /// - Throws: `SQLiteStoreError` if there is no such table, or if its rows have no key.
    init(of table: String, _ db: Database) throws {
      let definitions = try Row.fetchAll(
        db.cachedStatement(sql: "SELECT name, \"notnull\", pk FROM pragma_table_xinfo(?)"),
        arguments: [table])
      guard !definitions.isEmpty else { throw SQLiteStoreError.noTable(table) }
      let names = Set(definitions.map { Self.compared($0["name"]) })
      let primaryKey: [String] = definitions.filter { $0["pk"] > 0 }
        .sorted { $0["pk"] < $1["pk"] as Int }.map { $0["name"] }
      var required = Set(definitions.filter { $0["notnull"] }.map { Self.compared($0["name"]) })
      let parts = try Row.fetchAll(
        db.cachedStatement(
          sql: """
            SELECT part.name, part.coll
            FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part
            WHERE list.origin = 'pk' AND part.key ORDER BY part.seqno
            """), arguments: [table])
      var columns = parts.map { (name: $0["name"] as String, collation: $0["coll"] as String?) }
      // A primary key without an index is the rowid. Several rows may have NULL in one that allows
      // it.
      var rowID = parts.isEmpty ? primaryKey.first : nil
      if rowID == nil, primaryKey.isEmpty || !required.isSuperset(of: primaryKey.map(Self.compared))
      {
        rowID = ["rowid", "_rowid_", "oid"].first { !names.contains(Self.compared($0)) }
        guard rowID != nil, try !db.viewExists(table) else {
          throw SQLiteStoreError.noPrimaryKey(table: table)
        }
      }
      if let rowID {
        columns.append((rowID, nil))
        required.insert(Self.compared(rowID))
      }
      (self.columns, self.primaryKey, self.rowID) = (columns, primaryKey, rowID)
      (self.names, self.required) = (names, required)
    }

    /// Returns whether the table has a column.
    func has(_ column: String) -> Bool {
      names.contains(Self.compared(column)) || isRowID(column)
    }

    /// Returns whether rows may have no value in a column.
    func mayBeNull(_ column: String) -> Bool { !required.contains(Self.compared(column)) }

    /// Returns whether a column is the rowid.
    func isRowID(_ column: String) -> Bool {
      rowID.map { Self.compared($0) == Self.compared(column) } ?? false
    }
  }
#endif
