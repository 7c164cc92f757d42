#if SQLite
  import Foundation
  import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB

  /// A row of a table of any kind, with a number that no other row has.
  struct Sample: ListItem, Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "sample"
    var number: Int
    var note: Int
    var id: Int { number }
  }

  /// A table of any kind, with values that are hard to sort, and SQL that sorts it.
  struct PagedTable {
    /// The definition of the table.
    let definition: String
    /// What SQL sorts by after the columns.
    let ties: [String]

    static let all = [
      PagedTable("number INTEGER PRIMARY KEY, a, b, c, key, part", ties: "number"),
      PagedTable("number INTEGER, a TEXT, b REAL, c NUMERIC, key, part", ties: "rowid"),
      PagedTable("number INTEGER, a, b BLOB, c INTEGER, rowid TEXT, key, part", ties: "_rowid_"),
      PagedTable(
        "number INTEGER, a TEXT COLLATE NOCASE, b TEXT COLLATE RTRIM, c, key TEXT PRIMARY KEY, part",
        ties: "key", "rowid"),
      PagedTable(
        "number INTEGER PRIMARY KEY DESC, a REAL, b INTEGER, c TEXT, key, part",
        ties: "number", "rowid"),
      PagedTable(
        "number INTEGER, a, b, c, key NOT NULL PRIMARY KEY, part", .withoutRowID, ties: "key"),
      PagedTable(
        "number INTEGER, a, b TEXT, c, key, part COLLATE NOCASE, PRIMARY KEY (part, key)",
        .withoutRowID, ties: "part", "key"),
      PagedTable(
        """
        number INTEGER, a TEXT, b, c NUMERIC, key TEXT COLLATE NOCASE NOT NULL, part,
        PRIMARY KEY (key COLLATE BINARY)
        """, ties: "key COLLATE BINARY"),
      PagedTable(
        "number INTEGER, a, b, c, key TEXT, part, PRIMARY KEY (part, key)",
        ties: "part", "key", "rowid"),
    ]

    private enum Kind: String { case rowID = "", withoutRowID = " WITHOUT ROWID" }

    private init(_ columns: String, _ kind: Kind = .rowID, ties: String...) {
      definition = "CREATE TABLE sample (note INTEGER DEFAULT 0, \(columns))\(kind.rawValue)"
      self.ties = ties
    }

    // MARK: - Contents

    /// Values of all types, next to each other in every order.
    static let values = [
      "NULL", "NULL", "0", "1", "1.0", "1.5", "-1", "9007199254740993", "9007199254740992.0",
      "9223372036854775807", "-9223372036854775808", "9e999", "-9e999", "-0.0", "''", "'a'", "'A'",
      "'a '", "'b'", "'B'", "'10'", "'9'", "'é'", "'e' || char(769)", "'ß'", "'👩‍👩‍👧'",
      "CAST(x'61006200' AS TEXT)", "CAST(x'6100' AS TEXT)", "CAST(x'fffe' AS TEXT)", "x''",
      "x'00'", "x'61'", "x'ff'",
    ]

    /// Makes a database with the table.
    func database(encoding: String = "UTF-8") throws -> DatabaseQueue {
      let queue = try DatabaseQueue()
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA encoding = '\(encoding)'")
        try db.execute(sql: definition)
      }
      return queue
    }

    /// Inserts a row, unless its key exists or is missing.
    static func insert(_ number: Int, _ db: Database, _ random: inout SeededGenerator) throws {
      func value() -> String { values.randomElement(using: &random) ?? "" }
      // Few values, so that many rows have the same.
      func few() -> String {
        random.oneIn(3) ? value() : ["1", "'a'", "'A'", "NULL"].randomElement(using: &random) ?? ""
      }
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO sample (number, a, b, c, key, part)
          VALUES (\(number), \(few()), \(few()), \(value()), \(value()), \(few()))
          """)
    }

    /// An order of up to three columns.
    static func order(_ random: inout SeededGenerator) -> [SortColumn] {
      ["a", "b", "c", "key", "number"].shuffled(using: &random)
        .prefix(Int.random(in: 0...3, using: &random)).map { name in
          let collations: [String?] = [nil, nil, "NOCASE", "BINARY", "RTRIM"]
          let collation = collations.randomElement(using: &random) ?? nil
          let nulls = [SortColumn.Nulls.first, .last, nil].randomElement(using: &random) ?? nil
          return Bool.random(using: &random)
            ? .ascending(name, nulls: nulls, collation: collation)
            : .descending(name, nulls: nulls, collation: collation)
        }
    }

    /// The rows in an order, as SQL sorts them.
    func rows(_ order: [SortColumn], _ db: Database, filter: String = "TRUE") throws -> [Sample] {
      let terms = order.map { column in
        let collation = column.collation.map { " COLLATE \($0)" } ?? ""
        return column.name + collation + (column.isDescending ? " DESC" : " ASC")
          + (column.nullsAreFirst ? " NULLS FIRST" : " NULLS LAST")
      }
      let direction = order.first?.isDescending == true ? " DESC" : ""
      let all = terms + ties.map { $0 + direction }
      return try Sample.fetchAll(
        db,
        sql:
          "SELECT number, note FROM sample WHERE \(filter) ORDER BY \(all.joined(separator: ", "))")
    }
  }

  extension SortColumn {
    /// Whether SQLite sorts the rows without a value first.
    var nullsAreFirst: Bool { nulls.map { $0 == .first } ?? !isDescending }
  }
#endif
