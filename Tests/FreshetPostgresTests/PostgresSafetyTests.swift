#if Postgres
  import Foundation
  import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// What must not be taken, and what must not be believed.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresSafetyTests {
    @Test
    func `a value with NUL is refused, wherever it stands`() async throws {
      let table = try await QuakeTable()
      let store = table.store()
      try await store.write(inserting: [Quake(1, 1)])
      let results = table.results()
      #expect(await results.fetch("id = \("us1\0x")").failure as? PostgresError == .nul)
      #expect(await results.fetch("id = 'us1\0x'").failure as? PostgresError == .nul)
      var quake = Quake(2, 1)
      quake.place = "a\0b"
      await #expect(throws: PostgresError.nul) { try await store.write(updating: [quake]) }
      await #expect(throws: PostgresError.nul) { try await store.write(deleting: ["us1\0x"]) }
      await #expect(throws: PostgresError.nul) {
        try await store.write(ChangeBatch(), notes: ["page": Data([1])], of: "home\0x")
      }
      await #expect(throws: PostgresError.nul) { try await store.notes(of: "home\0x") }
      let cut = PostgresStore<Quake>("\(table.server.database())\0x", table: table.name)
      await #expect(throws: PostgresError.nul) { try await cut.write(deleting: ["us1"]) }
      #expect(PostgresError.nul.description.contains("NUL"))
      #expect(try await store.items(withIDs: ["us1"]) == [Quake(1, 1)])
    }

    @Test
    func `a wrong column in a condition names the user's column`() async throws {
      let table = try await QuakeTable()
      let results = table.results()
      let failure = await results.fetch("magnitud >= 3").failure
      let text = "\(try #require(failure))"
      #expect(text.contains("\"magnitud\"") && text.contains("\"\(table.name).magnitude\""))
      try await table.store().write(inserting: [Quake(1, 4)])
      // It can be named like that, too, and end in a remark.
      await results.fetch(
        PostgresRequest(stringLiteral: "\(table.name).magnitude >= 3 -- strong"))
      #expect(results.value.list.count == 1)
      try await table.store().write(inserting: [Quake(2, 4)])
      await shows([Quake(1, 4), Quake(2, 4)], results)
    }

    // MARK: - Notes

    static let notes =
      "(feed text NOT NULL, name text NOT NULL, value bytea NOT NULL, PRIMARY KEY (feed, name))"

    @Test
    func `notes in a table of somebody else are neither written nor believed`() async throws {
      let database = try await SharedDatabase()
      let (server, name, mallory) = (database.server, database.name, database.mallory)
      let other = try await database.stranger()
      try await other.run(
        "CREATE TABLE freshet_note \(Self.notes); GRANT ALL ON freshet_note TO PUBLIC")
      let store = PostgresStore<Quake>(server.database(name), table: "quake")
      let reason = "public.freshet_note belongs to \(mallory)"
      await #expect(throws: PostgresError.notes(reason: reason)) { try await store.install() }
      let owner = try await PostgresConnection.open(server.database(name))
      #expect(try await owner.run("SELECT count(*) FROM pg_trigger") == [["0"]])
      try await owner.run(PostgresStore<Quake>.triggers(on: "quake"))
      await #expect(throws: PostgresError.notes(reason: reason)) {
        try await store.write(ChangeBatch(), notes: ["page": Data([1])], of: "home")
      }
      await #expect(throws: PostgresError.notes(reason: reason)) {
        try await store.notes(of: "home")
      }
      #expect(PostgresError.notes(reason: reason).description.contains("search_path"))
      // Rows need no notes.
      try await store.write(inserting: [Quake(1)])
      // A schema of one's own comes first.
      try await owner.run(
        """
        CREATE SCHEMA mine; SET search_path = mine, public;
        \(PostgresStore<Quake>.triggers(on: "quake"))
        """)
      let own = PostgresStore<Quake>(
        "\(server.database(name)) options='-c search_path=mine,public'", table: "quake")
      try await own.write(ChangeBatch(), notes: ["page": Data([1])], of: "home")
      #expect(try await own.notes(of: "home") == ["page": Data([1])])
      #expect(try await other.run("SELECT count(*) FROM freshet_note") == [["0"]])
    }

    @Test(arguments: [
      "TABLE freshet_note (feed text, name text, value text, PRIMARY KEY (feed, name))",
      "TABLE freshet_note (feed text, name text, value bytea)",
      "VIEW freshet_note AS SELECT 'a' AS feed, 'b' AS name, 'c'::bytea AS value",
      "TABLE freshet_note \(notes); ALTER TABLE freshet_note ENABLE ROW LEVEL SECURITY",
      """
      TABLE freshet_note \(notes); CREATE RULE r AS ON INSERT TO freshet_note DO ALSO DELETE FROM quake
      """,
    ])
    func `a table of that name that is another one is refused`(definition: String) async throws {
      let database = try await SharedDatabase()
      try await database.owner().run("CREATE \(definition)")
      let store = database.store()
      let reason = "public.freshet_note is another table than install() makes"
      await #expect(throws: PostgresError.notes(reason: reason)) { try await store.install() }
    }

    @Test
    func `who only reads and writes uses the notes of the owner`() async throws {
      let database = try await SharedDatabase()
      let (server, name, mallory) = (database.server, database.name, database.mallory)
      let owner = try await database.owner()
      try await owner.run(
        """
        CREATE ROLE owner_\(name) LOGIN; ALTER TABLE quake OWNER TO owner_\(name);
        GRANT CREATE ON SCHEMA public TO owner_\(name)
        """)
      let store = PostgresStore<Quake>(
        "\(server.database(name)) user=owner_\(name)", table: "quake")
      try await store.install()
      try await owner.run("GRANT ALL ON quake, freshet_note TO \(mallory)")
      let other = PostgresStore<Quake>("\(server.database(name)) user=\(mallory)", table: "quake")
      try await other.write(ChangeBatch(), notes: ["page": Data([1])], of: "home")
      #expect(try await store.notes(of: "home") == ["page": Data([1])])
      try await owner.run("DROP TABLE freshet_note")
      await #expect(throws: PostgresError.notes(reason: "there is none")) {
        _ = try await PostgresStore<Quake>(server.database(name), table: "quake").notes(of: "home")
      }
    }
  }
#endif
