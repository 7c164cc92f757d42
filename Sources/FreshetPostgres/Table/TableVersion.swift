#if Postgres
  /// The server that has a table, and the definition of the table there.
  ///
  /// Only while both are the same does another `xmin` show whether a row has new contents. A
  /// standby that was promoted may give a transaction a number that its primary gave before. A
  /// definition changes the contents of rows without writing them.
  struct TableVersion: Equatable, Sendable {
    let server: String?
    private let definition: String?

    /// Reads the version from the server.
    ///
    /// - Complexity: O(columns + partitions), in the server.
    init(_ table: String, on connection: PostgresConnection) async throws(PostgresError) {
      server = try await Self.server(connection)
      definition = try await connection.run(Self.definition, [table]).first?.first ?? nil
    }

    private static func server(
      _ connection: PostgresConnection
    ) async throws(PostgresError) -> String? {
      do {
        return try await connection.run(identity).first?.first ?? nil
      } catch .statement("42501", _) {
        // A role that may not read the identity reads all rows again after a restart.
        return try await connection.run(start).first?.first ?? nil
      }
    }

    /// The query for the identity of the server.
    ///
    /// It contains the cluster, its timeline, which changes with a promotion, and the database. The
    /// start time of the server is included because its files may be those of a snapshot since. The
    /// time when its statistics were emptied is included because that happens after a crash.
    /// Transactions that were not on disk yet are lost then, and their numbers are used again.
    private static let identity = """
      SELECT pg_catalog.concat_ws(' ', s.system_identifier, d.oid,
        CASE WHEN NOT pg_catalog.pg_is_in_recovery() THEN pg_catalog.substr(
          pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8) END,
        pg_catalog.pg_postmaster_start_time(), w.stats_reset)
      FROM pg_catalog.pg_control_system() AS s, pg_catalog.pg_database AS d,
        pg_catalog.pg_stat_bgwriter AS w
      WHERE d.datname = pg_catalog.current_database()
      """

    private static let start = """
      SELECT pg_catalog.concat_ws(' ', pg_catalog.pg_postmaster_start_time(), stats_reset)
      FROM pg_catalog.pg_stat_bgwriter
      """

    /// The query for a hash of the catalog's description of a table.
    ///
    /// It covers the columns, the parts of their types, the partitions and children, and our
    /// triggers. It also covers the policies and roles that decide which rows this user may see.
    /// Each row of the catalog is identified by the transaction that wrote it. A trigger that was
    /// disabled for a while therefore counts as changed, and so does a table whose row security
    /// was.
    private static let definition = """
      WITH RECURSIVE family AS (
        SELECT pg_catalog.to_regclass($1)::pg_catalog.oid AS oid, true AS is_root
        UNION SELECT i.inhrelid, false
        FROM pg_catalog.pg_inherits AS i JOIN family AS f ON i.inhparent = f.oid),
      type AS (
        SELECT a.atttypid AS oid
        FROM pg_catalog.pg_attribute AS a JOIN family AS f ON f.oid = a.attrelid WHERE f.is_root
        UNION SELECT p.oid
        FROM type AS y JOIN pg_catalog.pg_type AS t ON t.oid = y.oid CROSS JOIN LATERAL (
          SELECT t.typelem AS oid UNION ALL SELECT t.typbasetype
          UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range AS r
            WHERE r.rngtypid = t.oid OR r.rngmultitypid = t.oid
          UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute AS a
            WHERE a.attrelid = t.typrelid AND a.attnum::integer > 0) AS p),
      role AS (
        SELECT r.oid FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user
        UNION SELECT m.roleid FROM pg_catalog.pg_auth_members AS m JOIN role AS r ON m.member = r.oid),
      part AS (
        SELECT 'class' AS kind, c.oid, 0 AS number, c.xmin::pg_catalog.text AS version
        FROM pg_catalog.pg_class AS c JOIN family AS f ON f.oid = c.oid
        UNION ALL SELECT 'column', a.attrelid, a.attnum::integer, a.xmin::pg_catalog.text
        FROM pg_catalog.pg_attribute AS a JOIN family AS f ON f.oid = a.attrelid
        WHERE f.is_root AND a.attnum::integer > 0
        UNION ALL SELECT 'default', d.oid, 0, d.xmin::pg_catalog.text
        FROM pg_catalog.pg_attrdef AS d JOIN family AS f ON f.oid = d.adrelid WHERE f.is_root
        UNION ALL SELECT 'policy', p.oid, 0, p.xmin::pg_catalog.text
        FROM pg_catalog.pg_policy AS p JOIN family AS f ON f.oid = p.polrelid WHERE f.is_root
        UNION ALL SELECT 'trigger', t.oid, 0, pg_catalog.concat_ws(' ', t.xmin, n.xmin)
        FROM pg_catalog.pg_trigger AS t JOIN family AS f ON f.oid = t.tgrelid
          JOIN pg_catalog.pg_proc AS n ON n.oid = t.tgfoid
        WHERE f.is_root AND NOT t.tgisinternal
        UNION ALL SELECT 'label', e.oid, 0, e.xmin::pg_catalog.text
        FROM pg_catalog.pg_enum AS e JOIN type AS y ON y.oid = e.enumtypid
        UNION ALL SELECT 'part', a.attrelid, a.attnum::integer, a.xmin::pg_catalog.text
        FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_type AS t ON t.typrelid = a.attrelid
          JOIN type AS y ON y.oid = t.oid
        WHERE a.attnum::integer > 0
        UNION ALL SELECT 'role', r.oid, 0,
          pg_catalog.concat_ws(' ', r.rolsuper, r.rolbypassrls, r.rolinherit)
        FROM pg_catalog.pg_roles AS r JOIN role AS o ON o.oid = r.oid
        UNION ALL SELECT 'member', m.roleid, 0, pg_catalog.concat_ws(' ', m.member, m.xmin)
        FROM pg_catalog.pg_auth_members AS m JOIN role AS o ON o.oid = m.member)
      SELECT pg_catalog.hashtextextended(pg_catalog.string_agg(
        pg_catalog.concat_ws(' ', kind, oid, number, version), ','
        ORDER BY kind COLLATE pg_catalog."C", oid, number, version COLLATE pg_catalog."C"),
        0::bigint)::pg_catalog.text
      FROM part
      """
  }
#endif
