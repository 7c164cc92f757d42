#if SQLite
  internal import GRDB

  /// The parts of a table's definition that decide which rows may be removed without a report.
  ///
  /// If a row replaces others (`INSERT OR REPLACE`, a constraint with `ON CONFLICT REPLACE`),
  /// SQLite does not report the removal of those. Rows can only conflict by the rowid, which is
  /// reported, or in a unique index.
  struct TableShape: Sendable {
    /// The name by which SQL finds the rowid.
    ///
    /// It is `nil` if there is no rowid, or if columns have all its names.
    let rowID: String?
    /// Whether rows can conflict in more than the rowid.
    let isUnique: Bool
    /// The primary key column, if it is the only unique index and matches only equal values.
    let key: String?
    /// Whether the table has columns that are computed from others.
    ///
    /// SQLite reports updates of those others only.
    let computesColumns: Bool
    /// The columns whose values may conflict with other rows, in lower case; `nil` if any may.
    private let uniqueColumns: Set<String>?

    init(_ table: String, _ db: Database) throws {
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, hidden FROM pragma_table_xinfo(?)", arguments: [table])
      let names = Set(columns.map { ($0["name"] as String).lowercased() })
      let alias = try db.primaryKey(table).rowIDColumn
      rowID = alias ?? ["rowid", "_rowid_", "oid"].first { !names.contains($0) }

      let parts = try Row.fetchAll(
        db,
        sql: """
          SELECT list.name AS "index", list.partial, part.name, part.coll
          FROM pragma_index_list(?) AS list, pragma_index_xinfo(list.name) AS part
          WHERE list."unique" AND part.key
          """, arguments: [table])
      let computed = Set(columns.lazy.filter { $0["hidden"] != 0 }.map { $0["name"] as String })
      let plain = parts.compactMap { part -> String? in
        guard let name = part["name"] as String?, part["partial"] == 0 else { return nil }
        return computed.contains(name) ? nil : name
      }
      isUnique = !parts.isEmpty
      let isPlainKey = parts.count == 1 && parts[0]["coll"] == "BINARY"
      let primaryKey = try db.primaryKey(table).columns
      key = isPlainKey && plain == primaryKey ? plain.first : nil
      computesColumns = columns.contains { [2, 3].contains($0["hidden"] as Int) }
      uniqueColumns =
        plain.count == parts.count
        ? Set((plain + ["rowid"] + (alias.map { [$0] } ?? [])).map { $0.lowercased() }) : nil
    }

    /// Returns whether new values in these columns may conflict with rows or change the rowid.
    func mayDisplace(byUpdating columns: Set<String>) -> Bool {
      guard let uniqueColumns else { return true }
      return columns.contains { uniqueColumns.contains($0.lowercased()) }
    }
  }
#endif
