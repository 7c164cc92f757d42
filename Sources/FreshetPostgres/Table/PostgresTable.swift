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

    init(_ table: String, key: String, on connection: PostgresConnection) async throws {
      let rows = try await connection.run(
        """
        SELECT c.oid::regclass, c.oid, c.reltuples::bigint, a.attname, quote_ident(a.attname),
          format_type(a.atttypid, a.atttypmod), a.attgenerated,
          (SELECT count(*) FROM pg_trigger AS t
            WHERE t.tgrelid = c.oid AND t.tgenabled IN ('O', 'A')
              AND t.tgargs = convert_to($2, 'UTF8') || '\\x00'::bytea AND t.tgname IN
                ('freshet_insert', 'freshet_update', 'freshet_delete', 'freshet_truncate')),
          EXISTS (SELECT FROM pg_index AS i
            WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
              AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),
          quote_ident(c.relname)
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.oid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped
        """, [table, key])
      guard let first = rows.first, let name = first[0], let oid = first[1] else {
        throw PostgresError.noTable(table)
      }
      guard let row = rows.first(where: { $0[3] == key }), let column = row[4], let type = row[5]
      else { throw PostgresError.noKey(key, table: table) }
      guard first[7] == "4" else { throw PostgresError.noTriggers(table: table) }
      guard row[8] == "t" else { throw PostgresError.noKey(key, table: table) }
      self.name = name
      self.row = row[9] ?? name
      channel = "freshet_\(oid)"
      columns = Set(rows.compactMap { $0[3] })
      computed = Set(rows.lazy.filter { $0[6] != "" }.compactMap { $0[3] })
      count = first[2].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
      (self.key, keyType) = (column, type)
    }

    // MARK: - Reading

    /// A page of the rows a request asks for, by key: key, `xmin`, JSON.
    ///
    /// Its arguments are the request's, and the last key of the page before.
    func page(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::text, \(row).xmin::text, row_to_json(\(row).*) FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// A page of keys and versions alone.
    func versions(of request: PostgresRequest, isFirst: Bool, limit: Int) -> String {
      """
      SELECT \(row).\(key)::text, \(row).xmin::text FROM \(name)
      \(place(of: request, isFirst)) LIMIT \(limit)
      """
    }

    /// Rows by their keys: key, `xmin`, JSON, and whether the request asks for them; of a row that
    /// is not there the key alone.
    ///
    /// Its arguments are the request's, and an array of keys. These come back as this session
    /// writes them: another one may have another time zone.
    func rows(for request: PostgresRequest) -> String {
      """
      SELECT freshet_told.freshet_key::text, \(row).xmin::text, row_to_json(\(row).*),
        (\(request.condition)
      ) IS TRUE
      FROM (SELECT DISTINCT unnest($\(request.arguments.count + 1)::\(keyType)[]) AS freshet_key)
          AS freshet_told
        LEFT JOIN \(name) ON \(row).\(key) = freshet_told.freshet_key
      """
    }

    private func place(of request: PostgresRequest, _ isFirst: Bool) -> String {
      let after =
        isFirst ? "" : "AND \(row).\(key) > $\(request.arguments.count + 1)::\(keyType)"
      return "WHERE (\(request.condition)\n) \(after) ORDER BY \(row).\(key)"
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
        WHERE r.\(key) = item.\(key) AND (SELECT count(*) FROM gone) >= 0 RETURNING r.\(key)
        """
      let present = "SELECT \(key) FROM \(name) WHERE \(key) IN (SELECT \(key) FROM item)"
      return """
        WITH item AS MATERIALIZED (
          SELECT * FROM jsonb_populate_recordset(NULL::\(name), $1::jsonb)),
        gone AS (
          DELETE FROM \(name) WHERE \(key) IN (
            SELECT \(key) FROM jsonb_populate_recordset(NULL::\(name), $2::jsonb))
          RETURNING \(key)),
        changed AS (\(others.isEmpty ? present : changed))
        \(notes.map { Self.writing($0) } ?? "")
        INSERT INTO \(name) (\(list)) OVERRIDING SYSTEM VALUE
        SELECT \(list) FROM item
        WHERE (SELECT count(*) FROM gone) >= 0 AND \(key) NOT IN (SELECT \(key) FROM changed)
        ON CONFLICT (\(key)) DO \(others.isEmpty ? "NOTHING" : "UPDATE SET \(setting(from: "EXCLUDED"))")
        """
    }

    private static func writing(_ notes: PostgresNotes) -> String {
      """
      , dropped AS (DELETE FROM \(notes.name) WHERE feed = $3 AND name = ANY ($5::text[])),
      noted AS (
        INSERT INTO \(notes.name) (feed, name, value)
        SELECT $3, name, decode(value, 'base64') FROM jsonb_each_text($4::jsonb) AS n (name, value)
        ON CONFLICT (feed, name) DO UPDATE SET value = EXCLUDED.value)
      """
    }

    /// Rows by the keys in a JSON array of rows.
    var rowsByKey: String {
      """
      SELECT r.\(key)::text, NULL, row_to_json(r.*) FROM \(name) AS r WHERE r.\(key) IN (
        SELECT \(key) FROM jsonb_populate_recordset(NULL::\(name), $1::jsonb))
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
