#if Postgres
  import Foundation
  import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// Keys that change their type or their text, sessions that write values in other ways, and names
  /// that a stranger takes.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct ChangedKeyTests {
    /// A table, results whose store looks for changes often, and a store that writes.
    ///
    /// One that looks so often would take a busy machine for a silent server.
    struct Fixture<Item: ListItem & Codable> where Item.ID: Comparable & Codable {
      let database: SharedDatabase
      let owner: PostgresConnection
      let store: PostgresStore<Item>
      let results: LiveResults<Item, PostgresRequest>

      /// - Parameters:
      ///   - columns: those of the table.
      ///   - before: what happens before the table is there.
      init(
        _ columns: String = QuakeTable.columns, before: String = "", of: Item.Type = Quake.self
      ) async throws {
        database = try await SharedDatabase()
        owner = try await database.owner()
        try await owner.run("DROP TABLE quake")
        if !before.isEmpty { try await owner.run(before) }
        // Of what is set for the database, new sessions hear.
        let owner = try await database.owner()
        try await owner.run("CREATE TABLE quake \(columns)")
        try await owner.run(PostgresStore<Item>.triggers(on: "quake"))
        let string = database.server.database(database.name)
        store = PostgresStore(string, table: "quake")
        let watched = PostgresStore<Item>(
          string, table: "quake", checkingEvery: .milliseconds(50))
        results = LiveResults(store: watched, arrangement: .sorted(by: \.id), window: .zero)
      }

      var ids: [Item.ID] { results.value.items.map(\.id) }

      func comeToShow(_ wanted: [Item.ID]) async -> Bool {
        await eventually { ids == wanted && results.fetchStatus.interruption == nil }
      }
    }

    @Test(arguments: ["COLLATE \"de-x-icu\"", "COLLATE \"POSIX\"", "COLLATE \"C\""])
    func `a change of a key with a collation of its own shows`(collation: String) async throws {
      let fixture = try await Fixture<Quake>(
        "(id text \(collation) PRIMARY KEY, magnitude float8, place text)")
      try await fixture.store.write(inserting: [Quake(1), Quake(2)])
      await fixture.results.fetch(.all)
      try await fixture.owner.run("UPDATE quake SET magnitude = 5 WHERE id = 'us2'")
      #expect(await eventually { fixture.results.value.items.last?.magnitude == 5 })
      try await fixture.owner.run("UPDATE quake SET id = 'us3' WHERE id = 'us1'")
      #expect(await fixture.comeToShow(["us2", "us3"]))
    }

    @Test
    func `S3: keys that are of another type since are other keys`() async throws {
      let fixture = try await Fixture<Quake>()
      let ids = ["1", "2"].map { "A0000000-0000-4000-8000-00000000000\($0)" }
      for id in ids { try await fixture.owner.run("INSERT INTO quake VALUES ('\(id)', 1)") }
      await fixture.results.fetch(.all)
      #expect(fixture.ids == ids)
      try await fixture.owner.run("ALTER TABLE quake ALTER id TYPE uuid USING id::uuid")
      #expect(await fixture.comeToShow(ids.map { $0.lowercased() }))
      try await fixture.owner.run(
        "ALTER TABLE quake ALTER id TYPE int USING right(id::text, 1)::int")
      #expect(await fixture.comeToShow([]))
      #expect(await eventually { fixture.results.fetchStatus.invalidItems == 2 })
      try await fixture.owner.run("ALTER TABLE quake ALTER id TYPE varchar(2) USING 'k' || id")
      #expect(await fixture.comeToShow(["k1", "k2"]))
    }

    @Test
    func `S3: values of an enumeration that get other names show`() async throws {
      let fixture = try await Fixture<Quake>(
        "(id kind PRIMARY KEY, magnitude float8, place place)",
        before: """
          CREATE TYPE place AS ENUM ('Fiji', 'Tonga'); CREATE TYPE kind AS ENUM ('us1', 'us2')
          """)
      try await fixture.owner.run(
        "INSERT INTO quake VALUES ('us1', 1, 'Fiji'), ('us2', 2, 'Tonga')")
      await fixture.results.fetch(.all)
      try await fixture.owner.run("ALTER TYPE place RENAME VALUE 'Fiji' TO 'Samoa'")
      #expect(await eventually { fixture.results.value.items.first?.place == "Samoa" })
      try await fixture.owner.run("ALTER TYPE kind RENAME VALUE 'us2' TO 'us3'")
      #expect(await fixture.comeToShow(["us1", "us3"]))
    }

    struct Reading: ListItem, Codable {
      var id: Double
      var date: Date?
    }

    @Test
    func `S1: whatever a database has set for its sessions, keys lead to their rows`() async throws
    {
      let fixture = try await Fixture(
        "(id float8 PRIMARY KEY, date timestamptz)",
        before: """
          DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET extra_float_digits = -3';
          EXECUTE 'ALTER DATABASE ' || current_database() || ' SET datestyle = ''SQL, DMY''';
          EXECUTE 'ALTER DATABASE ' || current_database() || ' SET quote_all_identifiers = on'; END $$
          """, of: Reading.self)
      let ids = [0.3, 0.1 + 0.2, 1e300 / 3]
      try await fixture.store.write(inserting: ids.map { Reading(id: $0) })
      await fixture.results.fetch(.all)
      #expect(fixture.ids == ids)
      try await fixture.owner.run("UPDATE quake SET date = '2026-11-25T10:00:00Z'")
      #expect(
        await eventually {
          fixture.results.value.items.allSatisfy {
            $0.date == Date(timeIntervalSince1970: 1_795_600_800)
          }
        })
      #expect(fixture.ids == ids)
    }

    @Test
    func `S3: a role that leaves a group is noticed`() async throws {
      let fixture = try await Fixture<Quake>()
      let (mallory, group) = (fixture.database.mallory, "\(fixture.database.mallory)_group")
      try await fixture.owner.run(
        """
        CREATE ROLE \(group); GRANT \(group) TO \(mallory); GRANT SELECT ON quake TO \(group);
        INSERT INTO quake VALUES ('us1', 1)
        """)
      let store = PostgresStore<Quake>(
        "\(fixture.database.server.database(fixture.database.name)) user=\(mallory)",
        table: "quake", checkingEvery: .milliseconds(50))
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      try await fixture.owner.run("REVOKE \(group) FROM \(mallory)")
      #expect(await eventually { results.fetchStatus.interruption is PostgresError })
      #expect(results.value.list.count == 1)
      try await fixture.owner.run("GRANT \(group) TO \(mallory)")
      #expect(await eventually { results.fetchStatus.interruption == nil })
    }

    @Test
    func `S4: a table and a type of a stranger's in an earlier schema are not taken`() async throws
    {
      let fixture = try await Fixture<Quake>(
        "(id app.code PRIMARY KEY, magnitude float8, place text)",
        before: """
          CREATE SCHEMA app; CREATE DOMAIN app.code AS text;
          DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database()
            || ' SET search_path = app, public'; END $$
          """)
      try await fixture.owner.run(
        """
        DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database()
          || ' SET search_path = public, app'; END $$
        """)
      try await fixture.store.write(inserting: [Quake(1), Quake(2)])
      await fixture.results.fetch(.all)
      try await fixture.database.stranger().run(
        """
        CREATE TABLE public.trap (caller text); GRANT ALL ON public.trap TO PUBLIC;
        CREATE FUNCTION public.trapped() RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO public.trap VALUES (current_user); RETURN true; END $$;
        CREATE DOMAIN public.code AS text CHECK (public.trapped());
        CREATE FUNCTION public.freshet_notify() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        BEGIN PERFORM public.trapped(); RETURN NULL; END $$;
        CREATE TABLE public.quake (id text PRIMARY KEY, magnitude float8, place text);
        INSERT INTO public.quake VALUES ('us9', 9);
        CREATE TRIGGER freshet_insert AFTER INSERT ON public.quake FOR EACH STATEMENT
        EXECUTE FUNCTION public.freshet_notify('id');
        CREATE TRIGGER freshet_update AFTER UPDATE ON public.quake FOR EACH STATEMENT
        EXECUTE FUNCTION public.freshet_notify('id');
        CREATE TRIGGER freshet_delete AFTER DELETE ON public.quake FOR EACH STATEMENT
        EXECUTE FUNCTION public.freshet_notify('id');
        CREATE TRIGGER freshet_truncate AFTER TRUNCATE ON public.quake FOR EACH STATEMENT
        EXECUTE FUNCTION public.freshet_notify('id');
        GRANT ALL ON public.quake TO PUBLIC
        """)
      try await fixture.owner.run(
        """
        SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()
        """)
      #expect(
        await eventually { (try? await fixture.store.write(updating: [Quake(3, 3)])) != nil })
      #expect(await fixture.comeToShow(["us1", "us2", "us3"]))
      try await fixture.store.write(deleting: ["us1"])
      #expect(await fixture.comeToShow(["us2", "us3"]))
      #expect(try await fixture.owner.run("SELECT * FROM public.trap") == [])
      #expect(try await fixture.owner.run("SELECT id FROM public.quake") == [["us9"]])
    }

    @Test
    func `S4: a stranger's key that a domain refuses interrupts nothing`() async throws {
      let fixture = try await Fixture<Quake>(
        "(id code PRIMARY KEY, magnitude float8, place text)",
        before: "CREATE DOMAIN code AS text CHECK (VALUE LIKE 'us%')")
      try await fixture.store.write(inserting: [Quake(1)])
      await fixture.results.fetch(.all)
      let watching = Task { [results = fixture.results] in
        for await value in results.values where value.fetchStatus?.interruption != nil {
          return true
        }
        return false
      }
      let stranger = try await fixture.database.stranger()
      for _ in 0..<20 {
        try await stranger.run(
          "SELECT pg_notify('freshet_' || 'quake'::regclass::oid, '[\"bad\"]')")
      }
      try await fixture.store.write(inserting: [Quake(2)])
      #expect(await fixture.comeToShow(["us1", "us2"]))
      watching.cancel()
      #expect(await !watching.value)
    }

    @Test
    func `N5: what the server says of a row that it refuses shows no value of it`() async throws {
      let fixture = try await Fixture<Quake>(
        "(id text PRIMARY KEY, magnitude float8 CHECK (magnitude < 10), place text UNIQUE)")
      var secret = Quake(1, 20)
      secret.place = "SECRET"
      let refused = await #expect(throws: PostgresError.self) {
        try await fixture.store.write(inserting: [secret])
      }
      #expect(!"\(try #require(refused))".contains("SECRET"))
      #expect("\(try #require(refused))".contains("quake_magnitude_check"))
      secret.magnitude = 1
      try await fixture.store.write(inserting: [secret])
      secret.id = "us2"
      let repeated = await #expect(throws: PostgresError.self) {
        try await fixture.store.write(inserting: [secret])
      }
      #expect(!"\(try #require(repeated))".contains("SECRET"))
    }
  }
#endif
