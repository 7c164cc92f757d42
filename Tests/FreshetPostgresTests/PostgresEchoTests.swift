#if Postgres
  @testable import Freshet
  import FreshetLists
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// What a feed writes into a table and its live results receive.
  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresEchoTests {
    /// Queries that share an identity map with the feed `home`.
    private final class Receiver: Sendable {
      private let known = Locked<[String: (quake: Quake?, isEcho: Bool)]>([:])
      private let reports = Locked(0)

      func query() -> DataStoreQuery<Quake, PostgresRequest> {
        DataStoreQuery(.all, window: .zero, isEcho: { $0 == "home" }) { [self] changes, _ in
          known.withLock { known in
            for change in changes.all {
              known[change.id] = (change.item, changes.isEcho(change.id))
            }
          }
          reports.withLock { $0 += changes.count }
        }
      }

      /// The number of items that were reported.
      var count: Int { reports.withLock(\.self) }

      var echoes: Int { known.withLock { $0.values.count { $0.isEcho } } }

      func has(_ quake: Quake, isEcho: Bool) -> Bool {
        known.withLock { $0[quake.id].map { $0.quake == quake && $0.isEcho == isEcho } ?? false }
      }

      func receives(_ quake: Quake, isEcho: Bool) async -> Bool {
        await eventually { has(quake, isEcho: isEcho) }
      }
    }

    private let table: QuakeTable
    private let store: PostgresStore<Quake>

    init() async throws {
      table = try await QuakeTable()
      store = table.store()
      try await store.write(inserting: (0..<3).map { Quake($0) })
    }

    private func batch(_ quakes: [Quake]) -> ChangeBatch<Quake> {
      var changes = ChangeBatch<Quake>()
      for quake in quakes { changes.add(quake, as: .update) }
      return changes
    }

    private func write(
      _ quakes: Quake..., of feed: String, through other: PostgresStore<Quake>? = nil
    ) async throws {
      try await (other ?? store).write(batch(quakes), notes: [:], of: feed)
    }

    // MARK: - Writers

    @Test func `only rows that a feed wrote last are attributed to it`() async throws {
      // The trigger is another writer, in the transaction of the feed.
      try await table.run(
        """
        CREATE FUNCTION follow_TABLE() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN UPDATE TABLE SET magnitude = 9 WHERE id = 'us1'; RETURN NULL; END $$;
        CREATE TRIGGER follow AFTER UPDATE ON TABLE FOR EACH ROW
          WHEN (NEW.id = 'us0' AND NEW.magnitude = 7) EXECUTE FUNCTION follow_TABLE()
        """)
      let receiver = Receiver()
      let task = Task { [store] in try await store.execute(receiver.query()) }
      defer { task.cancel() }
      #expect(await receiver.receives(Quake(2), isEcho: false))
      try await write(Quake(0, 1), Quake(7, 1), of: "home")
      #expect(await receiver.receives(Quake(0, 1), isEcho: true))
      #expect(await receiver.receives(Quake(7, 1), isEcho: true))
      try await store.write(batch([Quake(0, 2)]))
      #expect(await receiver.receives(Quake(0, 2), isEcho: false))
      try await write(Quake(0, 3), of: "mentions")
      #expect(await receiver.receives(Quake(0, 3), isEcho: false))
      try await write(Quake(0, 4), of: "home")
      #expect(await receiver.receives(Quake(0, 4), isEcho: true))
      try await table.run("UPDATE TABLE SET magnitude = 5, place = 'place 5' WHERE id = 'us0'")
      #expect(await receiver.receives(Quake(0, 5), isEcho: false))
      // A feed of that name in another process.
      try await write(Quake(0, 6), of: "home", through: table.store())
      #expect(await receiver.receives(Quake(0, 6), isEcho: false))
      try await write(Quake(0, 7), of: "home")
      var other = Quake(1)
      other.magnitude = 9
      #expect(await receiver.receives(other, isEcho: false))
      #expect(await receiver.receives(Quake(0, 7), isEcho: true))
    }

    @Test func `more rows than a notification names are attributed`() async throws {
      let receiver = Receiver()
      let task = Task { [store] in try await store.execute(receiver.query()) }
      defer { task.cancel() }
      #expect(await receiver.receives(Quake(2), isEcho: false))
      let quakes = (0..<12_000).map { Quake($0, 1) }
      try await store.write(batch(quakes), notes: [:], of: "home")
      #expect(await eventually { receiver.echoes == quakes.count })
    }

    @Test func `a row that a trigger changes or refuses while a feed writes it is no news`()
      async throws
    {
      try await table.run(
        """
        CREATE FUNCTION check_TABLE() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF NEW.id = 'us0' THEN RETURN NULL; END IF;
          NEW.magnitude := NEW.magnitude + 1;
          RETURN NEW;
        END $$;
        CREATE TRIGGER check_rows BEFORE UPDATE ON TABLE
          FOR EACH ROW EXECUTE FUNCTION check_TABLE()
        """)
      let receiver = Receiver()
      let task = Task { [store] in try await store.execute(receiver.query()) }
      defer { task.cancel() }
      #expect(await receiver.receives(Quake(2), isEcho: false))
      try await write(Quake(0, 1), Quake(1, 1), of: "home")
      var changed = Quake(1, 1)
      changed.magnitude = 2
      #expect(await receiver.receives(changed, isEcho: true))
      try await write(Quake(7, 1), of: "home")
      #expect(await receiver.receives(Quake(7, 1), isEcho: true))
      #expect(receiver.has(Quake(0), isEcho: false) && receiver.count == 5)
    }

    // MARK: - Look-ups

    /// A reader that has all rows, and looks rows up when the test says so.
    private struct Reading {
      let receiver = Receiver()
      let connection: PostgresConnection
      private let table: QuakeTable
      private var reader: TableReader<Quake>

      init(_ table: QuakeTable, _ store: PostgresStore<Quake>) async throws {
        self.table = table
        connection = try await table.server.connection()
        reader = TableReader(receiver.query(), store.transactions)
        try await reader.load(
          PostgresTable(table.name, key: "id", on: connection), connection)
      }

      mutating func follow(_ keys: Set<BinaryText>) async throws {
        try await reader.follow(
          .some(keys), PostgresTable(table.name, key: "id", on: connection), connection)
      }

      mutating func catchUp() async throws {
        try await reader.catchUp(
          PostgresTable(table.name, key: "id", on: connection), connection)
      }
    }

    @Test func `a row that other code wrote before it is looked up is not attributed`()
      async throws
    {
      var reading = try await Reading(table, store)
      try await write(Quake(0, 1), Quake(1, 1), of: "home")
      try await table.run("UPDATE TABLE SET magnitude = 2, place = 'place 2' WHERE id = 'us0'")
      try await reading.follow(["us0", "us1"])
      #expect(reading.receiver.has(Quake(0, 2), isEcho: false))
      #expect(reading.receiver.has(Quake(1, 1), isEcho: true))
      // It is the other way round.
      try await table.run("UPDATE TABLE SET magnitude = 3 WHERE id = 'us0'")
      try await write(Quake(0, 4), of: "home")
      try await reading.follow(["us0"])
      #expect(reading.receiver.has(Quake(0, 4), isEcho: true))
    }

    @Test func `rows that were written while no connection listened are attributed`()
      async throws
    {
      var reading = try await Reading(table, store)
      try await write(Quake(0, 1), Quake(7, 1), of: "home")
      try await table.run("UPDATE TABLE SET magnitude = 9 WHERE id = 'us1'")
      try await reading.catchUp()
      #expect(reading.receiver.has(Quake(0, 1), isEcho: true))
      #expect(reading.receiver.has(Quake(7, 1), isEcho: true))
      var other = Quake(1)
      other.magnitude = 9
      #expect(reading.receiver.has(other, isEcho: false))
    }

    @Test func `a version of a row that is read again is not reported again`() async throws {
      var reading = try await Reading(table, store)
      try await reading.follow(["us0", "us1"])
      #expect(reading.receiver.count == 3)
      // All rows are read again.
      try await table.run("ALTER table TABLE ALTER COLUMN place SET DEFAULT 'nowhere'")
      try await table.run("UPDATE TABLE SET magnitude = 9 WHERE id = 'us1'")
      try await reading.catchUp()
      var other = Quake(1)
      other.magnitude = 9
      #expect(reading.receiver.has(other, isEcho: false) && reading.receiver.count == 4)
      // Another definition may give rows other contents.
      try await table.run("ALTER table TABLE ALTER COLUMN place TYPE text USING 'here'")
      try await reading.catchUp()
      other.place = "here"
      #expect(reading.receiver.has(other, isEcho: false) && reading.receiver.count == 7)
      // The same contents, written again by other code, are a change.
      try await table.run("UPDATE TABLE SET magnitude = 9 WHERE id = 'us1'")
      try await reading.follow(["us1"])
      #expect(reading.receiver.count == 8)
    }

    @Test func `a write whose result is lost is recognized by its rows`() async throws {
      // A commit that waits for a standby is done when the wait is broken off.
      let server = try await PostgresServer(settings: [
        "synchronous_standby_names=nobody", "synchronous_commit=local",
      ])
      let table = try await QuakeTable(on: server)
      let store = PostgresStore<Quake>(
        "\(server.database()) options='-c synchronous_commit=on'", table: table.name)
      let receiver = Receiver()
      let task = Task { try await store.execute(receiver.query()) }
      defer { task.cancel() }
      try await table.store().write(batch([Quake(0)]))
      #expect(await receiver.receives(Quake(0), isEcho: false))
      let write = Task {
        try await store.write(batch([Quake(0, 1), Quake(7, 1)]), notes: [:], of: "home")
      }
      let other = try await server.connection()
      let end = """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
        """
      #expect(await eventually { (try? await other.run(end).isEmpty) == false })
      await #expect(throws: PostgresError.self) { try await write.value }
      #expect(await receiver.receives(Quake(0, 1), isEcho: true))
      #expect(await receiver.receives(Quake(7, 1), isEcho: true))
    }

    // MARK: - Transactions

    @Test func `transactions are known for a number of items, and on one server`() {
      let transactions = FeedTransactions<Quake>(limit: 3)
      func writer(_ number: String, on server: String = "first") -> String? {
        transactions.writer(of: Quake(1), in: number, on: server)
      }
      for number in 1...9 {
        transactions.add(
          "\(number)", of: "home", writing: [Quake(1), Quake(2)], on: "first")
      }
      #expect(writer("9") == "home" && writer("8") == "home" && writer("1") == nil)
      #expect(writer("9", on: "second") == nil && writer("10") == nil)
      #expect(transactions.writer(of: Quake(3), in: "9", on: "first") == nil)
      #expect(transactions.writer(of: Quake(1), in: "9", on: nil) == nil)
      transactions.add("20", of: "mentions", writing: [Quake(1)], on: "second")
      #expect(writer("20", on: "second") == "mentions" && writer("9") == nil)
    }

    @Test func `a lost write is known by a row as it was written, until it is written again`() {
      let transactions = FeedTransactions<Quake>(limit: 3)
      func writer(of quake: Quake, in number: String) -> String? {
        transactions.writer(of: quake, in: number, on: "first")
      }
      transactions.addLost(of: "home", writing: [Quake(1, 1), Quake(2, 1)])
      #expect(writer(of: Quake(1, 2), in: "5") == nil)
      #expect(writer(of: Quake(1, 1), in: "5") == "home")
      // The number of its transaction is known by now.
      #expect(writer(of: Quake(2, 9), in: "5") == "home" && writer(of: Quake(2, 1), in: "6") == nil)
      transactions.addLost(of: "home", writing: [Quake(1, 3)])
      transactions.add("7", of: "home", writing: [Quake(1, 4)], on: "first")
      #expect(writer(of: Quake(1, 3), in: "8") == nil)
      for version in 10...13 {
        transactions.addLost(of: "home", writing: [Quake(3, version), Quake(4, version)])
      }
      #expect(
        writer(of: Quake(3, 10), in: "9") == nil && writer(of: Quake(3, 13), in: "9") == "home")
    }

    // MARK: - Identity maps

    @Test(arguments: [false, true])
    func `I1: what a feed writes into PostgreSQL after an event does not overwrite the event`(
      isDraft: Bool
    ) async throws {
      let quakes = IdentityMap<Quake>()
      let server = ScriptedServer((0..<3).map { Quake($0, 1) })
      let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"), identity: quakes)
      let results =
        isDraft
        ? LiveResults(
          store: Draft(of: store), arrangement: .sorted(by: \.id), identity: quakes, window: .zero)
        : LiveResults(
          store: store, arrangement: .sorted(by: \.id), identity: quakes, window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      // Nothing is stored before that.
      await feed.loadCache()
      await feed.refresh()
      func shows(_ versions: [Int]) async -> Bool {
        let wanted = versions.enumerated().map { Quake($0.offset, $0.element) }
        return await eventually {
          Array(results.value.items.prefix(3)) == wanted && Array(feed.value.items) == wanted
        }
      }
      #expect(await shows([1, 1, 1]))
      quakes.update(Quake(0, 2))
      #expect(await shows([2, 1, 1]))
      await feed.flush()
      // The feed wrote it before it knew of the event, and the store was slow.
      try await write(Quake(0, 1), of: "home")
      try await write(Quake(9, 1), of: "home")
      #expect(await eventually { results.value.items.contains { $0.id == "us9" } })
      #expect(results.value.items.first == Quake(0, 2))
      #expect(await shows([2, 1, 1]))
      try await table.run("UPDATE TABLE SET magnitude = 3, place = NULL WHERE id = 'us1'")
      #expect(await shows([2, 3, 1]))
    }

    @Test func `I1: the feeds of a family over PostgreSQL are known by their names there`()
      async throws
    {
      let quakes = IdentityMap<Quake>()
      let server = ScriptedServer((0..<3).map { Quake($0, 1) })
      let family = FeedFamily(cache: .store(store, named: "search"), identity: quakes) {
        (_: Int) in server.source(.keyset)
      }
      let (feed, results) = (
        family[7],
        LiveResults(store: store, arrangement: .sorted(by: \.id), identity: quakes, window: .zero)
      )
      #expect(await results.fetch(.all) == .loaded)
      // Nothing is stored before that.
      await feed.loadCache()
      await feed.refresh()
      quakes.update(Quake(0, 2))
      #expect(await eventually { feed.value.items.first == Quake(0, 2) })
      await feed.flush()
      try await write(Quake(0, 1), of: "search/7")
      try await write(Quake(9, 1), of: "search/7")
      #expect(await eventually { results.value.items.contains { $0.id == "us9" } })
      #expect(results.value.items.first == Quake(0, 2) && feed.value.items.first == Quake(0, 2))
      try await write(Quake(0, 3), of: "search/8")
      #expect(await eventually { feed.value.items.first == Quake(0, 3) })
    }

    @Test func `I1: a notification of a row that nobody wrote does not overwrite an event`()
      async throws
    {
      let quakes = IdentityMap<Quake>()
      let results = LiveResults(
        store: store, arrangement: .sorted(by: \.id), identity: quakes, window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      quakes.update(Quake(0, 2))
      #expect(await eventually { results.value.items.first == Quake(0, 2) })
      try await table.run(
        """
        SELECT pg_notify('freshet_' || 'TABLE'::regclass::oid, '["us0"]');
        INSERT INTO TABLE VALUES ('us9', 9, NULL)
        """)
      #expect(await eventually { results.value.items.contains { $0.id == "us9" } })
      #expect(results.value.items.first == Quake(0, 2))
    }
  }
#endif
