#if SQLite
  import Foundation
  import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  // What tables may be like.
  extension SQLiteStoreTests {
    @Test
    func `an integer key that changes is another row`() async throws {
      struct Numbered: ListItem, Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "numbered"
        var id: Int
        var title = ""
      }
      let queue = try DatabaseQueue()
      try await queue.write { db in
        try SQLiteStore.createTable(like: Numbered(id: 0), in: db)
        for id in 0..<5 { try Numbered(id: id).insert(db) }
      }
      let results = LiveResults(
        store: SQLiteStore(queue, Numbered.self), arrangement: .sorted(by: \.id), window: .zero)
      await results.fetch(.all)
      try await queue.write { try $0.execute(sql: "UPDATE numbered SET id = 70 WHERE id = 4") }
      var updates = results.updates.makeAsyncIterator()
      while results.value.items.map(\.id) != [0, 1, 2, 3, 70], await updates.next() != nil {}
      try await queue.write { try $0.execute(sql: "UPDATE numbered SET rowid = 80 WHERE id = 3") }
      while results.value.items.map(\.id) != [0, 1, 2, 70, 80], await updates.next() != nil {}
    }

    @Test
    func `S2: a text where a number belongs is zero, and NULL where a value belongs no row`()
      async throws
    {
      let queue = try DatabaseQueue()
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE quake (id TEXT PRIMARY KEY, magnitude REAL, place TEXT);
            INSERT INTO quake VALUES ('us1', 'strong', NULL), ('us2', NULL, NULL)
            """)
      }
      let results = LiveResults(store: SQLiteStore(queue, Quake.self), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      #expect(results.value.items.map(\.id) == ["us1"])
      #expect(results.value.items.map(\.magnitude) == [0])
      #expect(results.fetchStatus.invalidItems == 1)
    }

    @Test
    func `a table that cannot be a store says why`() async throws {
      let queue = try DatabaseQueue()
      let store = SQLiteStore(queue, Quake.self)
      let results = LiveResults(store: store)
      let failure = await results.fetch(.all).failure as? SQLiteStoreError
      #expect(failure == .noTable("quake"))
      #expect("\(try #require(failure))".contains("createTable"))
    }

    @Test(arguments: ["region", "shock"])
    func `S3: a table that goes and comes back interrupts a query that reads it, no more`(
      table: String
    ) async throws {
      struct Shock: ListItem, Codable, FetchableRecord, PersistableRecord {
        var id: Int
        var place = 1
      }
      let queue = try DatabaseQueue()
      try await queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE region (id INTEGER PRIMARY KEY, active);
            CREATE TABLE shock (id INTEGER PRIMARY KEY, place);
            INSERT INTO region VALUES (1, 1), (2, 0);
            INSERT INTO shock VALUES (1, 1), (2, 2), (3, 1)
            """)
      }
      let watched = await Watched(
        SQLiteStore(queue, Shock.self),
        .init { $0.filter(sql: "place IN (SELECT id FROM region WHERE active)") })
      #expect(watched.items.keys.sorted() == [1, 3])

      try await queue.write { try $0.execute(sql: "ALTER TABLE \(table) RENAME TO away") }
      #expect(await eventually { watched.interruption != nil })
      #expect(watched.items.keys.sorted() == [1, 3] && watched.failure == nil)
      try await queue.write { db in
        try db.execute(sql: "ALTER TABLE away RENAME TO \(table)")
        try Shock(id: 4).insert(db)
      }
      #expect(await eventually { watched.items.keys.sorted() == [1, 3, 4] })
      #expect(await eventually { watched.interruption == nil })
      #expect(watched.failure == nil)
    }

    @Test
    func `a primary key that is not the id changes no row that is not meant`() async throws {
      struct Numbered: ListItem, Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "numbered"
        var id: Int
        var title = ""
      }
      for schema in ["pk INTEGER PRIMARY KEY, id INTEGER UNIQUE, title", "id INTEGER, title"] {
        let queue = try DatabaseQueue()
        try await queue.write { db in
          try db.execute(
            sql: """
              CREATE TABLE numbered (\(schema));
              INSERT INTO numbered (rowid, id, title) VALUES (5, 100, ''), (6, 5, '')
              """)
        }
        let store = SQLiteStore(queue, Numbered.self)
        await #expect(throws: SQLiteStoreError.noKey(table: "numbered")) {
          try await store.write(deleting: [5])
        }
        await #expect(throws: SQLiteStoreError.noKey(table: "numbered")) {
          try await store.write(inserting: [Numbered(id: 1)])
        }
        #expect(try await queue.read { try Numbered.fetchCount($0) } == 2)
      }
    }

    @Test
    func `a file of its own is private, keeps its rows, and learns new columns`() async throws {
      struct OldQuake: ListItem, Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "quake"
        var id: String
        var magnitude: Double
      }
      let file = folder.url.appending(path: "deep/quakes.sqlite")
      do {
        let store = try SQLiteStore(at: file, like: OldQuake(id: "us1", magnitude: 2))
        try await store.write(inserting: [OldQuake(id: "us1", magnitude: 2)])
      }
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect((mode as? NSNumber)?.intValue == 0o600)
      let store = try SQLiteStore(at: file, like: Quake(0, 1))
      try await store.write(inserting: [Quake(2, 1)])
      let results = LiveResults(store: store, arrangement: .sorted(by: \.id))
      await results.fetch(.all)
      var first = Quake(1, 2)
      first.place = nil
      #expect(Array(results.value.items) == [first, Quake(2, 1)])
    }
  }
#endif
