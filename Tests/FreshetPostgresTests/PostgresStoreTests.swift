#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
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
        // Rows that come between two reports come with the one before.
        if let progress = status.progress {
          reports.withLock { if $0.last != progress { $0.append(progress) } }
        }
        if status.isComplete { complete.continuation.finish() }
      }
      let task = Task { try await table.store().execute(query) }
      for await _ in complete.stream {}
      let results = table.results()
      await results.fetch(.all)
      #expect(results.value.list.count == 3500 && results.fetchStatus.progress == nil)
      task.cancel()
      _ = await task.result
      #expect(
        reports.withLock { $0 } == [1000, 2000, 3000].map { .init(completed: $0, total: 3500) })
      #expect(reports.withLock { $0.first?.fraction } == 1000.0 / 3500)
      // More than the notifications name.
      try await table.run("UPDATE TABLE SET magnitude = 20")
      var updates = results.updates.makeAsyncIterator()
      while !results.value.items.allSatisfy({ $0.magnitude == 20 }),
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
      let results = LiveResults(store: store(server.database(), bare), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      let row = "\(try #require(results.fetchStatus.invalidItem))"
      #expect(row.contains("row us1") && row.contains("magnitude"))
      try await server.connection().run("ALTER TABLE \(bare) DROP COLUMN place")
      await #expect(throws: PostgresError.noColumn("place", table: bare)) {
        try await store(server.database(), bare).write(inserting: [Quake(1, 1)])
      }
    }
  }
#endif
