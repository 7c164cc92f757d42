#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  struct Quake: ListItem, Codable {
    var id: String
    var magnitude: Double
    var place: String?

    init(_ number: Int, _ version: Int = 0) {
      id = "us\(number)"
      magnitude = Double(version)
      place = version % 3 == 0 ? nil : "place \(version)"
    }
  }

  /// A table of its own on the server that all tests share.
  struct QuakeTable {
    let server: PostgresServer
    let name = "quake_\(UUID().uuidString.prefix(8))".lowercased()
    static let columns =
      "(id text PRIMARY KEY, magnitude float8 CHECK (magnitude < 1e9), place text)"

    init(on server: PostgresServer? = nil) async throws {
      if let server {
        self.server = server
      } else {
        self.server = try await PostgresServer.shared.value
      }
      try await store().install(creating: "CREATE TABLE \(name) \(Self.columns)")
    }

    func store(clock: any Clock<Duration> = ContinuousClock()) -> PostgresStore<Quake> {
      PostgresStore(server.database(), table: name, clock: clock)
    }

    func run(_ sql: String) async throws {
      try await server.connection().run(sql.replacing("TABLE", with: name))
    }

    func results(
      clock: any Clock<Duration> = ContinuousClock()
    ) -> LiveResults<Quake, PostgresRequest> {
      LiveResults(
        store: store(clock: clock), arrangement: .sorted(by: \.id), window: .zero)
    }
  }

  /// Waits until the results are these.
  func shows(_ quakes: [Quake], _ results: LiveResults<Quake, PostgresRequest>) async {
    var updates = results.updates.makeAsyncIterator()
    while Array(results.value.list.items) != quakes, await updates.next() != nil {}
  }

  @Suite(.timeLimit(.minutes(15)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresStoreTests {
    @Test
    func `a table of PostgreSQL is a store`() async throws {
      let contract = StoreContract<PostgresStore<Quake>>(
        asking: .all,
        or: [
          .init("magnitude >= \(10)") { $0.magnitude >= 10 },
          .init("place = \("place 4")") { $0.place == "place 4" },
        ],
        refusing: Quake(-1, .max)
      ) { Quake($0, $1) }
      try await contract.check(rounds: 15) { try await QuakeTable().store() }
      try await contract.checkNotes { try await QuakeTable().store() }
    }

    @Test
    func `two stores on one server show the same, whoever writes`() async throws {
      let table = try await QuakeTable()
      let (first, second) = (table.results(), table.results())
      await first.fetch(.all)
      await second.fetch("magnitude < \(5)")
      try await table.store().write(inserting: (0..<3).map { Quake($0, $0) })
      await shows((0..<3).map { Quake($0, $0) }, first)
      await shows((0..<3).map { Quake($0, $0) }, second)
      try await table.run("UPDATE TABLE SET magnitude = 9 WHERE id = 'us1'")
      var changed = (0..<3).map { Quake($0, $0) }
      changed[1].magnitude = 9
      await shows(changed, first)
      await shows([changed[0], changed[2]], second)
      try await table.run("UPDATE TABLE SET id = 'us7' WHERE id = 'us2'")
      changed[2].id = "us7"
      await shows(changed, first)
      try await table.run("TRUNCATE TABLE")
      await shows([], first)
      await shows([], second)
    }

    // MARK: - When the connection is lost

    @Test
    func `a server that dies and comes back is caught up with, exactly`() async throws {
      let server = try await PostgresServer()
      let table = try await QuakeTable(on: server)
      let clock = ManualClock()
      try await table.store().write(inserting: (0..<50).map { Quake($0) })
      let results = table.results(clock: clock)
      await results.fetch(.all)
      var updates = results.updates.makeAsyncIterator()
      #expect(await updates.next()?.after.count == 50)

      try server.stop()
      await clock.sleepers(1)
      #expect(results.value.interruption is PostgresError)
      #expect(results.value.list.count == 50 && results.value.state.failure == nil)
      // Refused: it goes on trying.
      clock.advance(by: .seconds(10))
      await clock.sleepers(1)

      try await server.start()
      try await table.run(
        """
        DELETE FROM TABLE WHERE id IN ('us3', 'us4');
        UPDATE TABLE SET magnitude = 7 WHERE id = 'us10';
        INSERT INTO TABLE VALUES ('us90', 1, NULL)
        """)
      clock.advance(by: .seconds(10))
      var expected = (0..<50).map { Quake($0) }.filter { $0.id != "us3" && $0.id != "us4" }
      expected[expected.firstIndex { $0.id == "us10" } ?? 0].magnitude = 7
      var last = Quake(90, 1)
      last.place = nil
      expected = (expected + [last]).sorted { $0.id < $1.id }
      await shows(expected, results)
      // Each change was told once.
      let step = await updates.next()
      #expect(step?.after == results.value.list)
      #expect(step?.changes.deletedRows.count == 2 && step?.changes.updatedRows.count == 1)
      #expect(step?.changes.insertedRows.count == 1)

      try await table.store().write(updating: [Quake(0, 5)])
      expected[0] = Quake(0, 5)
      await shows(expected, results)
      #expect(results.value.interruption == nil)
    }

    @Test(arguments: 1...4)
    func `no change is lost or repeated while connections break`(seed: Int) async throws {
      let table = try await QuakeTable()
      var generator = SeededGenerator(seed: seed)
      let results = table.results()
      await results.fetch("magnitude < \(20)")
      var checker = BatchUpdateChecker<Quake>()
      var updates = results.updates.makeAsyncIterator()
      let other = try await table.server.connection()
      var model: [String: Quake] = [:]
      for version in 1...40 {
        var batch = ChangeBatch<Quake>()
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          let quake = Quake(Int.random(in: 0..<40, using: &generator), version)
          if generator.oneIn(3) {
            batch.addDeletion(of: quake.id)
          } else {
            batch.add(quake, as: .update)
          }
        }
        for quake in batch.upserted { model[quake.id] = quake }
        for id in batch.deleted { model[id] = nil }
        try await table.store().write(batch)
        if generator.oneIn(4) {
          try await other.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE query LIKE '%\(table.name)%' AND pid <> pg_backend_pid()
            """)
        }
      }
      let expected = model.values.filter { $0.magnitude < 20 }.sorted { $0.id < $1.id }
      while Array(results.value.list.items) != expected || checker.shown != results.value.list,
        let update = await updates.next()
      {
        #expect(checker.violations(performing: update.list) == [])
        #expect(!update.changes.isEmpty)
      }
    }

    @Test
    func `a store that nobody holds closes its connection`() async throws {
      let table = try await QuakeTable()
      let other = try await table.server.connection()
      let name = "freshet \(table.name)"
      do {
        let store = PostgresStore<Quake>(
          "\(table.server.database()) application_name='\(name)'", table: table.name)
        try await store.write(inserting: [Quake(1)])
        #expect(try await other.run(Self.connections, [name])[0][0] == "1")
      }
      while try await other.run(Self.connections, [name])[0][0] != "0" {}
    }

    static let connections = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1"

    @Test
    func `a feed through a table is shown by every process`() async throws {
      let table = try await QuakeTable()
      let server = ScriptedServer((0..<120).map { Quake($0 + 100) })
      let results = table.results()
      await results.fetch(.all)
      let feed = Feed(server.source(.cursor), cache: .store(table.store(), named: "all"))
      while await feed.loadNext() == .idle {}
      await feed.flush()
      #expect(feed.isSaved)
      await shows(server.items, results)
      let again = Feed(server.source(.cursor), cache: .store(table.store(), named: "all"))
      await again.loadCache()
      #expect(Array(again.value.items) == server.items && again.value.state.next == .end)
    }

    // MARK: - Many rows, long keys

    @Test
    func `many rows come page by page, and say how far they are`() async throws {
      let table = try await QuakeTable()
      try await table.run(
        "INSERT INTO TABLE SELECT 'us' || n, n % 10, NULL FROM generate_series(1, 3500) AS n; ANALYZE TABLE"
      )
      let reports = Locked<[FetchProgress]>([])
      let complete = AsyncStream<Void>.makeStream()
      let query = DataStoreQuery<Quake, PostgresRequest>(.all) { _, status in
        if let progress = status.progress { reports.withLock { $0.append(progress) } }
        if status.isComplete { complete.continuation.finish() }
      }
      let task = Task { try await table.store().execute(query) }
      for await _ in complete.stream {}
      let results = table.results()
      await results.fetch(.all)
      #expect(results.value.list.count == 3500 && results.value.progress == nil)
      task.cancel()
      _ = await task.result
      #expect(
        reports.withLock { $0 } == [1000, 2000, 3000].map { .init(completed: $0, total: 3500) })
      #expect(reports.withLock { $0.first?.fraction } == 1000.0 / 3500)
      // More than the notifications name.
      try await table.run("UPDATE TABLE SET magnitude = 20")
      var updates = results.updates.makeAsyncIterator()
      while !results.value.list.items.allSatisfy({ $0.magnitude == 20 }),
        await updates.next() != nil
      {}
      try await table.run(
        "INSERT INTO TABLE SELECT 'eu' || n, 1, NULL FROM generate_series(1, 12000) AS n")
      while results.value.list.count != 15_500, await updates.next() != nil {}
    }

    @Test
    func `keys may be any text, however long`() async throws {
      let table = try await QuakeTable()
      let results = table.results()
      await results.fetch(.all)
      let ids = [
        "", "a,b", "{}", "\"", "\\", "'; DROP TABLE quake; --", "é🌋", "NULL", " ", "%1$I",
        String(repeating: "long", count: 600), "\n\t",
      ]
      var quakes: [Quake] = []
      for id in ids {
        var quake = Quake(0, 1)
        quake.id = id
        quakes.append(quake)
        try await table.store().write(inserting: [quake])
      }
      quakes.sort { $0.id < $1.id }
      await shows(quakes, results)
      for id in ids { try await table.store().write(deleting: [id]) }
      await shows([], results)
    }

    // MARK: - Types

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
      while results.value.list.items.first != item, await updates.next() != nil {}
      // What is absent in an item is absent in the row, and other columns stay.
      item.station = nil
      item.time = Date(timeIntervalSince1970: -0.5)
      try await store.write(updating: [item])
      while results.value.list.items.first != item, await updates.next() != nil {}
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
    func `rows without a key disturb nobody`() async throws {
      let server = try await PostgresServer.shared.value
      let store = PostgresStore<Quake>(server.database(), table: "nullable")
      try await store.install(
        creating: "CREATE TABLE nullable (id text UNIQUE, magnitude float8, place text)")
      let results = LiveResults(store: store, window: .zero)
      await results.fetch(.all)
      try await server.connection().run(
        "INSERT INTO nullable SELECT NULL, 1 FROM generate_series(1, 3000)")
      try await store.write(inserting: [Quake(1)])
      await shows([Quake(1)], results)
    }

    @Test
    func `who may not install is told so, and the store works on`() async throws {
      let table = try await QuakeTable()
      let role = "reader_\(table.name)"
      let bare = "bare_\(table.name)"
      try await table.server.connection().run(
        """
        CREATE ROLE \(role) LOGIN; GRANT SELECT ON \(table.name) TO \(role);
        CREATE TABLE \(bare) \(QuakeTable.columns); GRANT SELECT ON \(bare) TO \(role)
        """)
      let connection = "\(table.server.database()) user=\(role)"
      let store = PostgresStore<Quake>(connection, table: bare)
      await #expect(throws: PostgresError.self) { try await store.install() }
      #expect(await failure(store).contains("install()"))
      // Where it is installed there is nothing to do.
      let installed = PostgresStore<Quake>(connection, table: table.name)
      try await installed.install()
      #expect(await failure(installed) == "none")
      let other = PostgresStore<Quake>(connection, table: table.name, key: "place")
      #expect(await failure(other).contains("by this key"))
    }

    @Test
    func `a value in a request is never part of the statement`() async throws {
      let table = try await QuakeTable()
      try await table.store().write(inserting: [Quake(1, 1)])
      let results = table.results()
      let evil = "x' OR TRUE; DROP TABLE \(table.name); --"
      #expect(await results.fetch("place = \(evil)").failure == nil)
      #expect(results.value.list.count == 0)
      #expect(await results.fetch("place = \("place 1") AND magnitude > \(0.5)").failure == nil)
      #expect(results.value.list.count == 1)
    }

    @Test
    func `the connection string says how TLS is used`() async throws {
      let port = Int.random(in: 20_000..<60_000)
      let server = try await PostgresServer.secure(port: port)
      let address = "host=localhost hostaddr=127.0.0.1 port=\(port) user=freshet dbname=postgres"
      let root = "sslrootcert=\(server.folder)/server.crt"
      let store = PostgresStore<Quake>(
        "\(address) sslmode=verify-full \(root)", table: "quake")
      try await store.install(creating: "CREATE TABLE quake \(QuakeTable.columns)")
      try await store.write(inserting: [Quake(1)])
      let isSecure = try await store.link.connection().run(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
      #expect(isSecure == [["t"]])
      let other = address.replacing("localhost", with: "example.com")
      let failure = await failure(
        PostgresStore("\(other) sslmode=verify-full \(root)", table: "quake"))
      #expect(failure.contains("does not match host name"))
      #expect(
        await self.failure(PostgresStore("\(address) sslmode=verify-full", table: "quake"))
          .contains("certificate"))
    }

    // MARK: - Errors

    func failure(_ store: PostgresStore<Quake>, _ request: PostgresRequest = .all) async -> String {
      let error = await LiveResults(store: store).fetch(request).failure
      return error.map { "\($0)" } ?? "none"
    }

    @Test
    func `what is wrong is said, with what to try`() async throws {
      let table = try await QuakeTable()
      let server = table.server
      func store(_ connection: String, _ name: String, key: String = "id") -> PostgresStore<Quake> {
        PostgresStore(connection, table: name, key: key)
      }
      let refused = await failure(store("host=127.0.0.1 port=1", table.name))
      #expect(refused.contains("port 1") && refused.contains("refused"))
      #expect(await failure(store("nonsense=1", table.name)).contains("nonsense"))
      #expect(await failure(store(server.database("nowhere"), table.name)).contains("nowhere"))
      #expect(await failure(store(server.database(), "nothing")).contains("no table nothing"))
      await #expect(throws: PostgresError.noTable("nothing")) {
        try await store(server.database(), "nothing").install()
      }
      #expect(
        await failure(store(server.database(), table.name, key: "key")).contains("No column key"))
      #expect(await failure(table.store(), "magnitude = \("strong")").contains("strong"))
      #expect(await failure(table.store(), "height > 3").contains("height"))
      let bare = "bare_\(table.name)"
      try await server.connection().run(
        "CREATE TABLE \(bare) (id text, magnitude text, place text)")
      #expect(await failure(store(server.database(), bare)).contains("install()"))
      await #expect(throws: PostgresError.noKey("id", table: bare)) {
        try await store(server.database(), bare).install()
      }
      try await server.connection().run("ALTER TABLE \(bare) ADD PRIMARY KEY (id)")
      try await store(server.database(), bare).install()
      try await server.connection().run("INSERT INTO \(bare) VALUES ('us1', 'strong', NULL)")
      let row = await failure(store(server.database(), bare))
      #expect(row.contains("row us1") && row.contains("magnitude"))
      try await server.connection().run("ALTER TABLE \(bare) DROP COLUMN place")
      await #expect(throws: PostgresError.noColumn("place", table: bare)) {
        try await store(server.database(), bare).write(inserting: [Quake(1, 1)])
      }
    }
  }
#endif
