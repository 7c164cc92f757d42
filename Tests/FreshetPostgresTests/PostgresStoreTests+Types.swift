#if Postgres
  import Foundation
  @testable import Freshet
  import FreshetLists
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  // Types of columns and keys.
  extension PostgresStoreTests {
    struct Measurement: ListItem, Codable {
      struct Station: Codable, Equatable {
        var name: String
        var height: Int
      }

      var id: UUID
      var time: Date
      var day: Date
      var value: Double
      var count: Int
      var isRevised: Bool
      var station: Station?
      var tags: [String]
      var bytes = Data((0...255).map { UInt8($0) })
    }

    @Test
    func `items keep their values through the types of the columns`() async throws {
      let server = try await PostgresServer.shared.value
      let store = PostgresStore<Measurement>(
        server.database(), table: #""Odd schema"."Measured ""things""""#)
      try await store.install(
        creating: """
          CREATE SCHEMA "Odd schema";
          CREATE TABLE "Odd schema"."Measured ""things\""" (
            id uuid PRIMARY KEY, time timestamptz NOT NULL, day date, value float8, count bigint,
            "isRevised" boolean, station jsonb, tags text[], bytes bytea, noted timestamptz DEFAULT now())
          """)
      let results = LiveResults(
        store: store, arrangement: .sorted(by: \.time), window: .zero)
      await results.fetch(.all)
      let time = Date(timeIntervalSince1970: 1_718_980_000.123456)
      var item = Measurement(
        id: UUID(), time: time, day: Date(timeIntervalSince1970: 86_400 * 19_000), value: .infinity,
        count: .max, isRevised: true, station: .init(name: "é", height: -3), tags: ["a", "b,c"])
      try await store.write(inserting: [item])
      var updates = results.updates.makeAsyncIterator()
      while results.value.items.first != item, await updates.next() != nil {}
      // What is absent in an item is absent in the row, and other columns stay.
      item.station = nil
      item.time = Date(timeIntervalSince1970: -0.5)
      try await store.write(updating: [item])
      while results.value.items.first != item, await updates.next() != nil {}
      let row = try await server.connection().run(
        #"SELECT station IS NULL, noted IS NOT NULL FROM "Odd schema"."Measured ""things""""#)
      #expect(row == [["t", "t"]])
      await results.fetch("id = \(item.id) AND time < \(Date.now) AND \"isRevised\" = \(true)")
      #expect(results.value.list.count == 1)
    }

    struct Entry: ListItem, Codable {
      var id: Int
      var slug: String
      var length: Int?
    }

    @Test
    func `a write deletes first, keeps what items do not name, and leaves computed columns alone`()
      async throws
    {
      let server = try await PostgresServer.shared.value
      let store = PostgresStore<Entry>(server.database(), table: "entry")
      try await store.install(
        creating: """
          CREATE TABLE entry (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, slug text UNIQUE,
            length int GENERATED ALWAYS AS (length(slug)) STORED, kind text NOT NULL);
          INSERT INTO entry (slug, kind) VALUES ('first', 'x')
          """)
      try await store.write(updating: [Entry(id: 1, slug: "new slug")])
      let other = try await server.connection()
      #expect(try await other.run("SELECT slug, kind FROM entry") == [["new slug", "x"]])
      try await other.run("ALTER TABLE entry ALTER kind SET DEFAULT 'y'")
      try await store.write(inserting: [Entry(id: 70, slug: "new slug")], deleting: [1])
      #expect(try await other.run("SELECT id, kind, length FROM entry") == [["70", "y", "8"]])
    }

    struct Reading: ListItem, Codable {
      var id: String
      var value: Int
    }

    @Test
    func `rows go whose keys another session writes in its own way`() async throws {
      let server = try await PostgresServer.shared.value
      let store = PostgresStore<Reading>(server.database(), table: "reading")
      try await store.install(
        creating: """
          CREATE TABLE reading (id timestamptz PRIMARY KEY, value int);
          INSERT INTO reading SELECT '2026-01-01 00:00+00'::timestamptz + n * interval '1 hour', n
            FROM generate_series(0, 9) AS n
          """)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.value), window: .zero)
      await results.fetch(.all)
      #expect(results.value.list.count == 10)
      let other = try await server.connection()
      try await other.run("SET TimeZone = 'Asia/Kolkata'; SET DateStyle = 'SQL, DMY'")
      try await other.run("UPDATE reading SET value = 30 WHERE value = 3")
      try await other.run("DELETE FROM reading WHERE value < 2")
      var updates = results.updates.makeAsyncIterator()
      while results.value.items.map(\.value) != [2, 4, 5, 6, 7, 8, 9, 30],
        await updates.next() != nil
      {}
    }

    @Test
    func `keys of a fixed length are not cut`() async throws {
      let server = try await PostgresServer.shared.value
      let store = PostgresStore<Quake>(server.database(), table: "fixed")
      try await store.install(
        creating: """
          CREATE TABLE fixed (id char(6) PRIMARY KEY, magnitude float8, place text);
          INSERT INTO fixed SELECT 'us' || n, 1 FROM generate_series(1001, 3500) AS n
          """)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      #expect(results.value.list.count == 2500)
      try await server.connection().run("UPDATE fixed SET magnitude = 5 WHERE id = 'us2000'")
      var updates = results.updates.makeAsyncIterator()
      while await results.item(withID: "us2000")?.magnitude != 5, await updates.next() != nil {}
      #expect(results.value.list.count == 2500)
    }

    @Test
    func `S2: a row that does not decode is left out until it does`() async throws {
      let table = try await QuakeTable()
      try await table.run("INSERT INTO TABLE VALUES ('us1', 1, NULL), ('us2', 2, NULL)")
      let results = table.results()
      #expect(await results.fetch(.all) == .loaded)
      try await table.run("UPDATE TABLE SET magnitude = NULL, place = 's3cret' WHERE id = 'us1'")
      #expect(
        await eventually { results.value.list.count == 1 && results.fetchStatus.invalidItems == 1 })
      let text = "\(try #require(results.fetchStatus.invalidItem))"
      #expect(text.contains("us1") && text.contains("magnitude") && !text.contains("s3cret"))
      let others = table.results()
      #expect(await others.fetch(.all) == .loaded)
      #expect(others.value.list.count == 1 && others.fetchStatus.invalidItems == 1)
      // A store that catches up leaves it out as well.
      try await table.server.connection().run(
        "SELECT pg_notify(\(try await channel(of: table)), '*')")
      try await table.run("UPDATE TABLE SET magnitude = 3 WHERE id = 'us2'")
      #expect(await eventually { results.value.items.map(\.magnitude) == [3] })
      #expect(results.fetchStatus.invalidItems == 1 && results.fetchStatus.state == .loaded)
      try await table.run("UPDATE TABLE SET magnitude = 4 WHERE id = 'us1'")
      for results in [results, others] {
        #expect(await eventually { results.value.items.map(\.magnitude) == [4, 3] })
        #expect(await eventually { results.fetchStatus.invalidItems == 0 })
      }
    }

    private func channel(of table: QuakeTable) async throws -> String {
      let rows = try await table.server.connection().run(
        "SELECT 'freshet_' || '\(table.name)'::regclass::oid")
      return "'\(try #require(rows[0][0]))'"
    }

    struct Place<ID: Hashable & Sendable & Codable>: ListItem, Codable {
      var id: ID
      var name: String
    }

    @Test
    func `ids that differ in how an accent is written are one text, and two of bytes`() async throws
    {
      let (composed, decomposed) = ("Orl\u{e9}ans", "Orle\u{301}ans")
      let database = try await SharedDatabase("(id text PRIMARY KEY, name text)")
      let owner = try await database.owner()
      let string = database.server.database(database.name)
      let texts = PostgresStore<Place<String>>(string, table: "quake")
      let bytes = PostgresStore<Place<BinaryText>>(string, table: "quake")
      try await texts.install()
      for (id, name) in [(composed, "a"), (decomposed, "b"), ("Tours", "c")] {
        try await owner.run("INSERT INTO quake VALUES ($1, $2)", [id, name])
      }
      let two = LiveResults(store: texts, arrangement: .sorted(by: \.name), window: .zero)
      let three = LiveResults(store: bytes, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await two.fetch(.all) == .loaded)
      #expect(await three.fetch(.all) == .loaded)
      #expect(two.value.list.count == 2 && two.fetchStatus.invalidItems == 1)
      #expect("\(try #require(two.fetchStatus.invalidItem))".contains("BinaryText"))
      #expect(three.value.items.map(\.name) == ["a", "b", "c"])
      // Each is another row to the store.
      try await owner.run("UPDATE quake SET name = 'd' WHERE id = $1", [composed])
      #expect(await eventually { three.value.items.map(\.name) == ["b", "c", "d"] })
      #expect(await eventually { two.value.items.map(\.name) == ["c", "d"] })
      try await owner.run("DELETE FROM quake WHERE id = $1", [composed])
      #expect(await eventually { three.value.items.map(\.name) == ["b", "c"] })
      #expect(
        await eventually {
          two.value.items.map(\.name) == ["b", "c"] && two.fetchStatus.invalidItems == 0
        })
      try await bytes.write(inserting: [Place(id: BinaryText(composed), name: "e")])
      try await bytes.write(deleting: [BinaryText(decomposed)])
      #expect(await eventually { three.value.items.map(\.name) == ["c", "e"] })
      #expect(await eventually { two.value.items.map(\.name) == ["c", "e"] })
    }
  }
#endif
