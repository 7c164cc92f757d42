#if Postgres
  internal import Freshet

  /// A table as a server describes it now, with what SQL needs to sort its rows.
  ///
  /// It is read for each page: with the key or the columns of an earlier definition, a page would
  /// miss rows.
  struct KeysetTable: Sendable {
    let identity: TableIdentity
    /// The name by which a condition refers to a row, as SQL takes it.
    let row: String
    let order: KeysetOrder
    /// The number of columns of the primary key.
    let keyCount: Int
    private let columns: [String: Column]
    private let collations: [String: String]

    /// A column, with names as SQL takes them.
    private struct Column {
      let name: String
      /// The type without a length; for a domain, the underlying type.
      let type: String
      /// The operators that compare two values: less, equal and greater.
      let (before, equals, after): (String, String, String)
    }

    /// Reads the description of a table from the server.
    ///
    /// - Parameter known: the table as it was found before, see `TableIdentity`.
    /// - Throws: `PostgresError` if the table, a column or a collation is missing, or if rows have
    ///   no key.
    init(
      _ table: String, sortedBy sortColumns: [SortColumn], known: TableIdentity?,
      on connection: PostgresConnection
    ) async throws(PostgresError) {
      let rows = try await connection.run(Self.search, [known?.name ?? table])
      guard let first = rows.first, let row = first[4] else { throw .noTable(table) }
      guard let identity = TableIdentity(first[..<4], replacing: known) else {
        throw .noTable(table)
      }
      var columns: [String: Column] = [:]
      for row in rows {
        guard let key = row[5], let name = row[6], let type = row[7], let before = row[10],
          let equals = row[11], let after = row[12]
        else { continue }
        columns[key] = Column(name: name, type: type, before: before, equals: equals, after: after)
      }
      for column in sortColumns where columns[column.name] == nil {
        guard rows.contains(where: { $0[5] == column.name }) else {
          throw .noColumn(column.name, table: table)
        }
        throw .noOrder(column.name, table: table)
      }
      let key = rows.compactMap { row in row[9].flatMap { Int($0) }.map { (row[5] ?? "", $0) } }
        .sorted { $0.1 < $1.1 }.map { (name: $0.0, collation: nil as String?) }
      // Rows of inherited tables may have the same key.
      guard !key.isEmpty, first[13] == "f" else { throw .noPrimaryKey(table: table) }
      let required = Set(rows.filter { $0[8] == "t" }.compactMap { $0[5] })
      order = KeysetOrder(
        sortColumns, ties: key, nullsAreSmallest: false, mayBeNull: { !required.contains($0) })
      collations = try await Self.collations(sortColumns, of: identity, on: connection)
      (self.identity, self.row, self.columns) = (identity, row, columns)
      keyCount = key.count
    }

    /// Returns the collations of an order, by their names in it, as SQL takes them.
    private static func collations(
      _ columns: [SortColumn], of table: TableIdentity, on connection: PostgresConnection
    ) async throws(PostgresError) -> [String: String] {
      let names = Set(columns.compactMap(\.collation))
      if names.isEmpty { return [:] }
      let rows = try await connection.run(
        collationSearch, [PostgresTable.array(names.sorted()), table.oid])
      var collations: [String: String] = [:]
      for row in rows { if let name = row[0] { collations[name] = row[1] } }
      if let name = names.sorted().first(where: { collations[$0] == nil }) {
        throw .noCollation(name)
      }
      return collations
    }

    // MARK: - SQL

    /// Returns a column as SQL takes it.
    func name(_ column: KeysetColumn) -> String { "\(row).\(columns[column.name]?.name ?? "")" }

    /// Returns the type of a column's values as SQL takes it.
    func type(_ column: KeysetColumn) -> String { columns[column.name]?.type ?? "" }

    /// Returns a column as an expression that compares by its collation.
    func expression(_ column: KeysetColumn) -> String {
      guard let collation = column.collation.flatMap({ collations[$0] }) else {
        return name(column)
      }
      return "\(name(column)) COLLATE \(collation)"
    }

    /// Returns a column by which rows are looked up: its name and its operator for equal values.
    ///
    /// - Throws: `PostgresError.noKey`.
    func lookup(_ name: String) throws(PostgresError) -> (name: String, equals: String) {
      guard let column = columns[name] else { throw .noKey(name, table: identity.name) }
      return (column.name, column.equals)
    }

    /// Returns the operator for equal values.
    func equals(_ column: KeysetColumn) -> String { columns[column.name]?.equals ?? "" }

    /// Returns the operator for a value after another one, in the direction of the column.
    func follows(_ column: KeysetColumn) -> String {
      (column.isDescending ? columns[column.name]?.before : columns[column.name]?.after) ?? ""
    }

    // MARK: - The catalog

    /// The query for the catalog's description of a table and each of its columns.
    ///
    /// All names in statements have their schemas, see `PostgresTable.search`.
    private static let search = """
      SELECT \(TableIdentity.columns), pg_catalog.quote_ident(c.relname::pg_catalog.text),
        a.attname::pg_catalog.text, pg_catalog.quote_ident(a.attname::pg_catalog.text), b.name,
        a.attnotnull, pg_catalog.array_position(i.indkey::pg_catalog.int2[], a.attnum),
        \(sortOperator(1)), \(sortOperator(3)), \(sortOperator(5)),
        c.relkind = 'r' AND c.relhassubclass
      FROM \(TableIdentity.tables)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
        LEFT JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid AND i.indisprimary AND i.indisvalid
        LEFT JOIN LATERAL (\(baseType)) AS b ON true
        LEFT JOIN LATERAL (\(sortFamily)) AS k ON true
      WHERE c.oid = pg_catalog.to_regclass($1)::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped
      """

    /// The type of a column; for a domain, the underlying type.
    private static let baseType = """
      WITH RECURSIVE base AS (
        SELECT t.* FROM pg_catalog.pg_type AS t WHERE t.oid = a.atttypid
        UNION ALL SELECT t.* FROM pg_catalog.pg_type AS t JOIN base ON t.oid = base.typbasetype
        WHERE base.typtype = 'd')
      SELECT base.oid, base.typtype, base.typlen, base.typelem,
        pg_catalog.quote_ident(s.nspname::pg_catalog.text) || '.'
          || pg_catalog.quote_ident(base.typname::pg_catalog.text) AS name
      FROM base JOIN pg_catalog.pg_namespace AS s ON s.oid = base.typnamespace
      WHERE base.typtype <> 'd'
      """

    /// The operators by which `ORDER BY` sorts a type: its own, or those of a type that it equals.
    private static let sortFamily = """
      SELECT k.opcfamily, k.opcintype FROM pg_catalog.pg_opclass AS k
        JOIN pg_catalog.pg_type AS t ON t.oid = k.opcintype
        JOIN pg_catalog.pg_am AS m ON m.oid = k.opcmethod
      WHERE m.amname = 'btree' AND k.opcdefault AND (k.opcintype = b.oid
        OR EXISTS (SELECT FROM pg_catalog.pg_cast AS x
          WHERE x.castsource = b.oid AND x.casttarget = k.opcintype
            AND x.castmethod = 'b' AND x.castcontext = 'i')
        OR t.typname = 'anyenum' AND b.typtype = 'e' OR t.typname = 'anyrange' AND b.typtype = 'r'
        OR t.typname = 'anymultirange' AND b.typtype = 'm'
        OR t.typname = 'anyarray' AND b.typelem <> 0::pg_catalog.oid AND b.typlen = -1)
      ORDER BY k.opcintype = b.oid DESC, t.typispreferred DESC LIMIT 1
      """

    /// Returns an operator of a column's type; the number is that of B-trees.
    private static func sortOperator(_ number: Int) -> String {
      """
      (SELECT 'OPERATOR(' || pg_catalog.quote_ident(s.nspname::pg_catalog.text) || '.' || p.oprname::pg_catalog.text || ')'
        FROM pg_catalog.pg_amop AS m JOIN pg_catalog.pg_operator AS p ON p.oid = m.amopopr
          JOIN pg_catalog.pg_namespace AS s ON s.oid = p.oprnamespace
        WHERE m.amopfamily = k.opcfamily AND m.amoplefttype = k.opcintype
          AND m.amoprighttype = k.opcintype AND m.amopstrategy = \(number))
      """
    }

    /// The query for collations: the server's own, or visible ones of a role that is trusted.
    private static let collationSearch = """
      SELECT l.collname::pg_catalog.text, pg_catalog.quote_ident(s.nspname::pg_catalog.text) || '.'
          || pg_catalog.quote_ident(l.collname::pg_catalog.text)
      FROM pg_catalog.pg_collation AS l
        JOIN pg_catalog.pg_namespace AS s ON s.oid = l.collnamespace
        JOIN pg_catalog.pg_roles AS o ON o.oid = l.collowner
        JOIN pg_catalog.pg_class AS c ON c.oid = $2::pg_catalog.oid
      WHERE l.collname::pg_catalog.text = ANY ($1::pg_catalog.text[])
        AND l.collencoding IN (
          -1, pg_catalog.pg_char_to_encoding(pg_catalog.getdatabaseencoding()))
        AND (s.nspname = 'pg_catalog' OR pg_catalog.pg_collation_is_visible(l.oid)
          AND (o.rolsuper OR o.rolname = current_user OR l.collowner = c.relowner))
      ORDER BY s.nspname = 'pg_catalog'
      """
  }
#endif
