#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// A reader of a request's rows in a total order, for one state of the database.
  struct KeysetReader<Item: ListItem & FetchableRecord & TableRecord> {
    private let db: Database
    private let request: QueryInterfaceRequest<Item>
    private let order: TotalOrder
    private var table: String { Item.databaseTableName }

    init(_ request: QueryInterfaceRequest<Item>, in order: TotalOrder, _ db: Database) {
      (self.request, self.order, self.db) = (request, order, db)
    }

    // MARK: - Pages

    /// Reads a page, with keys from the rows at its ends.
    func page(_ key: SQLitePageKey?, limit: Int) throws -> Page<Item, SQLitePageKey> {
      let isUpward = key?.isUpward ?? false
      let request = request.annotated(with: keyColumns)
      var rows: [Row] = []
      for range in try order.ranges(for: key) {
        rows += try Row.fetchAll(db, range.select(request).limit(limit + 1 - rows.count))
        if rows.count > limit { break }
      }
      let hasMore = rows.count > limit
      if hasMore { rows.removeLast() }
      let ahead = hasMore ? rows.last.map { self.key(of: $0, isUpward: isUpward) } : nil
      let back = rows.first.map { self.key(of: $0, isUpward: !isUpward) } ?? key?.opposite
      let last = try key == nil ? nil : back.flatMap { try hasRows($0) ? $0 : nil }
      var page = Page<Item, SQLitePageKey>(
        [], next: isUpward ? last : ahead, previous: isUpward ? ahead : last)
      for row in isUpward ? rows.reversed() : rows {
        do { page.items.append(try Item(row: row)) } catch {
          page.invalidItems += 1
          if page.invalidItem == nil { page.invalidItem = .source(failure(of: row, error)) }
        }
      }
      return page
    }

    /// Returns whether a page has rows.
    private func hasRows(_ key: SQLitePageKey) throws -> Bool {
      try order.ranges(for: key).contains { try !$0.filter(request).isEmpty(db) }
    }

    private func failure(of row: Row, _ error: any Error) -> SQLiteStoreError {
      let rowID = order.rowIDIndex.map { row[Self.valueName($0)] as Int64 }
      return RowFailure.error(error, table: table, rowID: rowID)
    }

    /// Counts all rows.
    func count() throws -> Int { try request.fetchCount(db) }

    // MARK: - Jumps

    /// Returns the key of the page that begins with the row at an index.
    func key(ofRowAt index: Int) throws -> SQLitePageKey? {
      guard index >= 0 else { return nil }
      let row = try Row.fetchOne(
        db, order.columns.sorting(request).select(keyColumns).limit(1, offset: index))
      return row.map { key(of: $0, isUpward: false, isInclusive: true) }
    }

    /// Returns the key of the page that begins with the first row at some values or after them.
    func key(at values: [DatabaseValue]) throws -> SQLitePageKey? {
      precondition(values.count <= order.columns.count, "there are more values than columns")
      let stored = try zip(order.columns, values).map { column, value in
        guard !value.hasNUL else {
          throw SQLiteStoreError.nul(column: column.sort.name, table: table)
        }
        let parts = StoredValue.parts(of: "\(value)")
        let row = try SQLRequest<Row>("SELECT \(parts.value), \(parts.isText)").fetchOne(db)
        return row.map { StoredValue($0[0], isText: $0[1]) } ?? .null
      }
      return try firstKey(in: order.columns.ranges(from: stored))
    }

    /// Returns the key of the page that begins with the row of an item.
    func key(of id: DatabaseValue) throws -> SQLitePageKey? {
      guard order.primaryKey.count == 1 else { throw SQLiteStoreError.noKey(table: table) }
      if id.hasNUL { return nil }
      return try firstKey(
        in: [KeysetRange(conditions: ["\(Column(order.primaryKey[0])) = \(id)"], order: [])])
    }

    private func firstKey(in ranges: [KeysetRange]) throws -> SQLitePageKey? {
      for range in ranges {
        let request = range.select(request).select(keyColumns).limit(1)
        if let row = try Row.fetchOne(db, request) {
          return key(of: row, isUpward: false, isInclusive: true)
        }
      }
      return nil
    }

    // MARK: - Keys

    private static func valueName(_ index: Int) -> String { "freshet_key\(index)" }
    private static func typeName(_ index: Int) -> String { "freshet_isText\(index)" }

    /// The values of a row's key, as columns of a request.
    private var keyColumns: [any SQLSelectable] {
      order.columns.enumerated().flatMap { index, column in
        let parts = StoredValue.parts(of: "\(Column(column.sort.name))")
        return [
          parts.value.sqlExpression.forKey(Self.valueName(index)),
          parts.isText.sqlExpression.forKey(Self.typeName(index)),
        ]
      }
    }

    private func key(of row: Row, isUpward: Bool, isInclusive: Bool = false) -> SQLitePageKey {
      let values = order.columns.indices.map {
        StoredValue(row[Self.valueName($0)], isText: row[Self.typeName($0)])
      }
      return SQLitePageKey(
        order: order.hash, values: values, isUpward: isUpward, isInclusive: isInclusive)
    }
  }
#endif
