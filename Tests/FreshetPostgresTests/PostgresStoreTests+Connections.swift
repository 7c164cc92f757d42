#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  // When the connection is lost.
  extension PostgresStoreTests {
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
      #expect(await clock.sleepers(1))
      #expect(await eventually { results.fetchStatus.interruption is PostgresError })
      #expect(results.value.list.count == 50 && results.fetchStatus.state.failure == nil)
      // Refused: it goes on trying.
      clock.advance(by: .seconds(10))
      #expect(await clock.sleepers(1))

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
      #expect(await eventually { results.fetchStatus.interruption == nil })
    }

    @Test
    func `R3: a statement that nobody waits for any more holds up nobody`() async throws {
      let server = try await PostgresServer()
      let connection = try await server.connection()
      let clock = ContinuousClock()
      let began = clock.now
      // Where it is cancelled at once, the server may be told to stop before it is told to begin.
      for isRunning in [true] + Array(repeating: false, count: 20) {
        let long = Task { try await connection.run("SELECT pg_sleep(600)") }
        if isRunning {
          let other = try await server.connection()
          let isThere = "SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)'"
          #expect(try await eventually { try await !other.run(isThere).isEmpty })
        }
        long.cancel()
        await #expect(throws: PostgresError.self) { try await long.value }
        #expect(try await connection.run("SELECT 1") == [["1"]])
      }
      let isSoon = began.duration(to: clock.now) < .seconds(50 * SeededGenerator.minutes)
      #expect(isSoon && connection.loss == nil)
    }

    @Test(arguments: 1...4)
    func `no change is lost or repeated while connections break`(seed: Int) async throws {
      let table = try await QuakeTable()
      var generator = SeededGenerator(seed: seed)
      let results = table.results()
      await results.fetch("magnitude < \(20)")
      var checker = BatchUpdateChecker<ListRow<Quake>>()
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
      while Array(results.value.items) != expected || checker.shown != results.value.list,
        let update = await updates.next()
      {
        #expect(checker.violations(performing: update.step) == [])
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
  }
#endif
