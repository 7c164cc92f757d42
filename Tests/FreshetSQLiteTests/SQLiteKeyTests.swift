#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetLists
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// Keys of every kind, and tables in other places.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteKeyTests {
    static let composed = "Orl\u{e9}ans"
    static let decomposed = "Orle\u{301}ans"

    struct Place<ID: Hashable & Sendable & Codable & DatabaseValueConvertible>: ListItem, Codable,
      FetchableRecord, PersistableRecord
    {
      static var databaseTableName: String { "place" }
      var id: ID
      var name: String
    }

    func places(_ schema: String = "id TEXT PRIMARY KEY, name TEXT") throws -> DatabaseQueue {
      let queue = try DatabaseQueue()
      try queue.write { try $0.execute(sql: "CREATE TABLE place (\(schema))") }
      return queue
    }

    @Test
    func `S2: ids that differ in how an accent is written are one item, and the results say so`()
      async throws
    {
      let queue = try places()
      let store = SQLiteStore(queue, Place<String>.self)
      func run(_ sql: String, _ id: String) async throws {
        try await queue.write { try $0.execute(sql: sql, arguments: [id]) }
      }
      for (id, name) in [(Self.decomposed, "two"), (Self.composed, "one"), ("Tours", "three")] {
        try await run("INSERT INTO place VALUES (?, '\(name)')", id)
      }
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      #expect(await eventually { results.fetchStatus.invalidItems == 1 })
      #expect(results.value.list.count == 2)
      let error = try #require(results.fetchStatus.invalidItem as? SQLiteStoreError)
      #expect(error == .duplicateID(table: "place", rowID: 1))
      #expect("\(error)".contains("BinaryText"))
      try await run("DELETE FROM place WHERE id = ?", Self.composed)
      #expect(
        await eventually {
          results.value.items.map(\.name) == ["three", "two"]
            && results.fetchStatus.invalidItems == 0
        })
    }

    @Test
    func `S2: a row that is not shown and displaced is counted no more`() async throws {
      let queue = try places("id TEXT PRIMARY KEY, name TEXT UNIQUE")
      let store = SQLiteStore(queue, Place<String>.self)
      func run(_ sql: String, _ id: String) async throws {
        try await queue.write { try $0.execute(sql: sql, arguments: [id]) }
      }
      try await run("INSERT INTO place VALUES (?, 'one')", Self.decomposed)
      try await run("INSERT INTO place VALUES (?, 'two')", Self.composed)
      try await run("INSERT INTO place VALUES (?, NULL)", "Tours")
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      #expect(await eventually { results.fetchStatus.invalidItems == 2 })
      // The covered row, the shown one, and the one that does not decode.
      try await run("INSERT OR REPLACE INTO place VALUES (?, 'three')", Self.decomposed)
      #expect(
        await eventually {
          results.value.items.map(\.name) == ["three"] && results.fetchStatus.invalidItems == 2
        })
      try await run("INSERT OR REPLACE INTO place VALUES (?, 'four')", Self.composed)
      #expect(
        await eventually {
          results.value.items.map(\.name) == ["four"] && results.fetchStatus.invalidItems == 2
        })
      try await run("INSERT OR REPLACE INTO place VALUES (?, 'five')", "Tours")
      #expect(
        await eventually {
          results.value.items.map(\.name) == ["five", "four"]
            && results.fetchStatus.invalidItems == 1
        })
    }

    @Test
    func `S1: rows that go while the schema changes go, whatever other rows are`() async throws {
      let queue = try places()
      let store = SQLiteStore(queue, Place<String>.self, checkingEvery: .milliseconds(20))
      try await queue.write {
        try $0.execute(sql: "INSERT INTO place VALUES ('a', 'A'), ('b', NULL), ('c', 'C')")
      }
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      #expect(results.value.list.count == 2)
      try await queue.write {
        try $0.execute(
          sql: "DELETE FROM place WHERE id IN ('a', 'c'); CREATE INDEX by_name ON place (name)")
      }
      #expect(
        await eventually { results.value.list.isEmpty && results.fetchStatus.interruption == nil })
      #expect(results.fetchStatus.invalidItems == 1)
      // Where none of the shown ones decodes, those that went go.
      try await queue.write {
        try $0.execute(sql: "INSERT INTO place VALUES ('d', 'D'), ('e', 'E')")
      }
      #expect(await eventually { results.value.list.count == 2 })
      try await queue.write {
        try $0.execute(
          sql: "DELETE FROM place WHERE id = 'd'; ALTER TABLE place RENAME COLUMN name TO title")
      }
      #expect(
        await eventually {
          results.value.items.map(\.id) == ["e"] && results.fetchStatus.interruption != nil
        })
      try await queue.write { try $0.execute(sql: "INSERT INTO place VALUES ('f', 'F')") }
      try await queue.write {
        try $0.execute(sql: "ALTER TABLE place RENAME COLUMN title TO name")
      }
      #expect(
        await eventually {
          results.value.items.map(\.id) == ["e", "f"] && results.fetchStatus.interruption == nil
        })
    }

    @Test
    func `S3: rows that decode again are shown where the file is not looked at`() async throws {
      let queue = try places()
      let store = SQLiteStore(queue, Place<String>.self, checkingEvery: nil)
      try await queue.write { try $0.execute(sql: "INSERT INTO place VALUES ('a', 'A')") }
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      try await queue.write { try $0.execute(sql: "ALTER TABLE place RENAME COLUMN name TO title") }
      #expect(await eventually { results.fetchStatus.interruption != nil })
      try await queue.write {
        try $0.execute(
          sql: "INSERT INTO place VALUES ('b', 'B'); ALTER TABLE place RENAME COLUMN title TO name")
      }
      #expect(
        await eventually {
          results.value.items.map(\.id) == ["a", "b"] && results.fetchStatus.interruption == nil
        })
    }

    @Test
    func `S1: what a statement did before it failed shows`() async throws {
      let queue = try places("id TEXT PRIMARY KEY, name TEXT CHECK (name <> 'bad')")
      let store = SQLiteStore(queue, Place<String>.self, checkingEvery: .milliseconds(20))
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      await #expect(throws: DatabaseError.self) {
        try await queue.writeWithoutTransaction {
          try $0.execute(sql: "INSERT OR FAIL INTO place VALUES ('a', 'A'), ('b', 'bad')")
        }
      }
      #expect(await eventually { results.value.items.map(\.id) == ["a"] })
    }

    struct Trip: ListItem, Codable, FetchableRecord, TableRecord {
      static let databaseTableName = "trip"
      static let place = hasMany(Stop.self)
      var id: Int
      var name: String
    }
    struct Stop: Codable, TableRecord {
      static let databaseTableName = "stop"
    }

    @Test
    func `L1: an item that a join has several times is one, and nothing is wrong`() async throws {
      let queue = try DatabaseQueue()
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE trip (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE stop (id INTEGER PRIMARY KEY, tripId INTEGER REFERENCES trip);
            INSERT INTO trip VALUES (1, 'a'), (2, 'b'); INSERT INTO stop VALUES (1, 1), (2, 1)
            """)
      }
      let store = SQLiteStore(queue, Trip.self)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.init { $0.joining(required: Trip.place) }) == .loaded)
      #expect(results.value.items.map(\.id) == [1] && results.fetchStatus.invalidItems == 0)
      try await queue.write { try $0.execute(sql: "INSERT INTO stop VALUES (3, 2), (4, 1)") }
      #expect(await eventually { results.value.items.map(\.id) == [1, 2] })
      #expect(results.fetchStatus.invalidItems == 0)
    }

    @Test
    func `ids of bytes are as many items as there are rows`() async throws {
      let queue = try places()
      let store = SQLiteStore(queue, Place<BinaryText>.self)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      try await store.write(
        inserting: [
          Place(id: BinaryText(Self.composed), name: "a"),
          Place(id: BinaryText(Self.decomposed), name: "b"),
        ])
      #expect(await eventually { results.value.items.map(\.name) == ["a", "b"] })
      try await store.write(updating: [Place(id: BinaryText(Self.decomposed), name: "c")])
      #expect(await eventually { results.value.items.map(\.name) == ["a", "c"] })
      try await queue.write {
        try $0.execute(sql: "DELETE FROM place WHERE id = ?", arguments: [Self.composed])
      }
      #expect(await eventually { results.value.items.map(\.name) == ["c"] })
      #expect(results.fetchStatus.invalidItems == 0)
    }

    @Test(arguments: ["", " WITHOUT ROWID"])
    func `bytes are a key`(kind: String) async throws {
      let queue = try DatabaseQueue()
      try await queue.write {
        try $0.execute(sql: "CREATE TABLE place (id BLOB PRIMARY KEY NOT NULL, name TEXT)\(kind)")
      }
      let store = SQLiteStore(queue, Place<Data>.self)
      let results = LiveResults(store: store, arrangement: .sorted(by: \.name), window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      let (first, second) = (Data([0, 1, 0xFF]), Data([0]))
      try await store.write(
        inserting: [Place(id: first, name: "a"), Place(id: second, name: "b")])
      #expect(await eventually { results.value.items.map(\.id) == [first, second] })
      try await queue.write {
        try $0.execute(sql: "UPDATE place SET id = x'02', name = 'c' WHERE id = x'00'")
      }
      #expect(await eventually { results.value.items.map(\.id) == [first, Data([2])] })
      try await store.write(deleting: [first])
      #expect(await eventually { results.value.items.map(\.name) == ["c"] })
    }

    @Test
    func `an attached database changes nothing, and its tables are followed`() async throws {
      let queue = try places()
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO place VALUES ('Tours', 'a')")
      }
      try await queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            ATTACH ':memory:' AS other; CREATE TABLE other.place (id TEXT PRIMARY KEY, name TEXT);
            CREATE TABLE other.note (id TEXT PRIMARY KEY, name TEXT);
            INSERT INTO other.note VALUES ('n', 'note')
            """)
      }
      let results = LiveResults(
        store: SQLiteStore(queue, Place<String>.self), arrangement: .sorted(by: \.name),
        window: .zero)
      let joined = LiveResults(
        store: SQLiteStore(queue, Place<String>.self), arrangement: .sorted(by: \.name),
        window: .zero)
      #expect(await results.fetch(.all) == .loaded)
      #expect(
        await joined.fetch(.init { $0.filter(sql: "EXISTS (SELECT 1 FROM other.note)") }) == .loaded
      )
      // A table of the same name in another database is another table.
      try await queue.write { try $0.execute(sql: "INSERT INTO other.place VALUES ('Paris', 'b')") }
      try await queue.write { try $0.execute(sql: "INSERT INTO main.place VALUES ('Nice', 'c')") }
      #expect(await eventually { results.value.items.map(\.id) == ["Tours", "Nice"] })
      #expect(await eventually { joined.value.items.map(\.id) == ["Tours", "Nice"] })
      try await queue.write { try $0.execute(sql: "DELETE FROM other.note") }
      #expect(await eventually { joined.value.list.count == 0 })
      #expect(results.value.list.count == 2)
    }
  }
#endif
