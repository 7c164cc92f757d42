#if SQLite
  import Foundation
  @testable import Freshet
  @testable import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// Writers that GRDB does not tell of, and texts that SQLite would cut.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteWriterTests {
    let folder = TemporaryFolder()

    var file: String { folder.url.appending(path: "quakes.sqlite").path }

    func pool() throws -> DatabasePool {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let pool = try DatabasePool(path: file)
      try pool.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
      return pool
    }

    // Another connection is to SQLite what another process is.
    @Test
    func `what another connection wrote is found in time`() async throws {
      let clock = ManualClock()
      let store = SQLiteStore(try pool(), Quake.self, checkingEvery: .seconds(5), clock: clock)
      let watched = await Watched(store)
      let limited = await Watched(store, .init { $0.order(Column("id")).limit(1) })
      let other = try DatabaseQueue(path: file)
      try await other.write { db in for number in 1...3 { try Quake(number).insert(db) } }
      #expect(await clock.sleepers(2))
      #expect(watched.items.isEmpty)
      clock.advance(by: .seconds(5))
      #expect(await clock.sleepers(2))
      #expect(await eventually { watched.items.keys.sorted() == ["us1", "us2", "us3"] })
      #expect(limited.items.keys.sorted() == ["us1"])
      try await other.write {
        try $0.execute(
          sql: "DELETE FROM quake WHERE id = 'us1'; UPDATE quake SET magnitude = 9 WHERE id = 'us2'"
        )
      }
      clock.advance(by: .seconds(5))
      #expect(await clock.sleepers(2))
      #expect(await eventually { watched.items.mapValues(\.magnitude) == ["us2": 9, "us3": 0] })
      #expect(limited.items.keys.sorted() == ["us2"])
    }

    @Test
    func `what another connection wrote is found with the next commit`() async throws {
      let pool = try pool()
      let watched = await Watched(SQLiteStore(pool, Quake.self, checkingEvery: nil))
      let other = try DatabaseQueue(path: file)
      try await other.write { try Quake(1).insert($0) }
      #expect(watched.items.isEmpty)
      try await pool.write { try Quake(2).insert($0) }
      #expect(await eventually { watched.items.keys.sorted() == ["us1", "us2"] })
    }

    @Test
    func `what nobody tells is told on demand`() async throws {
      let store = SQLiteStore(try pool(), Quake.self, checkingEvery: nil)
      let watched = await Watched(store)
      let other = try DatabaseQueue(path: file)
      try await other.write { try Quake(1).insert($0) }
      try await store.refresh()
      #expect(await eventually { watched.items.keys.sorted() == ["us1"] })
      // Another process may change the tables, too.
      try await other.write {
        try $0.execute(
          sql: """
            DROP TABLE quake; CREATE TABLE quake (place TEXT, magnitude, id TEXT PRIMARY KEY);
            INSERT INTO quake VALUES (NULL, 4, 'us7')
            """)
      }
      try await store.refresh()
      #expect(
        await eventually {
          watched.items.mapValues(\.magnitude) == ["us7": 4] && watched.failure == nil
        })
    }

    @Test(arguments: [true, false])
    func `S3: a table that another connection alters while its rows are read keeps them on display`(
      isLimited: Bool
    ) async throws {
      let pool = try pool()
      let quakes = (1...3).map { Quake($0, $0) }
      try await pool.write { db in for quake in quakes { try quake.insert(db) } }
      let store = SQLiteStore(pool, Quake.self, checkingEvery: nil)
      let watched = await Watched(store, isLimited ? .init { $0.limit(10) } : .all)
      let shown = Dictionary(uniqueKeysWithValues: quakes.map { ($0.id, $0) })
      #expect(watched.items == shown)
      let (file, isAltered) = (file, Shared(false))
      // Told of a statement before it takes what it reads, and behind the look at the tables.
      try await pool.writeWithoutTransaction { db in
        db.trace { event in
          guard "\(event)".contains("FROM \"quake\""),
            !isAltered.value.withLock({ isAltered in
              defer { isAltered = true }
              return isAltered
            })
          else { return }
          do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            try DatabaseQueue(path: file, configuration: configuration).write {
              try $0.execute(
                sql: "ALTER TABLE quake RENAME COLUMN magnitude TO m; UPDATE quake SET m = NULL")
            }
          } catch { Issue.record(error) }
        }
      }
      // Rows are read where others wrote, unless the store had seen that already.
      var number = 10.0
      while !isAltered.value.withLock({ $0 }) {
        number += 1
        try? await DatabaseQueue(path: file).write { [number] in
          try $0.execute(sql: "UPDATE quake SET magnitude = \(number) WHERE id = 'us1'")
        }
        try await store.refresh()
      }
      #expect(Set(watched.items.keys) == Set(shown.keys) && watched.invalidItem == nil)
      try await store.refresh()
      #expect(Set(watched.items.keys) == Set(shown.keys) && watched.invalidItem == nil)
      #expect(watched.interruption != nil && watched.failure == nil)
      try await pool.write {
        try $0.execute(
          sql: "UPDATE quake SET m = 9; ALTER TABLE quake RENAME COLUMN m TO magnitude")
      }
      #expect(
        await eventually {
          watched.items.values.allSatisfy { $0.magnitude == 9 } && watched.interruption == nil
        })
      #expect(watched.items.count == 3)
    }

    @Test
    func `a query begins on a connection that knows the table as it was`() async throws {
      let pool = try pool()
      try await pool.write { try Quake(1, 1).insert($0) }
      // The connection that reads learns the columns.
      #expect(try await pool.read { try Quake.fetchCount($0) } == 1)
      try await pool.write { try $0.execute(sql: "ALTER TABLE quake ADD COLUMN depth") }
      let watched = await Watched(SQLiteStore(pool, Quake.self, checkingEvery: nil))
      #expect(watched.items == ["us1": Quake(1, 1)] && watched.failure == nil)
      try await pool.write { try $0.execute(sql: "DELETE FROM quake") }
      #expect(await eventually { watched.items.isEmpty })
    }

    @Test
    func `C4: to ask whether others wrote reads no row`() async throws {
      let clock = ManualClock()
      let pool = try pool()
      try await pool.write { try Quake(1).insert($0) }
      let watched = await Watched(
        SQLiteStore(pool, Quake.self, checkingEvery: .seconds(1), clock: clock))
      let statements = Locked<[String]>([])
      try await pool.writeWithoutTransaction { db in
        db.trace { event in statements.withLock { $0.append("\(event)") } }
      }
      for _ in 0..<3 {
        #expect(await clock.sleepers(1))
        clock.advance(by: .seconds(1))
      }
      #expect(await clock.sleepers(1))
      #expect(statements.withLock { $0 }.contains { $0.contains("data_version") })
      #expect(!statements.withLock { $0 }.contains { $0.contains("quake") })
      #expect(await eventually { watched.items.count == 1 })
    }

    @Test
    func `a database that another process keeps to itself is waited for`() async throws {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let queue = try DatabaseQueue(path: file)
      try await queue.write { try SQLiteStore.createTable(like: Quake(0, 1), in: $0) }
      let store = SQLiteStore(queue, Quake.self, checkingEvery: nil)
      let watched = await Watched(store)
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      configuration.busyMode = .timeout(10)
      let other = try DatabaseQueue(path: file, configuration: configuration)
      try await other.writeWithoutTransaction { db in
        try Quake(1).insert(db)
        try db.execute(sql: "BEGIN EXCLUSIVE")
      }
      try await store.refresh()
      #expect(
        await eventually {
          (watched.interruption as? DatabaseError)?.resultCode == .SQLITE_BUSY
        })
      #expect(watched.failure == nil)
      try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
      try await store.refresh()
      #expect(await eventually { watched.interruption == nil && watched.items.count == 1 })
    }

    @Test
    func `what is committed while the rows are read is among the first results`() async throws {
      let writer = Shared<DatabasePool?>(nil)
      let passing = DatabaseFunction("passing", argumentCount: 1) { _ in
        try writer.value.withLock { $0.take() }?.write { try Quake(2).insert($0) }
        return 1
      }
      var configuration = Configuration()
      configuration.prepareDatabase { $0.add(function: passing) }
      try await pool().write { try Quake(1).insert($0) }
      let pool = try DatabasePool(path: file, configuration: configuration)
      writer.value.withLock { $0 = pool }
      let results = LiveResults(store: SQLiteStore(pool, Quake.self), window: .zero)
      let state = await results.fetch(.init { $0.filter(sql: "passing(id)") })
      #expect(
        state.failure == nil && results.value.items.map(\.id).sorted() == ["us1", "us2"])
    }

    @Test
    func `a text with NUL is refused, and nothing is written`() async throws {
      let pool = try pool()
      let store = SQLiteStore(pool, Quake.self)
      var (cut, other) = (Quake(1, 1), Quake(2, 1))
      cut.place = "a\0b"
      await #expect(throws: SQLiteStoreError.nul(column: "place", table: "quake")) {
        try await store.write(inserting: [Quake(3), cut])
      }
      other.id = "us2\0b"
      await #expect(throws: SQLiteStoreError.nul(column: "id", table: "quake")) {
        try await store.write(updating: [other])
      }
      #expect(try await pool.read { try Quake.fetchCount($0) } == 0)
      // There is no such row, and no other one is meant.
      try await store.write(inserting: [Quake(2, 1)])
      try await store.write(deleting: ["us2\0b"])
      #expect(try await store.items(withIDs: ["us2\0b", "us2"]) == [Quake(2, 1)])
      await #expect(throws: SQLiteStoreError.self) {
        try await store.write(ChangeBatch(), notes: ["page": Data()], of: "home\0b")
      }
    }
  }
#endif
