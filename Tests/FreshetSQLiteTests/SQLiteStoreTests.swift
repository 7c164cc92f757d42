#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteStoreTests {
    let folder = TemporaryFolder()

    func queue() throws -> DatabaseQueue {
      let queue = try DatabaseQueue()
      try queue.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
      return queue
    }

    func pool() throws -> DatabasePool {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let pool = try DatabasePool(path: folder.url.appending(path: "\(UUID()).sqlite").path)
      try pool.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
      return pool
    }

    static let contract = StoreContract<SQLiteStore<Quake>>(
      asking: .all,
      or: [
        .init(.init { $0.filter { _ in Column("magnitude") >= 10 } }) { $0.magnitude >= 10 },
        .init(.init { $0.filter(sql: "place IN (SELECT 'place 4')") }) { $0.place == "place 4" },
      ],
      refusing: .init(-1, .max)
    ) { Quake($0, $1) }

    @Test
    func `a table of a queue is a store`() async throws {
      try await Self.contract.check(rounds: 40) { SQLiteStore(try checked(queue())) }
    }

    @Test
    func `a table of a pool is a store`() async throws {
      try await Self.contract.check(rounds: 40) { SQLiteStore(try checked(pool())) }
      try await Self.contract.checkNotes { SQLiteStore(try checked(pool())) }
    }

    // MARK: - What is told

    /// Live results over a table, and the database beneath them.
    func results(
      _ request: SQLiteStore<Quake>.Request = .all, of quakes: [Quake] = (0..<5).map { Quake($0) }
    ) async throws -> (DatabaseQueue, LiveResults<Quake, SQLiteStore<Quake>.Request>) {
      let queue = try queue()
      try await queue.write { db in for quake in quakes { try quake.insert(db) } }
      let results = LiveResults(
        store: SQLiteStore(queue, Quake.self), arrangement: .sorted(by: \.id), window: .zero)
      #expect(await results.fetch(request).failure == nil)
      return (queue, results)
    }

    /// Waits until these are shown.
    func shows(_ quakes: [Quake], _ results: LiveResults<Quake, SQLiteStore<Quake>.Request>) async {
      var updates = results.updates.makeAsyncIterator()
      while Array(results.value.items) != quakes, await updates.next() != nil {}
    }

    @Test
    func `whoever writes is heard: SQL, other records, everything deleted`() async throws {
      let (queue, results) = try await results()
      try await queue.write {
        try $0.execute(sql: "UPDATE quake SET magnitude = 3 WHERE id = 'us1'")
      }
      var expected = (0..<5).map { Quake($0) }
      expected[1].magnitude = 3
      await shows(expected, results)
      try await queue.write {
        try $0.execute(sql: "INSERT OR REPLACE INTO quake (id, magnitude) VALUES ('us2', 7)")
      }
      expected[2].magnitude = 7
      await shows(expected, results)
      try await queue.write { try $0.execute(sql: "UPDATE quake SET id = 'us9' WHERE id = 'us4'") }
      expected[4].id = "us9"
      await shows(expected, results)
      try await queue.write { _ = try Quake.deleteAll($0) }
      await shows([], results)
    }

    @Test
    func `rows that other tables take along are heard`() async throws {
      let (queue, results) = try await results()
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE region (id TEXT PRIMARY KEY);
            INSERT INTO region VALUES ('a'), ('b');
            ALTER TABLE quake ADD COLUMN region TEXT REFERENCES region ON DELETE CASCADE;
            UPDATE quake SET region = CASE id WHEN 'us1' THEN 'a' ELSE 'b' END;
            CREATE TRIGGER strong AFTER INSERT ON region BEGIN
              UPDATE quake SET magnitude = 8 WHERE id = 'us3';
            END
            """)
      }
      try await queue.write { try $0.execute(sql: "DELETE FROM region WHERE id = 'a'") }
      var expected = [0, 2, 3, 4].map { Quake($0) }
      await shows(expected, results)
      try await queue.write { try $0.execute(sql: "INSERT INTO region VALUES ('c')") }
      expected[2].magnitude = 8
      await shows(expected, results)
    }

    @Test
    func `C4: commits elsewhere fetch nothing, even for a request with a limit`() async throws {
      let queue = try queue()
      try await queue.write { db in
        try Quake(1).insert(db)
        try db.execute(sql: "CREATE TABLE other (id)")
      }
      let results = LiveResults(store: SQLiteStore(queue, Quake.self), window: .zero)
      await results.fetch(.init { $0.limit(10) })
      let statements = Locked<[String]>([])
      try await queue.writeWithoutTransaction { db in
        db.trace { event in statements.withLock { $0.append("\(event)") } }
        try db.execute(sql: "INSERT INTO other VALUES (1)")
      }
      #expect(!statements.withLock { $0 }.contains { $0.contains("quake") })
      try await queue.write { try Quake(2).insert($0) }
      await shows([Quake(1), Quake(2)], results)
    }

    @Test
    func `what is rolled back is not told`() async throws {
      let (queue, results) = try await results()
      try await queue.write { db in
        try db.inSavepoint {
          try Quake.deleteAll(db)
          return .rollback
        }
        try Quake(7).insert(db)
      }
      await shows((0..<5).map { Quake($0) } + [Quake(7)], results)
      try? await queue.write { db in
        try Quake.deleteAll(db)
        throw CancellationError()
      }
      try await queue.write { try Quake(8).insert($0) }
      await shows((0..<5).map { Quake($0) } + [Quake(7), Quake(8)], results)
    }

    @Test
    func `a request with a limit, or about other tables, is fetched again`() async throws {
      let (queue, results) = try await results(.init { $0.order(Column("id")).limit(2) })
      await shows([Quake(0), Quake(1)], results)
      try await queue.write { _ = try Quake.deleteOne($0, id: "us0") }
      await shows([Quake(1), Quake(2)], results)
      try await queue.write { try $0.execute(sql: "CREATE TABLE mark (id TEXT)") }
      await results.fetch(.init { $0.filter(sql: "id IN (SELECT id FROM mark)") })
      await shows([], results)
      try await queue.write { try $0.execute(sql: "INSERT INTO mark VALUES ('us3')") }
      await shows([Quake(3)], results)
    }

    @Test
    func `changes that SQLite does not tell are told when the app says so`() async throws {
      let (queue, results) = try await results()
      try await queue.write { db in
        try db.execute(sql: "UPDATE quake SET rowid = 100 WHERE id = 'us0'")
        try db.notifyChanges(in: Quake.all())
        try Quake(9).insert(db)
      }
      await shows((0..<5).map { Quake($0) } + [Quake(9)], results)
    }

    @Test
    func `C4: one change in ten thousand rows decodes one row`() async throws {
      let queue = try queue()
      try await queue.write { db in for number in 0..<10_000 { try Quake(number).insert(db) } }
      let store = SQLiteStore(queue, CountedQuake.self)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      #expect(results.value.list.count == 10_000)
      #expect(CountedQuake.decoded.withLock { $0 } == 10_000)
      var updates = results.updates.makeAsyncIterator()
      _ = await updates.next()
      try await queue.write {
        try $0.execute(sql: "UPDATE quake SET magnitude = 9 WHERE id = 'us7'")
      }
      #expect(await updates.next()?.changes.updatedRows.count == 1)
      #expect(CountedQuake.decoded.withLock { $0 } == 10_001)
    }

    @Test
    func `edits in a draft are shown, and written by its commit`() async throws {
      let queue = try queue()
      let store = SQLiteStore(queue, Quake.self)
      try await store.write(inserting: (0..<3).map { Quake($0, 12) })
      let draft = Draft(of: store)
      let results = LiveResults(store: draft, arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.init { $0.filter { _ in Column("magnitude") >= 10 } })
      draft.update(Quake(0, 13))
      draft.insert(Quake(5, 1))
      draft.delete("us1")
      await shows([Quake(0, 13), Quake(2, 12), Quake(5, 1)], results)
      try await draft.commit()
      // What is not asked for goes when it is written.
      await shows([Quake(0, 13), Quake(2, 12)], results)
      #expect(try await queue.read { try Quake.fetchCount($0) } == 3)
    }

    // MARK: - What cannot be

    @Test
    func `S2: a row that does not decode is left out until it does, and its values stay secret`()
      async throws
    {
      let (queue, results) = try await results()
      func run(_ sql: String) async throws { try await queue.write { try $0.execute(sql: sql) } }
      try await run("UPDATE quake SET magnitude = NULL, place = 's3cret' WHERE id = 'us1'")
      #expect(await eventually { results.value.list.count == 4 })
      #expect(results.fetchStatus.state == .loaded && results.fetchStatus.invalidItems == 1)
      let text = "\(try #require(results.fetchStatus.invalidItem))"
      #expect(text.contains("magnitude") && !text.contains("s3cret") && !text.contains("SELECT"))
      // The others are told of as ever.
      try await run("UPDATE quake SET place = 'here' WHERE id = 'us2'")
      #expect(await eventually { results.value.items.contains { $0.place == "here" } })
      #expect(results.fetchStatus.invalidItems == 1)
      // One that is read for the first time is left out, too.
      let others = LiveResults(store: SQLiteStore(queue, Quake.self), window: .zero)
      #expect(await others.fetch(.all) == .loaded)
      #expect(others.value.list.count == 4 && others.fetchStatus.invalidItems == 1)
      try await run("UPDATE quake SET magnitude = 3 WHERE id = 'us1'")
      for results in [results, others] {
        #expect(
          await eventually {
            results.value.list.count == 5 && results.fetchStatus.invalidItems == 0
          })
        #expect(results.fetchStatus.invalidItem == nil)
      }
      // So is one of a request whose rows are fetched together.
      let few = LiveResults(store: SQLiteStore(queue, Quake.self), window: .zero)
      #expect(await few.fetch(.init { $0.limit(3) }) == .loaded)
      try await run("UPDATE quake SET magnitude = NULL")
      #expect(await eventually { few.value.list.count == 0 && few.fetchStatus.invalidItems == 3 })
      try await run("DELETE FROM quake")
      #expect(
        await eventually {
          few.fetchStatus.invalidItems == 0 && results.fetchStatus.invalidItems == 0
        })
    }

    @Test(arguments: [true, false])
    func `S3: a file that is deleted or replaced while it is open is noticed`(
      isReplaced: Bool
    ) async throws {
      let folder = folder.url
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "quakes.sqlite")
      let queue = try DatabaseQueue(path: file.path)
      let store = SQLiteStore(queue, Quake.self, checkingEvery: .milliseconds(10))
      try await queue.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
      try await store.write(inserting: [Quake(1)])
      let results = LiveResults(store: store, window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      let away = folder.appending(path: "away.sqlite")
      try FileManager.default.moveItem(at: file, to: away)
      if isReplaced { _ = try DatabaseQueue(path: file.path) }
      #expect(
        await eventually {
          results.fetchStatus.interruption as? SQLiteStoreError == .noFile(path: file.path)
        })
      #expect(results.value.list.count == 1)
      await #expect(throws: SQLiteStoreError.noFile(path: file.path)) {
        try await store.write(inserting: [Quake(2)])
      }
      // The file comes back.
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: away, to: file)
      try await store.write(inserting: [Quake(3)])
      #expect(
        await eventually {
          results.value.list.count == 2 && results.fetchStatus.interruption == nil
        })
    }

    @Test
    func `a feed through a table goes on after a relaunch`() async throws {
      let queue = try queue()
      let server = ScriptedServer((0..<200).map { Quake($0 + 100) })
      func feed() -> Feed<Quake> {
        Feed(server.source(.cursor), cache: .store(SQLiteStore(queue, Quake.self), named: "all"))
      }
      var first: Feed<Quake>? = feed()
      await first?.refresh()
      await first?.flush()
      first = nil
      let results = LiveResults(
        store: SQLiteStore(queue, Quake.self), arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      #expect(results.value.list.count == 50)
      let second = feed()
      while await second.loadNext() == .idle {}
      await second.flush()
      await shows(server.items, results)
      let note = try await queue.read {
        try String.fetchOne($0, sql: "SELECT feed FROM freshet_note")
      }
      #expect(note == "quake/all")
    }

    // MARK: - Without a schema

    /// Refuses an item that the contract calls invalid.
    func checked<Writer: DatabaseWriter>(_ writer: Writer) throws -> Writer {
      try writer.write {
        try $0.execute(
          sql: """
            CREATE TRIGGER refuse BEFORE INSERT ON quake WHEN new.magnitude > 1e9
            BEGIN SELECT RAISE(ABORT, 'too strong'); END
            """)
      }
      return writer
    }
  }

  /// Counts how often it is decoded.
  struct CountedQuake: ListItem, FetchableRecord, TableRecord {
    static let databaseTableName = "quake"
    static let decoded = Locked(0)

    let id: String
    let magnitude: Double

    init(row: Row) throws {
      id = row["id"]
      magnitude = row["magnitude"]
      Self.decoded.withLock { $0 += 1 }
    }
  }
#endif
