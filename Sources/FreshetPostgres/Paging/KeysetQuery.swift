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

    /// A window, as a query reads it.
    struct Window {
      /// The ranges of the rows after its start.
      let starts: [KeysetRange<String>]
      /// The conditions of the ranges before its end, in the order of their rows.
      let ends: [[KeysetCondition<String>]]
      /// The digest of the rows that the caller has, if it has any.
      let digest: String?
    }

    /// The query for the rows of those windows that differ from what the caller has.
    ///
    /// One statement reads one state of the database. Each row begins with the number of its
    /// window, followed by the values of a key and the row as JSON. In place of the JSON, the first
    /// row of a window has a digest of all its rows. Only if the caller has another one do they
    /// follow.
    static func windows(
      _ windows: [Window], limit: Int, _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      let keys = table.order.columns.indices.map { "key\($0)" }.joined(separator: ", ")
      let noKeys = table.order.columns.map { _ in "NULL::pg_catalog.text" }.joined(separator: ", ")
      var (tables, parts) = ([String](), [String]())
      for (number, window) in windows.enumerated() {
        let rows = window.starts.flatMap { start in
          window.ends.map { end in
            let conditions = start.conditions + end
            let selection = "\(query.keyValues), \(query.json)"
            return "(\(query.rows(selection, conditions, start.order, limit: limit)))"
          }
        }
        query.arguments.append(window.digest)
        let known = "$\(query.arguments.count)::pg_catalog.text"
        tables.append(
          """
          freshet_rows\(number) (\(keys), item) AS MATERIALIZED (
            SELECT * FROM (\(rows.joined(separator: "\nUNION ALL "))) AS part LIMIT \(limit)),
          freshet_digest\(number) (digest) AS (
            SELECT pg_catalog.sha256(pg_catalog.convert_to(
              COALESCE(pg_catalog.string_agg(item, ','), ''), 'UTF8'))::pg_catalog.text
            FROM freshet_rows\(number))
          """)
        parts.append(
          "SELECT \(number)::pg_catalog.text, \(noKeys), digest FROM freshet_digest\(number)")
        parts.append(
          """
          SELECT \(number)::pg_catalog.text, \(keys), item FROM freshet_rows\(number), freshet_digest\(number)
          WHERE \(known) IS NULL OR digest OPERATOR(pg_catalog.<>) \(known)
          """)
      }
      query.text =
        "WITH " + tables.joined(separator: ",\n") + "\n" + parts.joined(separator: "\nUNION ALL ")
      return query
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

    /// The query for the key of the row at an index.
    static func key(
      ofRowAt index: Int, _ request: PostgresRequest, of table: KeysetTable
    ) -> KeysetQuery {
      var query = KeysetQuery(request, of: table)
      query.text =
        query.rows(query.keyValues, [], table.order.columns, limit: 1) + " OFFSET \(index)"
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
      limit: Int
    ) -> String {
      let conditions = ["(\(request.condition)\n)"] + conditions.map { condition($0) }
      let terms = order.map { "\(table.expression($0)) \($0.direction)" }
      let order = terms.isEmpty ? "" : " ORDER BY \(terms.joined(separator: ", "))"
      return """
        SELECT \(selection) FROM \(table.identity.name)
        WHERE \(conditions.joined(separator: " AND "))\(order) LIMIT \(limit)
        """
    }

    private mutating func condition(_ condition: KeysetCondition<String>) -> String {
      switch condition {
      case .isNull(let column): return "\(table.name(column)) IS NULL"
      case .isValue(let column): return "\(table.name(column)) IS NOT NULL"
      case .isEqual(let column, let value):
        return "\(table.expression(column)) \(table.equals(column)) \(bind(value, column))"
      case .isAfter(let column, let value):
        return "\(table.expression(column)) \(table.follows(column)) \(bind(value, column))"
      }
    }

    private mutating func bind(_ value: String, _ column: KeysetColumn) -> String {
      arguments.append(value)
      return "$\(arguments.count)::\(table.type(column))"
    }
  }
#endif
