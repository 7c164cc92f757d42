#if SQLite
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// What a feed writes into a table and its live results receive.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteEchoTests {
    private let queue: DatabaseQueue
    private let store: SQLiteStore<Quake>

    init() throws {
      queue = try DatabaseQueue()
      try queue.write { db in
        try SQLiteStore.createTable(like: Quake(0, 1), in: db)
        for number in 0..<3 { try Quake(number).insert(db) }
      }
      store = SQLiteStore(queue, checkingEvery: nil)
    }

    private func batch(_ quakes: [Quake]) -> ChangeBatch<Quake> {
      var changes = ChangeBatch<Quake>()
      for quake in quakes { changes.add(quake, as: .update) }
      return changes
    }

    @Test func `only rows that a feed wrote last are attributed to it`() async throws {
      // The first step of a feed creates the table of the notes, after which all rows are read.
      try await store.write(batch([]), notes: [:], of: "home")
      let known = Locked<[String: (quake: Quake?, isEcho: Bool)]>([:])
      let isComplete = Locked(false)
      let query = DataStoreQuery<Quake, SQLiteStore<Quake>.Request>(
        .all, window: .zero, isEcho: { $0 == "home" }
      ) { changes, status in
        isComplete.withLock { $0 = status.isComplete }
        known.withLock { known in
          for change in changes.all { known[change.id] = (change.item, changes.isEcho(change.id)) }
        }
      }
      let task = Task { [store] in try await store.execute(query) }
      defer { task.cancel() }
      func receives(_ quake: Quake, isEcho: Bool) async -> Bool {
        await eventually {
          known.withLock { $0[quake.id].map { $0.quake == quake && $0.isEcho == isEcho } ?? false }
        }
      }
      #expect(await receives(Quake(2), isEcho: false))
      // What is written before that is read again, and its writer is not known.
      #expect(await eventually { isComplete.withLock(\.self) })
      try await store.write(batch([Quake(0, 1), Quake(7, 1)]), notes: [:], of: "home")
      #expect(await receives(Quake(0, 1), isEcho: true))
      #expect(await receives(Quake(7, 1), isEcho: true))
      try await store.write(batch([Quake(0, 2)]))
      #expect(await receives(Quake(0, 2), isEcho: false))
      try await store.write(batch([Quake(0, 3)]), notes: [:], of: "mentions")
      #expect(await receives(Quake(0, 3), isEcho: false))
      try await store.write(batch([Quake(0, 4)]), notes: [:], of: "home")
      #expect(await receives(Quake(0, 4), isEcho: true))
      try await queue.write { try Quake(0, 5).update($0) }
      #expect(await receives(Quake(0, 5), isEcho: false))
      // The trigger is another writer, in the transaction of the feed.
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER follow AFTER UPDATE ON quake WHEN new.id = 'us0'
            BEGIN UPDATE quake SET magnitude = 9 WHERE id = 'us1'; END
            """)
      }
      try await store.write(batch([Quake(0, 6)]), notes: [:], of: "home")
      var other = Quake(1)
      other.magnitude = 9
      #expect(await receives(other, isEcho: false))
    }

    @Test func `I1: what a feed writes into SQLite after an event does not overwrite the event`()
      async throws
    {
      // The first step of a feed creates the table of the notes, after which all rows are read.
      try await store.write(batch([]), notes: [:], of: "home")
      let quakes = IdentityMap<Quake>()
      let server = ScriptedServer((0..<3).map { Quake($0, 1) })
      let feed = Feed(server.source(.keyset), cache: .store(store, named: "home"), identity: quakes)
      let results = LiveResults(
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
      try await store.write(batch([Quake(0, 1), Quake(9, 1)]), notes: [:], of: "home")
      #expect(await eventually { results.value.items.contains { $0.id == "us9" } })
      #expect(await shows([2, 1, 1]))
      try await queue.write { try Quake(1, 3).update($0) }
      #expect(await shows([2, 3, 1]))
    }
  }
#endif
