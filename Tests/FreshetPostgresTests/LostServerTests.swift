#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// S1, S3: servers that fall silent, and standbys that take their place.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct LostServerTests {
    @Test
    func `S3: a server that is there and says nothing is noticed, and heard again`() async throws {
      let table = try await QuakeTable()
      try await table.run("INSERT INTO TABLE VALUES ('us1', 1, NULL)")
      let proxy = try FaultyProxy(to: table.server)
      defer { proxy.stop() }
      let store = PostgresStore<Quake>(
        "host=\(proxy.folder) user=freshet dbname=postgres", table: table.name,
        checkingEvery: .milliseconds(200))
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      proxy.fallSilent()
      try await table.run("UPDATE TABLE SET magnitude = 2")
      #expect(await eventually { results.fetchStatus.interruption is PostgresError })
      #expect("\(results.fetchStatus.interruption as Any)".contains("did not answer"))
      // So does a write.
      let write = Task { try await store.write(inserting: [Quake(2)]) }
      await #expect(throws: PostgresError.self) { try await write.value }
      proxy.speak()
      #expect(
        await eventually {
          results.value.items.map(\.magnitude) == [2] && results.fetchStatus.interruption == nil
        })
    }

    @Test
    func `S3: a statement that the network drops fails, as does one that nothing is heard of`()
      async throws
    {
      let table = try await QuakeTable()
      let proxy = try FaultyProxy(to: table.server)
      defer { proxy.stop() }
      let string = "host=\(proxy.folder) user=freshet dbname=postgres"
      // Which process of the server it speaks with.
      proxy.forget(where: "pg_backend_pid")
      await #expect(throws: PostgresError.connection(reason: "the server did not answer")) {
        _ = try await PostgresConnection.open(string, answeredWithin: .milliseconds(300))
      }
      proxy.forget()
      let store = PostgresStore<Quake>(
        string, table: table.name, checkingEvery: .milliseconds(200))
      try await store.write(inserting: [Quake(1)])
      // A statement, and whether the server runs it.
      proxy.forget(where: "us7", "SELECT state")
      let write = Task { try await store.write(inserting: [Quake(7)]) }
      await #expect(throws: PostgresError.lost(reason: "the server did not answer")) {
        try await write.value
      }
      proxy.forget()
      try await store.write(inserting: [Quake(2)])
    }

    @Test
    func `S3: a connection stays whose statement has yet to reach the server`() async throws {
      let table = try await QuakeTable()
      let proxy = try FaultyProxy(to: table.server)
      defer { proxy.stop() }
      let store = PostgresStore<Quake>(
        "host=\(proxy.folder) user=freshet dbname=postgres", table: table.name,
        checkingEvery: .milliseconds(50))
      try await store.write(inserting: [Quake(1)])
      // The server is asked whether it runs the statement, and does not.
      proxy.hold("us7", untilTheEndOf: "SELECT state")
      try await store.write(inserting: [Quake(7)])
    }

    @Test
    func `a statement that takes its time is left alone`() async throws {
      let table = try await QuakeTable()
      let store = PostgresStore<Quake>(
        table.server.database(), table: table.name, checkingEvery: .milliseconds(50))
      let results = LiveResults(store: store, window: .zero)
      #expect(await results.fetch("(SELECT true FROM pg_sleep(1))") == .loaded)
      let other = try await table.server.connection()
      // It keeps the table locked for many times as long as the server may be silent.
      let blocker = try await table.server.connection()
      try await blocker.run("BEGIN; LOCK TABLE \(table.name) IN EXCLUSIVE MODE")
      let write = Task { try await store.write(inserting: [Quake(1)]) }
      try await other.run("SELECT pg_sleep(1)")
      try await blocker.run("COMMIT")
      try await write.value
      #expect(results.fetchStatus.interruption == nil)
    }

    @Test
    func `S1: a row that is written again under a number that a crash lost is read`() async throws {
      // Nothing but a commit that waits for the disk writes there for ten seconds.
      let server = try await PostgresServer(settings: [
        "wal_writer_delay=10000", "bgwriter_lru_maxpages=0", "checkpoint_timeout=1h",
        "autovacuum=off",
      ])
      let table = try await QuakeTable(on: server)
      try await table.run("INSERT INTO TABLE VALUES ('us1', 1, 'first')")
      let proxy = try FaultyProxy(to: server)
      defer { proxy.stop() }
      let store = PostgresStore<Quake>(
        "host=\(proxy.folder) user=freshet dbname=postgres", table: table.name)
      let results = LiveResults(store: store, window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      func shows(_ place: String) async -> Bool {
        await eventually {
          results.value.items.first?.place == place && results.fetchStatus.interruption == nil
        }
      }
      let number = "SELECT xmin::text FROM \(table.name)"
      var isLost = false
      for attempt in 0..<5 where !isLost {
        var connection = try await server.connection()
        try await connection.run(
          "SET synchronous_commit = off; UPDATE \(table.name) SET place = 'lost \(attempt)'")
        #expect(await shows("lost \(attempt)"))
        let lost = try await connection.run(number)
        let process = try await connection.run("SELECT pg_backend_pid()::text")[0][0]
        proxy.fallSilent()
        kill(try #require(process.flatMap { pid_t($0) }), SIGKILL)
        #expect(await eventually { connection.loss != nil })
        // The server may accept a connection before it notices the crash, and end it then.
        var kept: String?
        let isBack = await eventually {
          guard let again = try? await server.connection() else { return false }
          connection = again
          _ = try? await again.run("UPDATE \(table.name) SET place = 'kept \(attempt)'")
          kept = (try? await again.run(number))?.first?.first ?? nil
          return kept != nil
        }
        #expect(isBack)
        // Unless the ten seconds were over just then.
        isLost = kept == lost[0][0]
        proxy.speak()
        #expect(await shows("kept \(attempt)"), "\(results.value.items.map(\.place))")
      }
      #expect(isLost, "the test shows nothing")
    }

    @Test
    func `S1: a row that a promoted standby writes again under the same number is read`()
      async throws
    {
      let primary = try await PostgresServer()
      let table = try await QuakeTable(on: primary)
      try await table.run("INSERT INTO TABLE VALUES ('us1', 1, 'both'), ('us2', 1, 'both')")
      let standby = try await PostgresServer(settings: ["standby-of=\(primary.folder)"])
      try standby.stop()

      let store = PostgresStore<Quake>(
        "host=\(primary.folder),\(standby.folder) user=freshet dbname=postgres", table: table.name)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      // What the standby never hears.
      try await table.run("UPDATE TABLE SET place = 'lost' WHERE id = 'us1'")
      #expect(await eventually { results.value.items.first?.place == "lost" })
      let number = "SELECT xmin::text FROM \(table.name) WHERE id = 'us1'"
      let lost = try await primary.connection().run(number)
      try primary.stop()

      try await standby.start()
      let promoted = try await standby.connection()
      try await promoted.run("SELECT pg_promote()")
      let next = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
      while try await promoted.run(next)[0][0].flatMap({ Int($0) }) ?? .max
        < Int(lost[0][0] ?? "") ?? 0
      {
        try await promoted.run("SELECT pg_current_xact_id()")
      }
      try await promoted.run("UPDATE \(table.name) SET place = 'kept' WHERE id = 'us1'")
      #expect(try await promoted.run(number) == lost, "the test shows nothing")
      #expect(
        await eventually {
          results.value.items.map(\.place) == ["kept", "both"]
            && results.fetchStatus.interruption == nil
        },
        "\(results.value.items.map(\.place)) \(String(describing: results.fetchStatus.interruption))"
      )
    }
  }
#endif
