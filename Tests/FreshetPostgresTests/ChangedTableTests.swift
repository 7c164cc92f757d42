#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// S3: what no trigger tells of is noticed while a query runs: another definition, other rights,
  /// and triggers that are off.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct ChangedTableTests {
    struct Row: ListItem, Codable, CustomStringConvertible {
      var id: Int
      var a: String?
      var b: String?

      var description: String { "\(id) \(a ?? "-") \(b ?? "-")" }
    }

    /// A table with three rows, and results that show it.
    struct Fixture {
      let database: SharedDatabase
      let owner: PostgresConnection
      let store: PostgresStore<Row>
      let results: LiveResults<Row, PostgresRequest>

      init(
        _ columns: String = "(id integer PRIMARY KEY, a text, b text)", kind: String = "",
        asMallory: Bool = false, checkingEvery interval: Duration = .milliseconds(50)
      ) async throws {
        database = try await SharedDatabase(columns)
        owner = try await database.owner()
        if !kind.isEmpty {
          try await owner.run(
            """
            DROP TABLE quake; CREATE TABLE quake \(columns) \(kind);
            CREATE TABLE quake_1 PARTITION OF quake FOR VALUES FROM (0) TO (10);
            """)
        }
        try await owner.run(PostgresStore<Row>.triggers(on: "quake"))
        try await owner.run(
          "INSERT INTO quake VALUES (1, 'a1', 'b1'), (2, 'a2', 'b2'), (3, 'a3', 'b3')")
        let string = database.server.database(database.name)
        if asMallory { try await owner.run("GRANT SELECT ON quake TO \(database.mallory)") }
        store = PostgresStore<Row>(
          asMallory ? "\(string) user=\(database.mallory)" : string, table: "quake",
          checkingEvery: interval)
        results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
        #expect(await results.fetch(.all) == .loaded, "\(results.fetchStatus)")
        #expect(shown == ["1 a1 b1", "2 a2 b2", "3 a3 b3"])
      }

      var shown: [String] { results.value.items.map(\.description) }

      /// Writes what the server refuses.
      func failToWrite() async throws {
        await #expect(throws: PostgresError.self) {
          try await store.write(inserting: [Row(id: 4, a: "\0")])
        }
      }

      func isInterrupted(by error: PostgresError) -> Bool {
        results.fetchStatus.interruption as? PostgresError == error
      }

      /// Whether the results come to be these rows, without an interruption.
      func comeToShow(_ rows: [String]) async -> Bool {
        await eventually { shown == rows && results.fetchStatus.interruption == nil }
      }
    }

    @Test
    func `S3: what a write finds out of the table, queries find out too`() async throws {
      let fixture = try await Fixture(checkingEvery: .seconds(3600))
      try await fixture.owner.run("ALTER TABLE quake RENAME COLUMN b TO c")
      let row = Row(id: 4, a: "a4", b: "b4")
      // The first one meets an error, and the second looks the table up.
      await #expect(throws: PostgresError.self) { try await fixture.store.write(inserting: [row]) }
      await #expect(throws: PostgresError.self) { try await fixture.store.write(inserting: [row]) }
      #expect(await fixture.comeToShow(["1 a1 -", "2 a2 -", "3 a3 -"]))
    }

    @Test
    func `S3: what makes the table useless is told to queries by a write that meets it`()
      async throws
    {
      let fixture = try await Fixture(checkingEvery: .seconds(3600))
      try await fixture.failToWrite()
      try await fixture.owner.run("DROP TRIGGER freshet_update ON quake")
      try await fixture.failToWrite()
      #expect(await eventually { fixture.isInterrupted(by: .noTriggers(table: "quake")) })
      #expect(fixture.shown.count == 3)
    }

    @Test(arguments: [
      (
        "ALTER TABLE quake DISABLE TRIGGER freshet_update", PostgresError.noTriggers(table: "quake")
      ),
      ("ALTER TABLE quake RENAME TO away", .noTable("quake")),
    ])
    func `S3: a table is looked after also behind a write that failed`(
      change: String, error: PostgresError
    ) async throws {
      let fixture = try await Fixture()
      try await fixture.failToWrite()
      try await fixture.owner.run(change)
      #expect(await eventually { fixture.isInterrupted(by: error) })
      #expect(fixture.shown.count == 3)
    }

    @Test
    func `S2: where rows that do not decode all go, the interruption goes with them`() async throws
    {
      let fixture = try await Fixture()
      try await fixture.owner.run("ALTER TABLE quake ALTER COLUMN a TYPE integer USING 1")
      #expect(await eventually { fixture.results.fetchStatus.interruption != nil })
      try await fixture.owner.run("DELETE FROM quake")
      #expect(await fixture.comeToShow([]))
    }

    @Test
    func `S3: a row that changes before its altered table is noticed stays`() async throws {
      // Nothing but the notification of the row leads to the server.
      let fixture = try await Fixture(checkingEvery: .seconds(3600))
      try await fixture.owner.run(
        """
        ALTER TABLE quake ALTER COLUMN a TYPE integer USING id;
        UPDATE quake SET b = 'new' WHERE id = 2
        """)
      #expect(
        await eventually {
          fixture.results.fetchStatus.interruption != nil
            || fixture.results.fetchStatus.invalidItems > 0
        })
      #expect(fixture.results.fetchStatus.invalidItems == 0)
      #expect(fixture.shown == ["1 a1 b1", "2 a2 b2", "3 a3 b3"])
      try await fixture.owner.run("ALTER TABLE quake ALTER COLUMN a TYPE text USING 'a' || id")
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 new", "3 a3 b3"]))
    }

    @Test
    func `S3: a table that is dropped and created in one go goes on telling of changes`()
      async throws
    {
      let fixture = try await Fixture()
      try await fixture.owner.run(
        """
        DROP TABLE quake; CREATE TABLE quake (id integer PRIMARY KEY, a text, b text);
        \(PostgresStore<Row>.triggers(on: "quake"));
        INSERT INTO quake VALUES (1, 'a1', 'b1'), (2, 'a2', 'new')
        """)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 new"]))
      try await fixture.owner.run("INSERT INTO quake VALUES (5, 'a5', 'b5')")
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 new", "5 a5 b5"]))
    }

    @Test(arguments: [
      (
        "ALTER TABLE quake DROP COLUMN b; ALTER TABLE quake ADD COLUMN b text DEFAULT 'new'",
        ["1 a1 new", "2 a2 new", "3 a3 new"]
      ),
      (
        """
        ALTER TABLE quake RENAME COLUMN a TO x; ALTER TABLE quake RENAME COLUMN b TO a;
        ALTER TABLE quake RENAME COLUMN x TO b
        """, ["1 b1 a1", "2 b2 a2", "3 b3 a3"]
      ),
      (
        "ALTER TABLE quake ALTER COLUMN a TYPE text USING upper(a)",
        ["1 A1 b1", "2 A2 b2", "3 A3 b3"]
      ),
      (
        """
        ALTER TABLE quake DROP COLUMN b;
        ALTER TABLE quake ADD COLUMN b text GENERATED ALWAYS AS (a || '!') STORED
        """, ["1 a1 a1!", "2 a2 a2!", "3 a3 a3!"]
      ),
      (
        """
        CREATE TABLE child () INHERITS (quake); INSERT INTO child VALUES (4, 'a4', 'b4')
        """, ["1 a1 b1", "2 a2 b2", "3 a3 b3", "4 a4 b4"]
      ),
    ])
    func `S3: another definition of the table is noticed`(
      change: String, rows: [String]
    ) async throws {
      let fixture = try await Fixture()
      try await fixture.owner.run(change)
      #expect(await fixture.comeToShow(rows), "\(fixture.shown)")
    }

    @Test
    func `S3: partitions that come and go are noticed`() async throws {
      let fixture = try await Fixture(kind: "PARTITION BY RANGE (id)")
      try await fixture.owner.run(
        """
        CREATE TABLE other (id integer PRIMARY KEY, a text, b text);
        INSERT INTO other VALUES (11, 'a11', 'b11');
        ALTER TABLE quake ATTACH PARTITION other FOR VALUES FROM (10) TO (20)
        """)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 b2", "3 a3 b3", "11 a11 b11"]))
      try await fixture.owner.run("ALTER TABLE quake DETACH PARTITION quake_1")
      #expect(await fixture.comeToShow(["11 a11 b11"]))
      try await fixture.owner.run("DROP TABLE other")
      #expect(await fixture.comeToShow([]))
    }

    @Test
    func `S3: rows that a policy hides go, and rights that are taken interrupt`() async throws {
      let fixture = try await Fixture(asMallory: true)
      try await fixture.owner.run(
        """
        ALTER TABLE quake ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON quake USING (id < 3)
        """)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 b2"]))
      try await fixture.owner.run("REVOKE SELECT ON quake FROM \(fixture.database.mallory)")
      #expect(await eventually { fixture.results.fetchStatus.interruption is PostgresError })
      #expect(
        fixture.shown == ["1 a1 b1", "2 a2 b2"] && fixture.results.fetchStatus.state == .loaded)
      try await fixture.owner.run(
        "DELETE FROM quake WHERE id = 1; GRANT SELECT ON quake TO \(fixture.database.mallory)")
      #expect(await fixture.comeToShow(["2 a2 b2"]))
    }

    @Test
    func `S3: rows that a policy hid between two looks come again`() async throws {
      let fixture = try await Fixture(asMallory: true, checkingEvery: .seconds(2))
      try await fixture.owner.run(
        """
        ALTER TABLE quake ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON quake USING (id < 3); UPDATE quake SET a = 'told' WHERE id = 3
        """)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 b2"]))
      try await fixture.owner.run(
        "DROP POLICY few ON quake; ALTER TABLE quake DISABLE ROW LEVEL SECURITY")
      #expect(await fixture.comeToShow(["1 a1 b1", "2 a2 b2", "3 told b3"]))
    }

    @Test(arguments: [
      (
        "ALTER TABLE quake DISABLE TRIGGER freshet_update",
        "ALTER TABLE quake ENABLE TRIGGER freshet_update"
      ),
      ("DROP TRIGGER freshet_update ON quake", ""),
    ])
    func `S3: while a trigger is off, the results say so`(off: String, on: String) async throws {
      let fixture = try await Fixture()
      try await fixture.owner.run(off)
      #expect(
        await eventually {
          fixture.results.fetchStatus.interruption as? PostgresError == .noTriggers(table: "quake")
        })
      try await fixture.owner.run("UPDATE quake SET a = 'new' WHERE id = 2")
      try await fixture.owner.run(on.isEmpty ? PostgresStore<Row>.triggers(on: "quake") : on)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 new b2", "3 a3 b3"]))
    }

    @Test
    func `S3: a trigger that was off between two looks is noticed`() async throws {
      let fixture = try await Fixture()
      try await fixture.owner.run(
        """
        ALTER TABLE quake DISABLE TRIGGER freshet_update;
        UPDATE quake SET a = 'new' WHERE id = 2;
        ALTER TABLE quake ENABLE TRIGGER freshet_update
        """)
      #expect(await fixture.comeToShow(["1 a1 b1", "2 new b2", "3 a3 b3"]))
    }

    @Test
    func `S3: a table that goes and comes again is another one`() async throws {
      let fixture = try await Fixture()
      try await fixture.owner.run("ALTER TABLE quake RENAME TO away")
      #expect(
        await eventually {
          fixture.results.fetchStatus.interruption as? PostgresError == .noTable("quake")
        })
      try await fixture.owner.run(
        """
        CREATE TABLE quake (id integer PRIMARY KEY, a text, b text);
        INSERT INTO quake VALUES (2, 'other', NULL); \(PostgresStore<Row>.triggers(on: "quake"))
        """)
      #expect(await fixture.comeToShow(["2 other -"]))
      try await fixture.owner.run("UPDATE quake SET a = 'told'")
      #expect(await fixture.comeToShow(["2 told -"]))
    }
  }
#endif
