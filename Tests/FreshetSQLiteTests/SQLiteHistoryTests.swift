#if SQLite
  @testable import Freshet
  @testable import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// A row of a table that the tests make in many ways.
  struct Entry: ListItem, Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "entry"
    var id: String
    var slug: String?
    var size: Int
  }

  /// After any history of statements, a query knows what there is.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteHistoryTests {
    static let tables = [
      "CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER)",
      "CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT UNIQUE, size INTEGER)",
      "CREATE TABLE entry (id TEXT PRIMARY KEY COLLATE NOCASE, slug TEXT, size INTEGER)",
      "CREATE TABLE entry (id TEXT PRIMARY KEY ON CONFLICT REPLACE, slug TEXT, size INTEGER)",
      "CREATE TABLE entry (number INTEGER PRIMARY KEY, id TEXT UNIQUE, slug TEXT, size INTEGER)",
      "CREATE TABLE entry (slug TEXT PRIMARY KEY, id TEXT UNIQUE, size INTEGER)",
      "CREATE TABLE entry (id TEXT UNIQUE, slug TEXT, size INTEGER, PRIMARY KEY (slug, size))",
      "CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER) WITHOUT ROWID",
      """
      CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER);
      CREATE UNIQUE INDEX lower ON entry (lower(slug))
      """,
      """
      CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER);
      CREATE UNIQUE INDEX big ON entry (slug) WHERE size > 2
      """,
      """
      CREATE TABLE entry (
        id TEXT PRIMARY KEY, slug TEXT, size INTEGER, twice TEXT AS (slug || slug) UNIQUE)
      """,
      "CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER, rowid TEXT)",
      """
      CREATE TABLE entry (
        id TEXT PRIMARY KEY, slug TEXT, size INTEGER, rowid TEXT, _rowid_ TEXT, oid TEXT)
      """,
      """
      CREATE TABLE entry (
        rowid INTEGER PRIMARY KEY, id TEXT UNIQUE, slug TEXT, size INTEGER, freshet_rowid INTEGER,
        freshet_key TEXT)
      """,
    ]

    static let requests: [SQLiteStore<Entry>.Request] = [
      .all, .init { $0.filter { _ in Column("size") >= 2 } },
      .init { $0.select(Column("id"), Column("size")) }, .init { $0.limit(3) },
    ]

    /// A statement of any kind about few ids and slugs, so that they are often in each other's way.
    func statement(_ generator: inout SeededGenerator) -> String {
      func id() -> String { "'\("aAbBcd".randomElement(using: &generator) ?? "a")'" }
      func slug() -> String {
        ["NULL", "'x'", "'X'", "'y'", "'z'"].randomElement(using: &generator) ?? ""
      }
      func row() -> String { "(\(id()), \(slug()), \(Int.random(in: 0...4, using: &generator)))" }
      let conflict = ["OR REPLACE", "OR IGNORE"].randomElement(using: &generator) ?? ""
      let size = Int.random(in: 0...4, using: &generator)
      return switch Int.random(in: 0..<9, using: &generator) {
      case 0...2: "INSERT \(conflict) INTO entry (id, slug, size) VALUES \(row()), \(row())"
      case 3: "DELETE FROM entry WHERE id = \(id())"
      case 4: "UPDATE \(conflict) entry SET slug = \(slug()) WHERE id = \(id())"
      case 5: "UPDATE \(conflict) entry SET size = \(size), slug = \(slug()) WHERE id >= \(id())"
      case 6: "UPDATE \(conflict) entry SET size = \(size) WHERE slug = \(slug())"
      case 7: "UPDATE \(conflict) entry SET id = \(id()) WHERE id = \(id())"
      default: "DELETE FROM entry"
      }
    }

    @Test(arguments: 0..<tables.count)
    func `every row that goes is told, in whatever way it goes`(number: Int) async throws {
      for seed in SeededGenerator.seeds(50) {
        var generator = SeededGenerator(seed: seed)
        let queue = try DatabaseQueue()
        let table = Self.tables[number]
        try await queue.write { try $0.execute(sql: table) }
        let store = SQLiteStore(queue, Entry.self)
        var watched: [Watched<Entry>] = []
        for request in Self.requests { watched.append(await Watched(store, request)) }
        var history: [String] = []
        for _ in 0..<25 {
          let statements = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            statement(&generator)
          }
          history.append(statements.joined(separator: "; "))
          let undoes = generator.oneIn(4)
          try await queue.write { db in
            for (index, statement) in statements.enumerated() {
              try db.inSavepoint {
                try db.execute(sql: statement)
                return undoes && index == 1 ? .rollback : .commit
              }
            }
          }
          for (watched, request) in zip(watched, Self.requests) {
            let rows = try await queue.read { try Entry.fetchAll($0, request.make(Entry.all())) }
            let expected = Dictionary(rows.map { ($0.id, $0) }) { $1 }
            let isShown = await eventually { watched.items == expected }
            guard isShown, watched.failure == nil else {
              Issue.record(
                """
                \(table), seed \(seed), after \(history.joined(separator: "\n")): \
                \(watched.items) and not \(expected); \(watched.failure as Any)
                """)
              return
            }
          }
        }
      }
    }

    // MARK: - By hand

    func entries(_ schema: String, _ rows: String) async throws -> (DatabaseQueue, Watched<Entry>) {
      let queue = try DatabaseQueue()
      try await queue.write {
        try $0.execute(sql: "\(schema); INSERT INTO entry (id, slug, size) VALUES \(rows)")
      }
      return (queue, await Watched(SQLiteStore(queue, Entry.self)))
    }

    @Test
    func `a row that was replaced and deleted in one transaction goes`() async throws {
      let (queue, watched) = try await entries(Self.tables[0], "('a', 'x', 1), ('b', 'y', 2)")
      try await queue.write {
        try $0.execute(
          sql: "INSERT OR REPLACE INTO entry VALUES ('a', 'z', 3); DELETE FROM entry WHERE id = 'a'"
        )
      }
      #expect(await eventually { watched.items.keys.sorted() == ["b"] })
    }

    @Test
    func `a row of another id that was replaced goes`() async throws {
      let (queue, watched) = try await entries(Self.tables[1], "('a', 'x', 1), ('b', 'y', 2)")
      try await queue.write {
        try $0.execute(sql: "INSERT OR REPLACE INTO entry VALUES ('c', 'x', 3)")
      }
      #expect(await eventually { watched.items.keys.sorted() == ["b", "c"] })
      try await queue.write {
        try $0.execute(sql: "UPDATE OR REPLACE entry SET slug = 'y' WHERE id = 'c'")
      }
      #expect(await eventually { watched.items.keys.sorted() == ["c"] })
    }

    @Test
    func `a column named rowid is a column like any other`() async throws {
      for schema in Self.tables.suffix(3) {
        let (queue, watched) = try await entries(schema, "('a', 'x', 1), ('b', 'y', 2)")
        try await queue.write { db in
          try db.execute(sql: "UPDATE entry SET size = 5 WHERE id = 'a'")
          try db.execute(sql: "INSERT INTO entry (id, slug, size) VALUES ('c', 'z', 3)")
        }
        #expect(watched.failure == nil)
        #expect(await eventually { watched.items.mapValues(\.size) == ["a": 5, "b": 2, "c": 3] })
      }
    }

    @Test
    func `a table that is made anew, cleaned up or altered goes on`() async throws {
      let (queue, watched) = try await entries(
        "CREATE TABLE entry (id TEXT PRIMARY KEY, slug TEXT, size INTEGER)",
        "('a', 'x', 1), ('b', 'y', 2), ('c', 'z', 3)")
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE other (size INTEGER, slug TEXT UNIQUE, id TEXT);
            INSERT INTO other (id, slug, size) VALUES ('b', 'y', 7), ('d', 'z', 4);
            DROP TABLE entry; ALTER TABLE other RENAME TO entry
            """)
      }
      #expect(await eventually { watched.items.mapValues(\.size) == ["b": 7, "d": 4] })
      try await queue.write {
        try $0.execute(sql: "INSERT OR REPLACE INTO entry (id, slug, size) VALUES ('e', 'z', 5)")
      }
      #expect(await eventually { watched.items.mapValues(\.size) == ["b": 7, "e": 5] })
      try await queue.vacuum()
      try await queue.write { try $0.execute(sql: "DELETE FROM entry WHERE id = 'b'") }
      #expect(await eventually { watched.items.mapValues(\.size) == ["e": 5] })
      try await queue.write { try $0.execute(sql: "ALTER TABLE entry ADD COLUMN more") }
      try await queue.write { try $0.execute(sql: "UPDATE entry SET size = 8") }
      #expect(
        await eventually {
          watched.items.mapValues(\.size) == ["e": 8] && watched.failure == nil
        })
    }

    @Test
    func `while the table is gone the query says so, and goes on when it is back`() async throws {
      let (queue, watched) = try await entries(Self.tables[0], "('a', 'x', 1)")
      try await queue.write { try $0.execute(sql: "DROP TABLE entry") }
      #expect(await eventually { watched.interruption as? SQLiteStoreError == .noTable("entry") })
      #expect(await eventually { watched.items.keys.sorted() == ["a"] && watched.failure == nil })
      try await queue.write {
        try $0.execute(sql: "\(Self.tables[1]); INSERT INTO entry VALUES ('b', 'y', 2)")
      }
      #expect(await eventually { watched.interruption == nil })
      #expect(await eventually { watched.items.keys.sorted() == ["b"] })
    }

    @Test(arguments: ["VIRTUAL", "STORED"])
    func `a column that is computed of others changes with them`(kind: String) async throws {
      let database = try DatabaseQueue()
      try await database.write { db in
        try db.execute(
          sql: """
            CREATE TABLE entry (
              id TEXT PRIMARY KEY, slug TEXT, price INTEGER, size INTEGER AS (price * 2) \(kind));
            INSERT INTO entry (id, price) VALUES ('a', 1)
            """)
      }
      let store = SQLiteStore(database, Entry.self, checkingEvery: nil)
      let request = SQLiteStore<Entry>.Request {
        $0.select(Column("id"), Column("slug"), Column("size"))
      }
      let watched = await Watched(store, request)
      try await database.write { try $0.execute(sql: "UPDATE entry SET price = 10") }
      #expect(await eventually { watched.items["a"]?.size == 20 })
    }

    @Test
    func `a row that another one took the place of goes, however like ids its places are`()
      async throws
    {
      let database = try DatabaseQueue()
      try await database.write { db in
        try db.execute(
          sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, position INTEGER UNIQUE)")
        for id in 1...1200 {
          let position = id == 1100 ? 1200 : id == 1200 ? 1100 : id
          try db.execute(sql: "INSERT INTO place VALUES (?, ?)", arguments: [id, position])
        }
      }
      let watched = await Watched(SQLiteStore(database, Place.self, checkingEvery: nil))
      try await database.write {
        try $0.execute(sql: "INSERT OR REPLACE INTO place VALUES (1200, 1200)")
      }
      #expect(await eventually { watched.items[1100] == nil && watched.items.count == 1199 })
    }
  }

  /// A row with a place of its own.
  struct Place: ListItem, Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "place"
    var id: Int64
    var position: Int64
  }
#endif
