#if Postgres
  // The triggers by which a table notifies of its changes.
  extension PostgresStore {
    /// Installs the triggers by which the table notifies of its changes, if they are missing.
    ///
    /// It requires PostgreSQL 14, and a user who owns the table and may create objects in the first
    /// schema of the `search_path`. In that schema it creates a function `freshet_notify` and a
    /// table `freshet_note`, on which other users of the store need rights. A `freshet_note` that
    /// is not ours is refused. The method may be called at each start, by several processes at a
    /// time.
    ///
    /// - Parameter schema: statements to run first, in the same transaction: `CREATE TABLE IF NOT
    ///   EXISTS …`
    /// - Throws: `PostgresError`; nothing is changed then.
    public func install(creating schema: String = "") async throws {
      let connection = try await link.connection()
      await link.forgetTable()
      let notes = try await PostgresNotesTable(of: table, on: connection)
      if notes != nil, (try? await link.connection(key: key)) != nil { return }
      // One message is one transaction. The lock is needed because two processes that create the
      // same objects at once would disturb each other. Any role may hold it, so the wait is
      // limited.
      do {
        try await connection.run(
          """
          SET LOCAL lock_timeout = '10s';
          SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('freshet'));
          SET LOCAL lock_timeout = DEFAULT;
          \(schema.isEmpty ? "" : schema + ";")
          \(Self.triggers(on: table, key: key))
          """)
      } catch {
        if case .statement("42P01", _) = error, schema.isEmpty {
          throw PostgresError.noTable(table)
        }
        throw error
      }
      _ = try await link.connection(key: key)
      _ = try await link.connectionToNotes()
    }

    /// Returns the statements that let a table notify of its changes, for your own migration.
    ///
    /// After each statement that changes rows, the keys of these rows are notified on a channel of
    /// the table. They are JSON arrays that fit into a notification (8,000 bytes). For more than
    /// ten thousand rows or very long keys, the notification only reports that something changed.
    /// Keys are written so that every session reads them alike, whatever its settings are.
    ///
    /// - Parameters:
    ///   - table: the table, as SQL takes it.
    ///   - key: the column that holds the items' ids.
    public static func triggers(on table: String, key: String = "id") -> String {
      let argument = "'\(key.replacing("'", with: "''"))'"
      let triggers = [
        ("insert", "REFERENCING NEW TABLE AS freshet_new"),
        ("update", "REFERENCING OLD TABLE AS freshet_old NEW TABLE AS freshet_new"),
        ("delete", "REFERENCING OLD TABLE AS freshet_old"), ("truncate", ""),
      ]
      return triggerFunction + ownerCheck(on: table)
        + triggers.map { event, tables in
          """

          CREATE OR REPLACE TRIGGER freshet_\(event) AFTER \(event.uppercased()) ON \(table)
            \(tables) FOR EACH STATEMENT EXECUTE FUNCTION freshet_notify(\(argument));
          """
        }.joined()
    }

    /// Returns a statement that fails the whole installation if another role owns the function.
    ///
    /// Its owner could replace its body, and triggers run it with the rights of the role that
    /// writes.
    private static func ownerCheck(on table: String) -> String {
      """

      DO $freshet$
      DECLARE
        owner text := (
          SELECT o.rolname FROM pg_catalog.pg_proc AS f
            JOIN pg_catalog.pg_roles AS o ON o.oid = f.proowner
          WHERE f.oid = 'freshet_notify()'::pg_catalog.regprocedure::pg_catalog.oid AND NOT o.rolsuper
            AND o.rolname <> current_user AND f.proowner <> (
              SELECT c.relowner FROM pg_catalog.pg_class AS c
              WHERE c.oid = '\(table.replacing("'", with: "''"))'::pg_catalog.regclass::pg_catalog.oid));
      BEGIN
        IF owner IS NOT NULL THEN
          RAISE EXCEPTION 'the function freshet_notify belongs to %', owner USING ERRCODE = '42501',
            HINT = 'Drop it, or let a schema of your own be the first in the search_path';
        END IF;
      END
      $freshet$;
      """
    }

    private static var triggerFunction: String {
      """
      CREATE TABLE IF NOT EXISTS freshet_note (
        feed text NOT NULL, name text NOT NULL, value bytea NOT NULL, PRIMARY KEY (feed, name));
      CREATE OR REPLACE FUNCTION freshet_notify() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp SET datestyle = 'ISO, YMD' SET intervalstyle = 'postgres' SET bytea_output = 'hex'
        SET extra_float_digits = 1 AS $freshet$
      DECLARE
        channel text := 'freshet_' || TG_RELID;
        part text;
        changed text := CASE TG_OP
          WHEN 'INSERT' THEN 'SELECT %1$I::text AS key FROM freshet_new'
          WHEN 'DELETE' THEN 'SELECT %1$I::text AS key FROM freshet_old'
          ELSE 'SELECT %1$I::text AS key FROM freshet_new UNION SELECT %1$I::text FROM freshet_old'
        END;
      BEGIN
        IF TG_OP = 'TRUNCATE' THEN
          PERFORM pg_catalog.pg_notify(channel, '*');
          RETURN NULL;
        END IF;
        FOR part IN EXECUTE format(
          'WITH changed AS (' || changed || '), sized AS (
            SELECT key, octet_length(to_jsonb(key)::text) + 2 AS size
            FROM changed WHERE key IS NOT NULL),
          summed AS (
            SELECT key, sum(size) OVER (ORDER BY key ROWS UNBOUNDED PRECEDING) / 6000 AS part, max(size) OVER () AS longest,
              count(*) OVER () AS count FROM sized)
          SELECT CASE WHEN min(count) > 10000 OR min(longest) > 1500 THEN ''*''
            ELSE jsonb_agg(key)::text END
          FROM summed GROUP BY CASE WHEN count > 10000 OR longest > 1500 THEN 0 ELSE part::int END',
          TG_ARGV[0])
        LOOP
          PERFORM pg_catalog.pg_notify(channel, part);
        END LOOP;
        RETURN NULL;
      END
      $freshet$;
      """
    }
  }
#endif
