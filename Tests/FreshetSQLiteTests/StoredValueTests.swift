#if SQLite
  import Foundation
  @testable import FreshetSQLite
  import GRDB
  import Testing

  /// Values of a column, compared without a query.
  struct StoredValueTests {
    @Test(
      arguments: [
        "a", "a INTEGER", "a REAL", "a NUMERIC", "a TEXT", "a BLOB", "a TEXT COLLATE NOCASE",
      ])
    func `W8: values are compared as SQLite does, or not without it`(column: String) throws {
      try DatabaseQueue().write { db in
        try db.execute(sql: "CREATE TABLE key (a); CREATE TABLE sample (\(column))")
        for value in PagedTable.values {
          try db.execute(
            sql: "INSERT INTO key VALUES (\(value)); INSERT INTO sample VALUES (\(value))")
        }
        // Keys of a column keep their types when the type of the column changes.
        let keys = try values(of: "key", db).map(\.value)
        let rows = try values(of: "sample", db)
        var compared = 0
        for (rowID, value) in rows {
          for key in keys {
            guard let order = value.compared(to: key) else { continue }
            compared += 1
            let row = try SQLRequest<Row>(
              "SELECT a < \(key.sql), a = \(key.sql) FROM sample WHERE rowid = \(rowID)"
            ).fetchOne(db)
            let truth: ComparisonResult =
              row?[0] == true
              ? .orderedAscending : row?[1] == true ? .orderedSame : .orderedDescending
            #expect(order == truth, "\(value) and \(key)")
          }
        }
        #expect(compared > 100)
      }
    }

    private func values(
      of table: String, _ db: Database
    ) throws -> [(rowID: Int64, value: StoredValue)] {
      let parts = StoredValue.parts(of: "a")
      let rows = try SQLRequest<Row>(
        "SELECT rowid, \(parts.value), \(parts.isText) FROM \(sql: table)"
      ).fetchAll(db)
      return rows.compactMap { row in
        StoredValue(row[1], isText: row[2]).map { (row[0], $0) }
      }
    }
  }
#endif
