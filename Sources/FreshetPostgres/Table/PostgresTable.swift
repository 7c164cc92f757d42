#if Postgres
  /// What a server knows of a table, and the statements about its rows.
  ///
  /// A row travels as JSON, and PostgreSQL casts its parts to and from the types of the columns.
  /// What a row is at a time is told by `xmin`, the transaction that wrote it.
  struct PostgresTable: Sendable {
    /// The name as SQL takes it.
    let name: String
    /// The name by which a condition finds its row, as SQL takes it: errors say it too.
    private let row: String
    /// Which server has it, and how it is defined.
    let version: TableVersion
    /// The channel that its triggers notify.
    let channel: String
    let columns: Set<String>
    /// The columns that the server computes.
    let computed: Set<String>
    /// About how many rows it has; `nil` where the server does not know.
    let count: Int?
    /// The key column and its type, as SQL takes them.
    private let key: String
    private let keyType: String
    /// The operators that say which of two keys is first, whether they are the same, and which is
    /// last, as SQL takes them.
    private let before: String
    private let equals: String
    private let follows: String

    /// Which table it is, and whose.
    let identity: Identity

    struct Identity: Sendable {
      let table: String
      let owner: String
      let isOwnerTrusted: Bool
    }

    /// Asks the server.
    ///
    /// - Parameter known: the table as it was found before. It is looked for in its schema alone: a
    ///   role that may create tables in an earlier schema of the `search_path` does not put one of
    ///   its own in the place. Where it was dropped, another one of its name has to belong to the
    ///   same owner, this user or a superuser.
    init(
      _ table: String, key: String, known: PostgresTable? = nil, on connection: PostgresConnection
    ) async throws {
      // Asked for first: what changes meanwhile makes it another one.
      version = try await TableVersion(known?.name ?? table, on: connection)
      let rows = try await connection.run(Self.search, [known?.name ?? table, key])
      guard let first = rows.first, let name = first[0], let oid = first[1],
        let owner = first[12]
      else { throw PostgresError.noTable(table) }
      identity = Identity(table: oid, owner: owner, isOwnerTrusted: first[13] == "t")
      if let known = known?.identity, known.table != oid, known.owner != owner,
        !identity.isOwnerTrusted
      {
        throw PostgresError.noTable(table)
      }
      guard let row = rows.first(where: { $0[3] == key }), let column = row[4], let type = row[5]
      else { throw PostgresError.noKey(key, table: table) }
      guard first[7] == "4" else { throw PostgresError.noTriggers(table: table) }
      guard let before = row[9], let equals = row[10], let follows = row[11] else {
        throw PostgresError.noKey(key, table: table)
      }
      self.name = name
      self.row = row[8] ?? name
      channel = "freshet_\(oid)"
      columns = Set(rows.compactMap { $0[3] })
      computed = Set(rows.lazy.filter { $0[6] != "" }.compactMap { $0[3] })
      count = first[2].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
      (self.key, keyType) = (column, type)
      (self.before, self.equals, self.follows) = (before, equals, follows)
    }

    /// What the catalog says of a table and each of its columns.
    ///
    /// Another role may create functions and operators in a schema of the `search_path` that match
    /// more closely than the server's own. So all statements here name functions with their schema,
    /// and operators too if the server has none for exactly these types. A trigger counts only if
    /// its function belongs to a role that is trusted anyway: this user, the table's owner or a
    /// superuser.
    private static let search = """
      SELECT pg_catalog.quote_ident(n.nspname::pg_catalog.text) || '.'
          || pg_catalog.quote_ident(c.relname::pg_catalog.text), c.oid::pg_catalog.text, c.reltuples::bigint::pg_catalog.text,
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
        \(keyOperator(1)), \(keyOperator(3)), \(keyOperator(5)), c.relowner::pg_catalog.text,
        u.rolsuper OR u.rolname = current_user
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_roles AS u ON u.oid = c.relowner
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.oid = pg_catalog.to_regclass($1)::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped
      """

    /// The type of a column with its schema, without a length; of a domain, what it is made of: its
    /// checks are not to be run on keys that others notify.
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

    /// An operator of the index that makes the key identify a row, by its number in B-trees: less,
    /// equal or greater (PostgreSQL, "B-Tree Indexes"); `NULL` where there is no such index.
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

    /// A page of the rows a request asks for, by key: key, `xmin`, JSON.
    ///
    /// Its arguments are the request's, and the last key of the page before.
    func page(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::pg_catalog.text, \(row).xmin::pg_catalog.text, pg_catalog.row_to_json(\(row).*) FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// A page of keys and versions alone.
    func versions(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::pg_catalog.text, \(row).xmin::pg_catalog.text FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// Rows by their keys: key, `xmin`, JSON, and whether the request asks for them; of a row that
    /// is not there the key alone.
    ///
    /// Its arguments are the request's, and an array of keys. These come back as this session
    /// writes them: another one may have another time zone. Keys that the table takes for one, as
    /// `citext` does, are different ones.
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

    /// Puts rows and deletes others, in one statement: all of it happens or nothing.
    ///
    /// Its arguments are JSON arrays of the rows, and of rows with the keys of those to delete;
    /// then, if there are notes, the feed, a JSON object of notes in base 64, and an array of the
    /// names of those that go.
    func write(_ columns: Set<String>, with notes: PostgresNotes? = nil) -> String {
      let names = columns.subtracting(computed).sorted().map(Self.quoted)
      let list = names.joined(separator: ", ")
      let others = names.filter { $0 != key && $0 != Self.quoted(key) }
      func setting(from source: String) -> String {
        others.map { "\($0) = \(source).\($0)" }.joined(separator: ", ")
      }
      // Rows go first, as their other unique columns may come again. Rows that are there are
      // updated: an insertion would want the columns that items do not name.
      let changed = """
        UPDATE \(name) AS r SET \(setting(from: "item")) FROM item
        WHERE r.\(key) \(equals) item.\(key) AND (SELECT pg_catalog.count(*) FROM gone) >= 0 RETURNING r.\(key)
        """
      let present = """
        SELECT \(key) FROM \(name) WHERE \(key) \(equals) ANY (SELECT \(key) FROM item)
        """
      return """
        WITH item AS MATERIALIZED (
          SELECT * FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $1::pg_catalog.jsonb)),
        gone AS (
          DELETE FROM \(name) WHERE \(key) \(equals) ANY (
            SELECT \(key) FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $2::pg_catalog.jsonb))
          RETURNING \(key)),
        changed AS (\(others.isEmpty ? present : changed))
        \(notes.map { Self.writing($0) } ?? "")
        INSERT INTO \(name) (\(list)) OVERRIDING SYSTEM VALUE
        SELECT \(list) FROM item
        WHERE (SELECT pg_catalog.count(*) FROM gone) >= 0
          AND NOT \(key) \(equals) ANY (SELECT \(key) FROM changed)
        ON CONFLICT (\(key)) DO \(others.isEmpty ? "NOTHING" : "UPDATE SET \(setting(from: "EXCLUDED"))")
        """
    }

    private static func writing(_ notes: PostgresNotes) -> String {
      """
      , dropped AS (DELETE FROM \(notes.name) WHERE feed = $3 AND name = ANY ($5::pg_catalog.text[])),
      noted AS (
        INSERT INTO \(notes.name) (feed, name, value)
        SELECT $3, name, pg_catalog.decode(value, 'base64')
        FROM pg_catalog.jsonb_each_text($4::pg_catalog.jsonb) AS n (name, value)
        ON CONFLICT (feed, name) DO UPDATE SET value = EXCLUDED.value)
      """
    }

    /// Rows by the keys in a JSON array of rows.
    var rowsByKey: String {
      """
      SELECT r.\(key)::pg_catalog.text, NULL, pg_catalog.row_to_json(r.*) FROM \(name) AS r WHERE r.\(key) \(equals) ANY (
        SELECT \(key) FROM pg_catalog.jsonb_populate_recordset(NULL::\(name), $1::pg_catalog.jsonb))
      """
    }

    static func quoted(_ name: String) -> String {
      "\"\(name.replacing("\"", with: "\"\""))\""
    }

    /// Texts as the literal of an array.
    static func array(_ texts: some Sequence<String>) -> String {
      let elements = texts.map { text in
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
      }
      return "{\(elements.joined(separator: ","))}"
    }
  }
#endif
