#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// S1: what a draft committed is looked up, whether or not the server names its row.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct WrittenItemTests {
    /// A draft over a table with one row, and results that show all above a magnitude.
    struct Fixture {
      let table: QuakeTable
      let draft: Draft<Quake, PostgresRequest>
      let results: LiveResults<Quake, PostgresRequest>

      init(_ sql: String = "", host: String? = nil) async throws {
        table = try await QuakeTable()
        try await table.run("INSERT INTO TABLE VALUES ('us1', 12, NULL)")
        if !sql.isEmpty { try await table.run(sql) }
        let server = host.map { "host=\($0) user=freshet dbname=postgres" }
        draft = Draft(
          of: PostgresStore(server ?? table.server.database(), table: table.name))
        results = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
        #expect(await results.fetch("magnitude > 10") == .loaded)
      }

      /// Commits an item that the query does not have, and waits until only the row is shown.
      func commits(_ quake: Quake) async throws -> Bool {
        draft.insert(quake)
        #expect(await eventually { results.value.list.count == 2 })
        try await draft.commit()
        return await eventually { Array(results.value.items) == [Quake(1, 12)] }
      }
    }

    @Test
    func `S1: a row that a trigger takes away at once does not stay`() async throws {
      let fixture = try await Fixture(
        """
        CREATE FUNCTION refuse_TABLE() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN DELETE FROM TABLE WHERE id = NEW.id; RETURN NULL; END $$;
        CREATE TRIGGER refuse AFTER INSERT ON TABLE
          FOR EACH ROW EXECUTE FUNCTION refuse_TABLE()
        """)
      #expect(try await fixture.commits(Quake(2, 20)))
      #expect(try await fixture.commits(Quake(3, 20)))
    }

    @Test
    func `S1: a row that is too long to be named and not asked for does not stay`() async throws {
      let fixture = try await Fixture()
      var long = Quake(2, 5)
      long.id = String(repeating: "x", count: 2_400)
      #expect(try await fixture.commits(long))
    }

    @Test(arguments: ["UPDATE", "DELETE"])
    func `S1: a change that a trigger refuses is undone on screen`(change: String) async throws {
      let fixture = try await Fixture(
        """
        CREATE FUNCTION refuse_TABLE() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER refuse BEFORE \(change) ON TABLE
          FOR EACH ROW EXECUTE FUNCTION refuse_TABLE()
        """)
      if change == "UPDATE" {
        fixture.draft.update(Quake(1, 30))
      } else {
        fixture.draft.delete("us1")
      }
      #expect(await eventually { Array(fixture.results.value.items) != [Quake(1, 12)] })
      try await fixture.draft.commit()
      #expect(await eventually { Array(fixture.results.value.items) == [Quake(1, 12)] })
    }

    @Test
    func `S1: a row that is asked for is not taken away before it is read`() async throws {
      let fixture = try await Fixture()
      let counts = Task {
        var counts: [Int] = []
        for await update in fixture.results.updates {
          counts.append(update.value.list.count)
          if counts.last == 40 { break }
        }
        return counts
      }
      for number in 2...40 {
        fixture.draft.insert(Quake(number, 20))
        try await fixture.draft.commit()
      }
      let shown = await counts.value
      #expect(shown == shown.sorted())
    }

    @Test
    func `S1: what was written before a connection was lost is looked for on the next one`()
      async throws
    {
      let server = try await PostgresServer.shared.value
      let proxy = try FaultyProxy(to: server)
      defer { proxy.stop() }
      let fixture = try await Fixture(host: proxy.folder)
      fixture.draft.insert(Quake(2, 5))
      #expect(await eventually { fixture.results.value.list.count == 2 })
      // What looks the row up is swallowed.
      proxy.forget(where: "freshet_told")
      try await fixture.draft.commit()
      proxy.cut()
      proxy.forget()
      #expect(await eventually { Array(fixture.results.value.items) == [Quake(1, 12)] })
    }

    @Test
    func `S3: a written key that is no key any more when it is looked up ends no query`()
      async throws
    {
      let proxy = try FaultyProxy(to: try await PostgresServer.shared.value)
      defer { proxy.stop() }
      let fixture = try await Fixture(host: proxy.folder)
      fixture.draft.insert(Quake(2, 20))
      #expect(await eventually { fixture.results.value.list.count == 2 })
      proxy.forget(where: "freshet_told")
      try await fixture.draft.commit()
      proxy.fallSilent()
      proxy.cut()
      try await fixture.table.run("DELETE FROM TABLE")
      try await fixture.table.run("ALTER table TABLE ALTER COLUMN id TYPE integer USING 7")
      proxy.forget()
      proxy.speak()
      #expect(await eventually { fixture.results.value.list.count == 0 })
      #expect(
        await eventually {
          fixture.results.fetchStatus.interruption == nil
            && fixture.results.fetchStatus.state == .loaded
        })
    }
  }
#endif
