#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// A reader of a request's rows in a total order, for one state of the database.
  struct KeysetReader<Item: ListItem & FetchableRecord & TableRecord> {
    let db: Database
    let request: QueryInterfaceRequest<Item>
    let order: TableOrder
    private var table: String { Item.databaseTableName }

    init(_ request: QueryInterfaceRequest<Item>, in order: TableOrder, _ db: Database) {
      (self.request, self.order, self.db) = (request, order, db)
    }

    // MARK: - Pages

    /// Reads a page, with keys from the rows at its ends.
    func page(_ key: KeysetKey?, limit: Int) throws -> Page<Item, KeysetKey> {
      let request = request.annotated(with: keyColumns)
      var rows: [Row] = []
      for range in try ranges(for: key) {
        rows += try Row.fetchAll(db, range.select(request).limit(limit + 1 - rows.count))
        if rows.count > limit { break }
      }
      let hasMore = rows.count > limit
      if hasMore { rows.removeLast() }
      let ends = rows.first.flatMap { first in
        rows.last.map { (values(of: first), values(of: $0)) }
      }
      let (next, previous) = order.keyset.neighbours(
        of: key, ends: ends, hasMore: hasMore, hasRowsBehind: try hasRows(key?.opposite))
      var page = Page<Item, KeysetKey>([], next: next, previous: previous)
      for row in key?.isUpward == true ? rows.reversed() : rows { page.append(row, failure) }
      return page
    }

    // MARK: - Positions

    func ranges(for key: KeysetKey?) throws -> [KeysetRange<StoredValue>] {
      try order.keyset.ranges(for: key) { StoredValue($0) }
    }

    /// Returns whether a page has rows, if there is a key for it.
    private func hasRows(_ key: KeysetKey?) throws -> Bool {
      guard let key else { return false }
      return try ranges(for: key).contains { try !$0.filter(request).isEmpty(db) }
    }

    func failure(of row: Row, _ error: any Error) -> SQLiteStoreError {
      let rowID = order.rowIDIndex.map { row[Self.valueName($0)] as Int64 }
      return RowFailure.error(error, table: table, rowID: rowID)
    }

    /// Counts all rows.
    func count() throws -> Int { try request.fetchCount(db) }

    /// Counts all rows in the direction of a key.
    func count(inPage key: KeysetKey) throws -> Int {
      try ranges(for: key).reduce(0) { try $0 + $1.filter(request).fetchCount(db) }
    }

    /// The number of rows that a page counts, at most.
    private static var countLimit: Int { 10_000 }

    /// Returns the number of rows, as far as it costs little.
    ///
    /// It is exact up to a limit, and the estimate of `ANALYZE` beyond it.
    ///
    /// - Returns: `nil` if the request has conditions: counting may read the whole table then.
    func total() throws -> RowTotal? {
      let all = Item.all().unordered()
      guard try sql(of: request.unordered()) == sql(of: all) else { return nil }
      let count = try all.limit(Self.countLimit + 1).fetchCount(db)
      if count <= Self.countLimit { return .exact(count) }
      if let estimate = try analyzedCount(), estimate > count { return .estimated(estimate) }
      return .atLeast(count)
    }

    private func sql(of request: QueryInterfaceRequest<Item>) throws -> String {
      try request.makePreparedRequest(db).statement.sql
    }

    /// The number of rows when the table was last analyzed; `nil` if it was not.
    private func analyzedCount() throws -> Int? {
      guard try db.tableExists("sqlite_stat1") else { return nil }
      // The first number is that of the rows in the index or, without one, in the table. A partial
      // index has fewer.
      let texts = try String.fetchAll(
        db, sql: "SELECT stat FROM sqlite_stat1 WHERE tbl = ? COLLATE NOCASE", arguments: [table])
      return texts.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.max()
    }

    // MARK: - Reductions

    /// Reduces all rows to a value; `nil` if that is `NULL`.
    func value<Value: DatabaseValueConvertible>(of reduction: SQL) throws -> Value? {
      let values = request.unordered().select(Self.whole(reduction).sqlExpression)
      return try Row.fetchOne(db, values).flatMap { try value(of: $0, at: 0) }
    }

    /// Reduces the rows of each section to a value, by the section's name.
    func sectionValues<Value: DatabaseValueConvertible>(
      of reduction: SQL, by section: SQL, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) throws -> [String: Value] {
      let name: SQL = "COALESCE(CAST(\(Self.whole(section)) AS TEXT), '')"
      let groups = request.unordered()
        .select(name.sqlExpression, Self.whole(reduction).sqlExpression)
        .group(name.sqlExpression)
      let values: [(String, Value)] = try Row.fetchAll(db, groups).compactMap { row in
        try value(of: row, at: 1).map { (row[0], $0) }
      }
      return try Dictionary(values, uniquingKeysWith: combine)
    }

    /// Returns an expression as a part of another one; it may end with a comment.
    private static func whole(_ expression: SQL) -> SQL { "(\(expression)\n)" }

    private func value<Value: DatabaseValueConvertible>(of row: Row, at index: Int) throws -> Value?
    {
      let stored: DatabaseValue = row[index]
      if stored.isNull { return nil }
      guard let value = Value.fromDatabaseValue(stored) else {
        throw SQLiteStoreError.value(type: "\(Value.self)", table: table)
      }
      return value
    }

    // MARK: - Jumps

    private static var isInsideName: String { "freshet_isInside" }

    /// Returns the key of the page that begins with the row at an index.
    func key(ofRowAt index: Int) throws -> KeysetKey? {
      guard index >= 0 else { return nil }
      var key = try key(index, rowsFrom: nil, before: nil)
      key?.rowsAbove = index
      return key
    }

    /// Returns the key of the page that begins some rows further than another page.
    ///
    /// - Parameter end: the key of a page that has the row; `nil` if any row will do.
    func key(
      _ count: Int, rowsFrom key: KeysetKey?, before end: KeysetKey?
    ) throws -> KeysetKey? {
      let isInside: SQL = try end.map { try ranges(for: $0).condition } ?? "TRUE"
      let columns = keyColumns + [isInside.sqlExpression.forKey(Self.isInsideName)]
      var left = max(0, count)
      for range in try ranges(for: key) {
        let found = range.select(request).select(columns).limit(1, offset: left)
        if let row = try Row.fetchOne(db, found) {
          guard row[Self.isInsideName] as Bool else { return nil }
          return order.keyset.key(
            values(of: row), isUpward: key?.isUpward ?? false, isInclusive: true)
        }
        left -= try range.filter(request).fetchCount(db)
      }
      return nil
    }

    /// Returns the key of the page that begins with the first row at some values or after them.
    func key(at values: [DatabaseValue]) throws -> KeysetKey? {
      let columns = order.keyset.columns
      if let index = values.firstIndex(where: \.hasNUL), index < columns.count {
        throw SQLiteStoreError.nul(column: columns[index].name, table: table)
      }
      let stored = try values.map { value in
        let parts = StoredValue.parts(of: "\(value)")
        let row = try SQLRequest<Row>("SELECT \(parts.value), \(parts.isText)").fetchOne(db)
        return row.flatMap { StoredValue($0[0], isText: $0[1]) }
      }
      return try firstKey(in: order.keyset.ranges(from: stored))
    }

    /// Returns the key of the page that begins with the row of an item.
    func key(of id: DatabaseValue) throws -> KeysetKey? {
      guard order.primaryKey.count == 1 else { throw SQLiteStoreError.noKey(table: table) }
      if id.hasNUL { return nil }
      let row = try Row.fetchOne(
        db, request.filter(Column(order.primaryKey[0]) == id).select(keyColumns))
      return row.map(inclusiveKey(of:))
    }

    private func firstKey(in ranges: [KeysetRange<StoredValue>]) throws -> KeysetKey? {
      for range in ranges {
        let request = range.select(request).select(keyColumns).limit(1)
        if let row = try Row.fetchOne(db, request) { return inclusiveKey(of: row) }
      }
      return nil
    }

    // MARK: - Keys

    private static func valueName(_ index: Int) -> String { "freshet_key\(index)" }
    private static func typeName(_ index: Int) -> String { "freshet_isText\(index)" }

    /// The values of a row's key, as columns of a request.
    var keyColumns: [any SQLSelectable] {
      order.keyset.columns.enumerated().flatMap { index, column in
        let parts = StoredValue.parts(of: "\(Column(column.name))")
        return [
          parts.value.sqlExpression.forKey(Self.valueName(index)),
          parts.isText.sqlExpression.forKey(Self.typeName(index)),
        ]
      }
    }

    func values(of row: Row) -> [String?] {
      order.keyset.columns.indices.map {
        StoredValue(row[Self.valueName($0)], isText: row[Self.typeName($0)])?.text
      }
    }

    private func inclusiveKey(of row: Row) -> KeysetKey {
      order.keyset.key(values(of: row), isUpward: false, isInclusive: true)
    }
  }

  extension Page where Item: FetchableRecord {
    /// Adds the item of a row, or counts the row if it does not decode.
    fileprivate mutating func append(
      _ row: Row, _ failure: (Row, any Error) -> SQLiteStoreError
    ) {
      do { items.append(try Item(row: row)) } catch {
        invalidItems += 1
        if invalidItem == nil { invalidItem = .source(failure(row, error)) }
      }
    }
  }
#endif
