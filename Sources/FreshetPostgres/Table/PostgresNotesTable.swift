#if Postgres
  /// The table in which feeds keep their notes, once it is known to be ours.
  ///
  /// Any user who may create tables in a schema of the `search_path` can create one of this name
  /// there. Code attached to it would run with our rights. The table is trusted only if code of its
  /// owner runs there anyway, and if it looks as `install()` makes it. Such an owner is this user,
  /// the owner of the items' table, or a superuser.
  struct PostgresNotesTable: Sendable {
    /// The name as SQL takes it, with its schema.
    let name: String

    /// Finds the table of notes for a table of items; `nil` if there is none.
    ///
    /// - Throws: `PostgresError.notes` for one that is not ours.
    init?(of table: String, on connection: PostgresConnection) async throws {
      let rows = try await connection.run(Self.search, [table])
      guard let row = rows.first, let name = row[0] else { return nil }
      guard row[1] == "t" else {
        throw PostgresError.notes(reason: "\(name) belongs to \(row[3] ?? "somebody else")")
      }
      guard row[2] == "t" else {
        throw PostgresError.notes(reason: "\(name) is another table than install() makes")
      }
      self.name = name
    }

    private static let search = """
      SELECT pg_catalog.quote_ident(n.nspname::pg_catalog.text) || '.'
          || pg_catalog.quote_ident(c.relname::pg_catalog.text),
        o.rolsuper OR o.rolname = current_user OR c.relowner IN (
          SELECT relowner FROM pg_catalog.pg_class WHERE oid = pg_catalog.to_regclass($1)::pg_catalog.oid),
        c.relkind = 'r' AND NOT (c.relhasrules OR c.relhastriggers OR c.relrowsecurity)
          AND ARRAY['feed text', 'name text', 'value bytea'] OPERATOR(pg_catalog.=) ARRAY(
            SELECT a.attname::pg_catalog.text || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod)
            FROM pg_catalog.pg_attribute AS a
            WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum)
          AND EXISTS (SELECT FROM pg_catalog.pg_index AS i
            WHERE i.indrelid = c.oid AND i.indisprimary AND i.indkey::pg_catalog.text = '1 2'),
        o.rolname::pg_catalog.text
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_roles AS o ON o.oid = c.relowner
      WHERE c.oid = pg_catalog.to_regclass('freshet_note')::pg_catalog.oid
      """
  }
#endif
