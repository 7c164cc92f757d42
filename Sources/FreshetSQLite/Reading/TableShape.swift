#if SQLite
  internal import GRDB

  /// What of a table decides which rows may go without a word.
  ///
  /// Where a row takes the place of others (`INSERT OR REPLACE`, a constraint with
  /// `ON CONFLICT REPLACE`), SQLite does not tell that these go. Rows can only be in each other's
  /// way by the rowid, which is told, or in a unique index.
  struct TableShape: Sendable {
    /// The name by which SQL finds the rowid; `nil` where there is none, or columns have all its
    /// names.
    let rowID: String?
    /// Whether rows can be in each other's way in more than the rowid.
    let isUnique: Bool
    /// The primary key, where it is the only unique index and a column whose values are the same
    /// only if they are equal.
    let key: String?
    /// Whether the table has columns that are computed of others: SQLite tells of those only.
    let computesColumns: Bool
    /// The columns that put a row into the way of others, in lower case; `nil` where any may.
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

    /// Whether new values in these columns may put a row into the way of others, or change its
    /// rowid.
    func mayDisplace(byUpdating columns: Set<String>) -> Bool {
      guard let uniqueColumns else { return true }
      return columns.contains { uniqueColumns.contains($0.lowercased()) }
    }
  }
#endif
