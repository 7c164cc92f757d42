#if Postgres
  import Foundation
  import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// S4: what a role may do that can create in a schema of the `search_path`, or nothing at all.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct HostileRoleTests {
    /// A function that notes who called it, and does what the server's own does.
    private static func bait(
      _ name: String, _ arguments: String, _ type: String, _ result: String
    ) -> String {
      let returning = type.hasPrefix("SETOF") ? "RETURN QUERY SELECT * FROM" : "RETURN"
      return """
        CREATE FUNCTION public.\(name)(\(arguments)) RETURNS \(type) LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.trap VALUES ('\(name)', current_user);
          \(returning) \(result);
        END $$;
        """
    }

    static func baits(for key: String) -> String {
      let functions = [
        bait("quote_ident", "name", "text", "pg_catalog.quote_ident($1::text)"),
        bait("row_to_json", "quake", "json", "pg_catalog.row_to_json($1)"),
        bait("to_jsonb", "text", "jsonb", "pg_catalog.to_jsonb($1)"),
        bait("format", "text, text", "text", "pg_catalog.format($1, $2)"),
        bait("convert_to", "text, text", "bytea", "pg_catalog.convert_to($1, $2::name)"),
        bait("to_regclass", "varchar", "regclass", "pg_catalog.to_regclass($1::text)"),
        bait(
          "jsonb_populate_recordset", "quake, jsonb", "SETOF quake",
          "pg_catalog.jsonb_populate_recordset($1, $2)"),
        bait("unnest", "text[]", "SETOF text", "pg_catalog.unnest($1)"),
        bait("pg_advisory_xact_lock", "integer", "bigint", "1"),
        bait("hashtext", "varchar", "integer", "1"),
        bait("same", "\(key), \(key)", "boolean", "$1::text = $2::text"),
        bait("less", "\(key), \(key)", "boolean", "$1::text < $2::text"),
        bait("greater", "\(key), \(key)", "boolean", "$1::text > $2::text"),
        bait("alike", "text[], text[]", "boolean", "$1::text = $2::text"),
        bait("holds", "text[], text[]", "boolean", "true"),
        bait("joined", "name, text", "text", "$1::text || $2"),
        bait("joined", "text, name", "text", "$1 || $2::text"),
      ]
      let operators = [
        ("=", key, key, "same"), ("<", key, key, "less"), (">", key, key, "greater"),
        ("=", "text[]", "text[]", "alike"), ("@>", "text[]", "text[]", "holds"),
        ("||", "name", "text", "joined"), ("||", "text", "name", "joined"),
      ].map { name, left, right, function in
        """
        CREATE OPERATOR public.\(name) (
          LEFTARG = \(left), RIGHTARG = \(right), FUNCTION = public.\(function));
        """
      }
      return """
        CREATE TABLE public.trap (name text, caller text); GRANT ALL ON public.trap TO PUBLIC;
        \((functions + operators).joined(separator: "\n"))
        CREATE FUNCTION public.step(jsonb, text) RETURNS jsonb LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO public.trap VALUES ('jsonb_agg', current_user);
          RETURN $1 || pg_catalog.to_jsonb($2);
        END $$;
        CREATE AGGREGATE public.jsonb_agg(text) (
          SFUNC = public.step, STYPE = jsonb, INITCOND = '[]');
        """
    }

    @Test(arguments: ["text", "varchar", "varchar(40)"])
    func `S4: functions and operators of a stranger are never called`(key: String) async throws {
      let database = try await SharedDatabase(
        "(id \(key) PRIMARY KEY, magnitude float8, place text)")
      try await database.stranger().run(
        Self.baits(for: key.prefix { $0 != "(" }.description))
      let owner = try await database.owner()
      // They are there, and fit better than the server's own.
      try await owner.run("SELECT quote_ident('a'::name), to_jsonb('a'::text)")
      #expect(try await owner.run("SELECT count(*) FROM trap") == [["2"]])
      try await owner.run("DELETE FROM trap")

      let store = database.store()
      try await store.install()
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      try await store.write(inserting: (1...5).map { Quake($0, $0) })
      await results.fetch("magnitude >= \(2)")
      #expect(results.value.list.count == 4)
      try await store.write(updating: [Quake(2, 7)])
      try await store.write(deleting: ["us3"])
      await shows([Quake(2, 7), Quake(4, 4), Quake(5, 5)], results)
      try await owner.run(
        """
        INSERT INTO quake VALUES ('us6', 6, 'place 6'); UPDATE quake SET magnitude = 8 WHERE id LIKE 'us4'
        """)
      try await store.write(ChangeBatch(), notes: ["page": Data([1])], of: "home")
      try await store.write(ChangeBatch(), notes: ["page": nil, "last": Data([2])], of: "home")
      #expect(try await store.notes(of: "home") == ["last": Data([2])])
      #expect(try await store.items(withIDs: ["us5"]) == [Quake(5, 5)])
      // Connected anew, it compares all rows.
      try await owner.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()
        """)
      try await owner.run("DELETE FROM quake WHERE id LIKE 'us5'")
      #expect(await eventually { !results.value.items.contains { $0.id == "us5" } })
      #expect(try await owner.run("SELECT DISTINCT name, caller FROM trap") == [])
    }

    @Test
    func `S4: a trigger function of a stranger is neither used nor replaced`() async throws {
      let database = try await SharedDatabase()
      try await database.stranger().run(
        """
        CREATE FUNCTION public.freshet_notify() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$ BEGIN RETURN NULL; END $$
        """)
      let store = database.store()
      let error = await #expect(throws: PostgresError.self) { try await store.install() }
      #expect(
        "\(try #require(error))".contains("freshet_notify belongs to \(database.mallory). Drop it"))
      let owner = try await database.owner()
      #expect(try await owner.run("SELECT count(*) FROM pg_trigger") == [["0"]])
      // Made by others, they are no triggers of a store's.
      for event in ["insert", "update", "delete", "truncate"] {
        try await owner.run(
          """
          CREATE TRIGGER freshet_\(event) AFTER \(event) ON quake
            FOR EACH STATEMENT EXECUTE FUNCTION freshet_notify('id')
          """)
      }
      await #expect(throws: PostgresError.noTriggers(table: "quake")) {
        try await store.write(deleting: ["us1"])
      }
      try await owner.run("DROP FUNCTION freshet_notify CASCADE")
      try await store.install()
      try await store.write(inserting: [Quake(1)])
    }

    @Test(arguments: [
      "[\"a\\u0000b\"]", "[\"x\"]", "[\"99999999999999999999\"]", "[]", "[1]", "no keys", "*",
    ])
    func `S4: no notification of a stranger ends a query`(payload: String) async throws {
      let database = try await SharedDatabase("(id bigint PRIMARY KEY, text text)")
      let store = PostgresStore<Numbered>(database.server.database(database.name), table: "quake")
      try await store.install()
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      try await database.stranger().run(
        "SELECT pg_notify('freshet_' || 'quake'::regclass::oid, $1)", [payload])
      try await store.write(inserting: [Numbered(id: 1, text: "a")])
      #expect(await eventually { results.value.list.count == 1 })
      try await database.owner().run("UPDATE quake SET text = 'b'")
      #expect(await eventually { results.value.items.first?.text == "b" })
      #expect(results.fetchStatus.state.failure == nil && results.fetchStatus.interruption == nil)
    }

    struct Numbered: ListItem, Codable {
      var id: Int
      var text: String
    }

    @Test
    func `S4: many notifications are taken one after the other without a copy of those before`() {
      let changed = ChangedKeys()
      for number in 0..<20_000 { changed.add("[\"\(number)\"]") }
      guard case .some(let keys) = changed.take() else { return #expect(Bool(false)) }
      #expect(keys.count == 20_000)
      for number in 0...20_000 { changed.add("[\"\(number)\"]") }
      guard case .any = changed.take() else { return #expect(Bool(false)) }
    }

    @Test
    func `keys that a table takes for one are told apart by their bytes`() async throws {
      let database = try await SharedDatabase("(id text)")
      try await database.owner().run(
        """
        CREATE EXTENSION citext; DROP TABLE quake;
        CREATE TABLE quake (id citext PRIMARY KEY, magnitude float8, place text)
        """)
      let store = database.store()
      try await store.install()
      try await store.write(inserting: [Quake(1), Quake(2)])
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      try await database.owner().run("UPDATE quake SET id = 'US1' WHERE id = 'us1'")
      #expect(await eventually { results.value.items.map(\.id) == ["US1", "us2"] })
      try await store.write(deleting: ["US1"])
      #expect(await eventually { results.value.items.map(\.id) == ["us2"] })
    }
  }
#endif
