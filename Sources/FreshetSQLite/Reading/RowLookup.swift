#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// A request in which each row depends on a single row of the items' table.
  ///
  /// Changed rows can therefore be looked up by their rowids.
  struct RowLookup<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    let shape: TableShape
    /// The columns that the request reads.
    let region: DatabaseRegion
    private let all: SQLText
    /// The SQL for some rows; its last argument is a JSON array of rowids.
    private let some: SQLText
    /// The name of the rowid.
    let rowID: String
    private var table: String { Item.databaseTableName.quotedDatabaseIdentifier }

    private static var rowIDName: String { "freshet_rowid" }
    private static var keyName: String { "freshet_key" }

    /// Prepares a request.
    ///
    /// - Throws: an error if the request is not proven to be about single rows.
    init(_ request: QueryInterfaceRequest<Item>, _ db: Database) throws {
      shape = try TableShape(Item.databaseTableName, db)
      guard let rowID = shape.rowID else { throw Unproven() }
      self.rowID = rowID
      var selected = request.annotated(with: Column(rowID).forKey(Self.rowIDName))
      if let key = shape.key {
        selected = selected.annotated(with: Column(key).forKey(Self.keyName))
      }
      all = try SQLText(selected, db)
      selected = selected.unordered()
      let unordered = try SQLText(selected, db)
      region = try Self.prove(unordered, db)
      let filter: SQL = "\(Column(rowID)) IN (SELECT value FROM json_each(\("[]")))"
      some = SQLText(
        text: try SQLText(selected.filter(filter), db).text, arguments: unordered.arguments)
    }

    /// The error of a request that is not proven to be about single rows.
    private struct Unproven: Error {}

    /// Checks how SQLite would find a row of the request by its rowid.
    ///
    /// If that takes one lookup in one table and nothing else, no other row affects the result. A
    /// limit, groups, other tables or a subquery, also in a view, are further steps of the plan, or
    /// prevent a direct lookup of the row.
    ///
    /// - Returns: the columns that the request reads.
    private static func prove(_ sql: SQLText, _ db: Database) throws -> DatabaseRegion {
      let steps = try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN SELECT * FROM (\(sql.text)) WHERE \(rowIDName) = 0",
        arguments: sql.arguments)
      let region = try db.makeStatement(sql: sql.text).databaseRegion
      guard steps.count == 1, let step = steps[0]["detail"] as String?, step.hasPrefix("SEARCH "),
        step.hasSuffix(" USING INTEGER PRIMARY KEY (rowid=?)"),
        region.isModified(byEventsOfKind: .delete(tableName: Item.databaseTableName))
      else { throw Unproven() }
      return region
    }

    // MARK: - Reading

    typealias Take = (Int64, Row, _ key: () -> DatabaseValue?) throws -> Void

    /// Reads all rows.
    ///
    /// - Parameter take: receives the rowid, the row, and a closure that returns the value in the
    ///   key column.
    func fetchAll(_ db: Database, _ take: Take) throws {
      try fetch(db, all, all.arguments, take)
    }

    /// Reads those of the given rows that the request includes.
    func fetch(_ rowIDs: Set<Int64>, _ db: Database, _ take: Take) throws {
      guard !rowIDs.isEmpty else { return }
      try fetch(db, some, some.arguments + [Self.json(rowIDs)], take)
    }

    private func fetch(
      _ db: Database, _ sql: SQLText, _ arguments: StatementArguments, _ take: Take
    ) throws {
      let statement = try db.cachedStatement(sql: sql.text)
      // Both columns were added after the columns of the request.
      let keyIndex = shape.key.map { _ in statement.columnCount - 1 }
      let rowIDIndex = (keyIndex ?? statement.columnCount) - 1
      let rows = try Row.fetchCursor(statement, arguments: arguments)
      while let row = try rows.next() {
        try take(row[rowIDIndex], row) { keyIndex.map { row[$0] as DatabaseValue } }
      }
    }

    /// Returns the key column's values of the given rows that are in the table.
    ///
    /// The request need not include these rows. The result is `nil` if there is no key column.
    func keys(of rowIDs: Set<Int64>, _ db: Database) throws -> [(rowID: Int64, key: DatabaseValue)]?
    {
      guard let key = shape.key?.quotedDatabaseIdentifier else { return nil }
      let statement = try db.cachedStatement(
        sql: """
          SELECT \(rowID.quotedDatabaseIdentifier), \(key) FROM \(table)
          WHERE \(rowID.quotedDatabaseIdentifier) IN (SELECT value FROM json_each(?))
          """)
      return try Row.fetchAll(statement, arguments: [Self.json(rowIDs)]).map { ($0[0], $0[1]) }
    }

    /// Returns how many of the given rows are in the table.
    func count(of rowIDs: Set<Int64>, _ db: Database) throws -> Int {
      let statement = try db.cachedStatement(
        sql: """
          SELECT count(*) FROM \(table)
          WHERE \(rowID.quotedDatabaseIdentifier) IN (SELECT value FROM json_each(?))
          """)
      return try Int.fetchOne(statement, arguments: [Self.json(rowIDs)]) ?? 0
    }

    /// Returns a condition for the given rows.
    func condition(for rowIDs: Set<Int64>) -> SQL {
      "\(Column(rowID)) IN (SELECT value FROM json_each(\(Self.json(rowIDs))))"
    }

    /// Returns those of the given rows that are not in the table.
    func missing(of rowIDs: some Sequence<Int64>, _ db: Database) throws -> Set<Int64> {
      var missing = Set(rowIDs)
      let statement = try db.cachedStatement(
        sql: "SELECT \(rowID.quotedDatabaseIdentifier) FROM \(table)")
      let present = try Int64.fetchCursor(statement)
      while let rowID = try present.next() { missing.remove(rowID) }
      return missing
    }

    private static func json(_ rowIDs: Set<Int64>) -> String {
      "[\(rowIDs.map(String.init).joined(separator: ","))]"
    }

    /// A request as SQL.
    private struct SQLText: Sendable {
      let text: String
      let arguments: StatementArguments

      init(text: String, arguments: StatementArguments) {
        (self.text, self.arguments) = (text, arguments)
      }

      init(_ request: QueryInterfaceRequest<Item>, _ db: Database) throws {
        let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
        (text, arguments) = (statement.sql, statement.arguments)
      }
    }
  }
#endif
