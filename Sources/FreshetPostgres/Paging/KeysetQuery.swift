#if Postgres
  internal import Freshet

  /// A query for rows of a request in a total order: text, and the values that are sent beside it.
  struct KeysetQuery {
    private(set) var text = ""
    private(set) var arguments: [String?]
    private let table: KeysetTable
    private let request: PostgresRequest

    private init(_ request: PostgresRequest, of table: KeysetTable) {
      (self.request, self.table, arguments) = (request, table, request.arguments)
    }

    // MARK: - Queries

    /// The query for a page of rows, and for whether there are rows on the other side of its key.
    ///
    /// One statement reads one state of the database. Its first row has a Boolean. Each other row
    /// has the values of a key, and the row as JSON.
    static func page(
      _ ranges: [KeysetRange<String>], limit: Int, behind: [KeysetRange<String>],
      _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      let isBehind = behind.map { "(\(query.rows("true", $0.conditions, $0.order, limit: 1)))" }
      let values = [String](repeating: "NULL::pg_catalog.text", count: table.order.columns.count)
      let first =
        isBehind.isEmpty ? "false" : "COALESCE(\(isBehind.joined(separator: ", ")), false)"
      let parts = ranges.map {
        let selection = "\(query.keyValues), \(query.json)"
        return "(\(query.rows(selection, $0.conditions, $0.order, limit: limit)))"
      }
      let state = "SELECT \((values + ["(\(first))::pg_catalog.text"]).joined(separator: ", "))"
      query.text = ([state] + parts).joined(separator: "\nUNION ALL ") + " LIMIT \(limit + 1)"
      return query
    }

    /// The query for the rows of those windows that differ from what the caller has.
    ///
    /// One statement reads one state of the database. Each of its rows has the values of a key, the
    /// row as JSON, a digest and the number of a window. Only the first one of each window has the
    /// digest, which is that of all its rows. If it is the window's validator, that row is the only
    /// one, and has no JSON.
    ///
    /// Windows that differ only in the values of their keys share one part of the statement.
    static func windows(
      _ windows: [PageWindow<KeysetKey>], limit: Int, _ request: PostgresRequest,
      of table: KeysetTable
    ) throws -> KeysetQuery {
      try KeysetQuery(about: windows, request, of: table) { query, shape in
        try query.changedRows(in: shape, limit: limit)
      }
    }

    /// The query for the numbers of windows and the digests of their rows.
    static func digests(
      of windows: [PageWindow<KeysetKey>], limit: Int, _ request: PostgresRequest,
      of table: KeysetTable
    ) throws -> KeysetQuery {
      try KeysetQuery(about: windows, request, of: table) { query, shape in
        try query.digests(in: shape, limit: limit)
      }
    }

    /// Creates a query about windows.
    ///
    /// - Parameter part: returns the query for those of one shape, which are the last argument.
    private init(
      about windows: [PageWindow<KeysetKey>], _ request: PostgresRequest, of table: KeysetTable,
      _ part: (inout KeysetQuery, WindowShape) throws -> String
    ) throws {
      self.init(request, of: table)
      let shapes = Dictionary(grouping: windows.indices) { WindowShape(windows[$0]) }
      var parts: [String] = []
      for (shape, numbers) in shapes.sorted(by: { $0.value[0] < $1.value[0] }) {
        arguments.append(try WindowShape.json(numbers.map { ($0, windows[$0]) }))
        parts.append(try part(&self, shape))
      }
      text = parts.joined(separator: "\nUNION ALL ")
    }

    /// The name of the windows in SQL, which is not that of the table.
    private var windowName: String {
      table.row == "freshet_window" ? "freshet_windows" : "freshet_window"
    }

    /// The query for the rows of a window, see `values(of:)`.
    private mutating func rows(
      _ selection: String, in shape: WindowShape, limit: Int
    ) throws(FeedError) -> String {
      let order = table.order
      let starts = try order.ranges(for: shape.start) { $0 }
      var ends: [[KeysetCondition<String>]] = [[]]
      // The ranges above an end begin at it.
      if let end = shape.end {
        ends = try order.ranges(for: end.opposite) { $0 }.reversed().map(\.conditions)
      }
      var rows: [String] = []
      for start in starts {
        for end in ends {
          let query = self.rows(
            selection, start.conditions + end, start.order, limit: limit, bindsValues: false)
          rows.append("(\(query))")
        }
      }
      return "SELECT * FROM (\(rows.joined(separator: "\nUNION ALL "))) AS all_parts LIMIT \(limit)"
    }

    /// The digest of the rows of a window, which are `part`.
    private static let digest = """
      pg_catalog.sha256(pg_catalog.convert_to(
        COALESCE(pg_catalog.string_agg(part.item, ','), ''), 'UTF8'))::pg_catalog.text
      """

    /// The query for the digests of windows of one shape.
    private mutating func digests(
      in shape: WindowShape, limit: Int
    ) throws(FeedError) -> String {
      """
      (SELECT \(windowName).freshet_number::pg_catalog.text, read.digest
      FROM (\(values(of: shape))) AS \(windowName)
      CROSS JOIN LATERAL (
        SELECT \(Self.digest) AS digest
        FROM (\(try rows(json, in: shape, limit: limit))) AS part (item)) AS read)
      """
    }

    /// The query for the rows of those windows of one shape that changed.
    private mutating func changedRows(
      in shape: WindowShape, limit: Int
    ) throws(FeedError) -> String {
      let rows = try rows("\(keyValues), \(json)", in: shape, limit: limit)
      let columns = table.order.columns.indices.map { "key\($0)" } + ["item"]
      let names = columns.joined(separator: ", ")
      let arrays = columns.map { "pg_catalog.array_agg(part.\($0)) AS \($0)" }
      let lists = columns.map { "pg_catalog.unnest(read.\($0))" }
      return """
        (SELECT \(columns.map { "row.\($0)" }.joined(separator: ", ")),
          CASE WHEN COALESCE(row.place, 1) OPERATOR(pg_catalog.=) 1 THEN read.digest END,
          \(windowName).freshet_number::pg_catalog.text
        FROM (\(values(of: shape))) AS \(windowName)
        CROSS JOIN LATERAL (
          SELECT \(Self.digest) AS digest, \(arrays.joined(separator: ", "))
          FROM (\(rows)) AS part (\(names))) AS read
        LEFT JOIN LATERAL ROWS FROM (\(lists.joined(separator: ", ")))
          WITH ORDINALITY AS row (\(names), place)
          ON \(windowName).freshet_digest IS NULL
            OR read.digest OPERATOR(pg_catalog.<>) \(windowName).freshet_digest
        ORDER BY \(windowName).freshet_number, row.place)
        """
    }

    /// The query for the windows of the last argument, see `WindowShape.json(_:)`.
    ///
    /// An argument for all of them is needed, as a statement has at most 65,535. `OFFSET` keeps
    /// PostgreSQL from reading a value again for each row that it is compared with.
    private func values(of shape: WindowShape) -> String {
      let columns =
        [("freshet_number", "pg_catalog.int4"), ("freshet_digest", "pg_catalog.text")]
        + shape.columns(of: table.order).map { ($0.name, table.type($0.column)) }
      let values = columns.enumerated().map { index, column in
        "(list.item OPERATOR(pg_catalog.->>) \(index))::\(column.1) AS \(column.0)"
      }
      return """
        SELECT \(values.joined(separator: ", "))
        FROM pg_catalog.jsonb_array_elements($\(arguments.count)::pg_catalog.jsonb) AS list (item) OFFSET 0
        """
    }

    /// The query for the key of the first row of some ranges.
    static func firstKey(
      _ ranges: [KeysetRange<String>], _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      let parts = ranges.map {
        "(\(query.rows(query.keyValues, $0.conditions, $0.order, limit: 1)))"
      }
      query.text = parts.joined(separator: "\nUNION ALL ") + " LIMIT 1"
      return query
    }

    /// The query for the key of a row of some ranges, and whether it is in others.
    ///
    /// - Parameters:
    ///   - count: the number of rows before it.
    ///   - others: the other ranges; `nil` if it need not be in any.
    static func key(
      _ ranges: [KeysetRange<String>], skipping count: Int, inside others: [KeysetRange<String>]?,
      _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      let isInside = others.map { query.condition($0) } ?? "true"
      let parts = ranges.map {
        let selection = "\(query.keyValues), (\(isInside))::pg_catalog.text"
        return "(\(query.rows(selection, $0.conditions, $0.order, limit: count + 1)))"
      }
      let all = parts.joined(separator: "\nUNION ALL ")
      query.text = "SELECT * FROM (\(all)) AS all_parts LIMIT 1 OFFSET \(count)"
      return query
    }

    /// The query for the key of the row with an id.
    ///
    /// - Parameters:
    ///   - id: a JSON array of one row with the column of the ids.
    ///   - key: that column.
    static func key(
      of id: String, in key: String, _ request: PostgresRequest, of table: KeysetTable
    ) throws(PostgresError) -> KeysetQuery {
      let column = try table.lookup(key)
      var query = KeysetQuery(request, of: table)
      query.arguments.append(id)
      query.text = """
        SELECT \(query.keyValues) FROM \(table.identity.name)
        WHERE (\(request.condition)
        ) AND \(table.row).\(column.name) \(column.equals) ANY (
          SELECT \(column.name) FROM pg_catalog.jsonb_populate_recordset(
            NULL::\(table.identity.name), $\(query.arguments.count)::pg_catalog.jsonb)) LIMIT 1
        """
      return query
    }

    /// The query for an expression of all rows.
    static func all(
      _ selection: String, _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      query.text = "SELECT \(selection) FROM \(table.identity.name) WHERE (\(request.condition)\n)"
      return query
    }

    /// The query for the number of rows in some ranges.
    static func count(
      _ ranges: [KeysetRange<String>], _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      // Each range is found in an index; all of them in one condition are not.
      let parts = ranges.map {
        "(\(query.rows("pg_catalog.count(*)", $0.conditions, [], limit: 1)))"
      }
      query.text =
        "SELECT (\(parts.joined(separator: " OPERATOR(pg_catalog.+) ")))::pg_catalog.text"
      return query
    }

    /// The query for the name of each section and a value of its rows, as JSON.
    ///
    /// - Parameters:
    ///   - reduction: an aggregate of a section's rows, as an expression.
    ///   - section: the name of a row's section, as an expression; `nil` for one section of all
    ///     rows, without a name.
    static func values(
      of reduction: PostgresRequest, by section: PostgresRequest?, _ request: PostgresRequest,
      of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      let name = section.map { query.text(of: $0) } ?? "NULL"
      query.text = """
        SELECT COALESCE((\(name)
        )::pg_catalog.text, ''), pg_catalog.to_json(\(query.text(of: reduction))
        )::pg_catalog.text FROM \(table.identity.name)
        WHERE (\(request.condition)
        ) \(section == nil ? "LIMIT 1" : "GROUP BY 1")
        """
      return query
    }

    /// Adds the values of an expression, and returns its text.
    private mutating func text(of expression: PostgresRequest) -> String {
      defer { arguments += expression.arguments }
      return expression.condition(after: arguments.count)
    }

    /// The query for the plan of another one, as JSON.
    var explained: KeysetQuery {
      var query = self
      query.text = "EXPLAIN (FORMAT JSON) \(text)"
      return query
    }

    // MARK: - Parts

    /// The values of a row's key, as text.
    private var keyValues: String {
      table.order.columns.map { "\(table.name($0))::pg_catalog.text" }.joined(separator: ", ")
    }

    /// The row as JSON, as text.
    private var json: String { "pg_catalog.row_to_json(\(table.row).*)::pg_catalog.text" }

    private mutating func rows(
      _ selection: String, _ conditions: [KeysetCondition<String>], _ order: [KeysetColumn],
      limit: Int, bindsValues: Bool = true
    ) -> String {
      let conditions =
        ["(\(request.condition)\n)"]
        + conditions.map {
          condition($0) { bindsValues ? $0.bind($1, $2) : "\($0.windowName).\($1)" }
        }
      let terms = order.map { "\(table.expression($0)) \($0.direction)" }
      let order = terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
      return """
        SELECT \(selection) FROM \(table.identity.name)
        WHERE \(conditions.joined(separator: " AND "))\(order) LIMIT \(limit)
        """
    }

    /// Whether a row is in one of some ranges, as an expression that is never `NULL`.
    private mutating func condition(_ ranges: [KeysetRange<String>]) -> String {
      let parts = ranges.map { range in
        let conditions = range.conditions.map { condition($0) { $0.bind($1, $2) } }
        return conditions.isEmpty ? "true" : conditions.joined(separator: " AND ")
      }
      return parts.isEmpty ? "false" : "((\(parts.joined(separator: ") OR ("))) IS TRUE)"
    }

    /// - Parameter value: returns a value as SQL takes it.
    private mutating func condition(
      _ condition: KeysetCondition<String>,
      _ value: (inout KeysetQuery, String, KeysetColumn) -> String
    ) -> String {
      switch condition {
      case .isNull(let column): return "\(table.name(column)) IS NULL"
      case .isValue(let column): return "\(table.name(column)) IS NOT NULL"
      case .isEqual(let column, let other):
        let value = value(&self, other, column)
        return "\(table.expression(column)) \(table.equals(column)) \(value)"
      case .isAfter(let column, let other):
        let value = value(&self, other, column)
        return "\(table.expression(column)) \(table.follows(column)) \(value)"
      }
    }

    private mutating func bind(_ value: String, _ column: KeysetColumn) -> String {
      arguments.append(value)
      return "$\(arguments.count)::\(table.type(column))"
    }
  }
#endif
