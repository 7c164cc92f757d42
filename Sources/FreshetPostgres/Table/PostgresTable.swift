#if Postgres
  /// A table as a server describes it, and the statements about its rows.
  ///
  /// A row is transferred as JSON, and PostgreSQL casts its parts to and from the types of the
  /// columns. The version of a row is `xmin`, the transaction that wrote it.
  struct PostgresTable: Sendable {
    /// The name as SQL takes it.
    let name: String
    /// The name by which a condition refers to a row, as SQL takes it; errors contain it too.
    private let row: String
    /// The server that has the table, and the table's definition.
    let version: TableVersion
    /// The channel that its triggers notify.
    let channel: String
    let columns: Set<String>
    /// The columns that the server computes.
    let computed: Set<String>
    /// The approximate number of rows; `nil` if the server does not know it.
    let count: Int?
    /// The key column and its type, as SQL takes them.
    private let key: String
    private let keyType: String
    /// The operators that compare two keys, as SQL takes them: less, equal and greater.
    private let before: String
    private let equals: String
    private let follows: String

    /// The identity of the table and its owner.
    let identity: TableIdentity

    /// Reads the description of a table from the server.
    ///
    /// - Parameter known: the table as it was found before, see `TableIdentity`.
    init(
      _ table: String, key: String, known: TableIdentity? = nil, on connection: PostgresConnection
    ) async throws {
      // The version is read first, so that a change made meanwhile results in another version.
      version = try await TableVersion(known?.name ?? table, on: connection)
      let rows = try await connection.run(Self.search, [known?.name ?? table, key])
      guard let first = rows.first,
        let identity = TableIdentity(first[..<4], replacing: known)
      else { throw PostgresError.noTable(table) }
      guard let row = rows.first(where: { $0[5] == key }), let column = row[6], let type = row[7]
      else { throw PostgresError.noKey(key, table: table) }
      guard first[9] == "4" else { throw PostgresError.noTriggers(table: table) }
      guard let before = row[11], let equals = row[12], let follows = row[13] else {
        throw PostgresError.noKey(key, table: table)
      }
      self.identity = identity
      name = identity.name
      self.row = row[10] ?? name
      channel = "freshet_\(identity.oid)"
      columns = Set(rows.compactMap { $0[5] })
      computed = Set(rows.lazy.filter { $0[8] != "" }.compactMap { $0[5] })
      count = first[4].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
      (self.key, keyType) = (column, type)
      (self.before, self.equals, self.follows) = (before, equals, follows)
    }

    /// The query for the catalog's description of a table and each of its columns.
    ///
    /// Another role may create functions and operators in a schema of the `search_path` that match
    /// more closely than the server's own. So all statements here name functions with their schema,
    /// and operators too if the server has none for exactly these types. A trigger counts only if
    /// its function belongs to a role that is trusted anyway: this user, the table's owner or a
    /// superuser.
    private static let search = """
      SELECT \(TableIdentity.columns), c.reltuples::bigint::pg_catalog.text,
        a.attname::pg_catalog.text, pg_catalog.quote_ident(a.attname::pg_catalog.text),
        CASE WHEN a.attname = $2 THEN \(keyType) END, a.attgenerated::pg_catalog.text,
        (SELECT pg_catalog.count(*) FROM pg_catalog.pg_trigger AS t
            JOIN pg_catalog.pg_proc AS f ON f.oid = t.tgfoid
            JOIN pg_catalog.pg_roles AS o ON o.oid = f.proowner
          WHERE t.tgrelid = c.oid AND t.tgenabled IN ('O', 'A')
            AND t.tgargs = pg_catalog.convert_to($2, 'UTF8') || '\\x00'::pg_catalog.bytea AND t.tgname IN
              ('freshet_insert', 'freshet_update', 'freshet_delete', 'freshet_truncate')
            AND (o.rolsuper OR o.rolname = current_user OR f.proowner = c.relowner)
            AND f.proconfig OPERATOR(pg_catalog.@>) ARRAY['search_path=pg_catalog, pg_temp']),
        pg_catalog.quote_ident(c.relname::pg_catalog.text),
        \(keyOperator(1)), \(keyOperator(3)), \(keyOperator(5))
      FROM \(TableIdentity.tables)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.oid = pg_catalog.to_regclass($1)::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped
      """

    /// The type of a column with its schema, without a length.
    ///
    /// For a domain, it is the underlying type: the checks of a domain must not run on keys that
    /// others notify.
    private static let keyType = """
      (WITH RECURSIVE base AS (
          SELECT t.typtype, t.typbasetype, t.typname, t.typnamespace FROM pg_catalog.pg_type AS t
          WHERE t.oid = a.atttypid
          UNION ALL SELECT t.typtype, t.typbasetype, t.typname, t.typnamespace
          FROM pg_catalog.pg_type AS t JOIN base AS b ON t.oid = b.typbasetype
          WHERE b.typtype = 'd')
        SELECT pg_catalog.quote_ident(s.nspname::pg_catalog.text) || '.' || pg_catalog.quote_ident(b.typname::pg_catalog.text)
        FROM base AS b JOIN pg_catalog.pg_namespace AS s ON s.oid = b.typnamespace
        WHERE b.typtype <> 'd')
      """

    /// Returns an operator of the index that makes the key identify a row.
    ///
    /// The result is `NULL` if there is no such index. The number is that of B-trees: less, equal
    /// or greater (PostgreSQL, "B-Tree Indexes").
    private static func keyOperator(_ number: Int) -> String {
      """
      (SELECT 'OPERATOR(' || pg_catalog.quote_ident(s.nspname::pg_catalog.text) || '.' || p.oprname::pg_catalog.text || ')'
        FROM pg_catalog.pg_index AS i JOIN pg_catalog.pg_opclass AS k ON k.oid = i.indclass[0]
          JOIN pg_catalog.pg_amop AS m ON m.amopfamily = k.opcfamily
            AND m.amoplefttype = k.opcintype AND m.amoprighttype = k.opcintype
            AND m.amopstrategy = \(number)
          JOIN pg_catalog.pg_operator AS p ON p.oid = m.amopopr
          JOIN pg_catalog.pg_namespace AS s ON s.oid = p.oprnamespace
        WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
          AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum LIMIT 1)
      """
    }

    // MARK: - Reading

    /// Returns the query for a page of requested rows, ordered by key: key, `xmin`, JSON.
    ///
    /// Its arguments are the request's, and the last key of the page before.
    func page(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::pg_catalog.text, \(row).xmin::pg_catalog.text, pg_catalog.row_to_json(\(row).*) FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// Returns the query for a page of keys and versions alone.
    func versions(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::pg_catalog.text, \(row).xmin::pg_catalog.text FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// Returns the query for rows by their keys.
    ///
    /// The columns are key, `xmin`, JSON, and whether the request includes the row. For a row that
    /// does not exist, there is only the key.
    ///
    /// The arguments are the request's, and an array of keys. The keys are returned as this session
    /// writes them, as another session may have another time zone. Keys that the table treats as
    /// equal, as `citext` does, are different ones here.
    func rows(for request: PostgresRequest) -> String {
      """
      SELECT freshet_told.freshet_key, \(row).xmin::pg_catalog.text, pg_catalog.row_to_json(\(row).*),
        (\(request.condition)
      ) IS TRUE
      FROM (SELECT freshet_text::\(keyType)::pg_catalog.text AS freshet_key
          FROM pg_catalog.unnest($\(request.arguments.count + 1)::pg_catalog.text[]) AS freshet_text)
          AS freshet_told
        LEFT JOIN \(name) ON \(row).\(key) \(equals) freshet_told.freshet_key::\(keyType)
          AND \(row).\(key)::pg_catalog.text COLLATE pg_catalog."C" = freshet_told.freshet_key
      """
    }

    private func place(of request: PostgresRequest, _ isFirst: Bool) -> String {
      let after =
        isFirst
        ? "" : "AND \(row).\(key) \(follows) $\(request.arguments.count + 1)::\(keyType)"
      return "WHERE (\(request.condition)\n) \(after) ORDER BY \(row).\(key) USING \(before)"
    }

    // MARK: - Writing

    /// Returns the statement that saves rows and deletes others: all of it happens or nothing.
    ///
    /// Its arguments are JSON arrays of the rows, and of rows with the keys of those to delete. If
    /// there are notes, three more arguments follow: the feed, a JSON object of notes in base 64,
    /// and an array of the names of notes to delete. The result is then the number of the
    /// transaction, as `xmin` shows it.
    func write(_ columns: Set<String>, with notes: PostgresNotesTable? = nil) -> String {
      let names = columns.subtracting(computed).sorted().map(Self.quoted)
      let list = names.joined(separator: ", ")
      let others = names.filter { $0 != key && $0 != Self.quoted(key) }
      func setting(from source: String) -> String {
        others.map { "\($0) = \(source).\($0)" }.joined(separator: ", ")
      }
      // Rows are deleted first, as the values of their other unique columns may be used again.
      // Existing rows are updated: an insertion would require the columns that items do not name.
      let changed = """
        UPDATE \(name) AS r SET \(setting(from: "item")) FROM item
        WHERE r.\(key) \(equals) item.\(key) AND (SELECT pg_catalog.count(*) FROM gone) >= 0 RETURNING r.\(key)
        """
      let present = """
        SELECT \(key) FROM \(name) WHERE \(key) \(equals) ANY (SELECT \(key) FROM item)
        """
      let inserted = """
        INSERT INTO \(name) (\(list)) OVERRIDING SYSTEM VALUE
        SELECT \(list) FROM item
        WHERE (SELECT pg_catalog.count(*) FROM gone) >= 0
          AND NOT \(key) \(equals) ANY (SELECT \(key) FROM changed)
        ON CONFLICT (\(key)) DO \(others.isEmpty ? "NOTHING" : "UPDATE SET \(setting(from: "EXCLUDED"))")
        """
      return """
        WITH item AS MATERIALIZED (
          SELECT * FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $1::pg_catalog.jsonb)),
        gone AS (
          DELETE FROM \(name) WHERE \(key) \(equals) ANY (
            SELECT \(key) FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $2::pg_catalog.jsonb))
          RETURNING \(key)),
        changed AS (\(others.isEmpty ? present : changed))
        \(notes.map { Self.writing($0, and: inserted) } ?? inserted)
        """
    }

    private static func writing(_ notes: PostgresNotesTable, and inserted: String) -> String {
      """
      , inserted AS (\(inserted)),
      dropped AS (DELETE FROM \(notes.name) WHERE feed = $3 AND name = ANY ($5::pg_catalog.text[])),
      noted AS (
        INSERT INTO \(notes.name) (feed, name, value)
        SELECT $3, name, pg_catalog.decode(value, 'base64')
        FROM pg_catalog.jsonb_each_text($4::pg_catalog.jsonb) AS n (name, value)
        ON CONFLICT (feed, name) DO UPDATE SET value = EXCLUDED.value)
      SELECT pg_catalog.pg_current_xact_id()::pg_catalog.xid::pg_catalog.text
      """
    }

    /// The query for rows by the keys in a JSON array of rows.
    var rowsByKey: String {
      """
      SELECT r.\(key)::pg_catalog.text, NULL, pg_catalog.row_to_json(r.*) FROM \(name) AS r WHERE r.\(key) \(equals) ANY (
        SELECT \(key) FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $1::pg_catalog.jsonb))
      """
    }

    static func quoted(_ name: String) -> String {
      "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Returns texts as an array literal.
    static func array(_ texts: some Sequence<String>) -> String {
      let elements = texts.map { text in
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      return "{\(elements.joined(separator: ","))}"
    }
  }
#endif
