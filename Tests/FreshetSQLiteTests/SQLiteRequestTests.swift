#if SQLite
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  struct Region: ListItem, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "region"
    var id: String
    var name: String
  }

  struct Shock: ListItem, Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "shock"
    static let region = belongsTo(Region.self)
    var id: String
    var magnitude: Double
    var regionID: String?
  }

  /// A shock with what a request adds to it.
  struct DescribedShock: ListItem, Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "shock"
    static let region = belongsTo(Region.self)
    var id: String
    var magnitude: Double
    var region: Region?
    var energy: Double?
  }

  /// A region with its shocks, or their number.
  struct ActiveRegion: ListItem, Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "region"
    static let shocks = hasMany(Shock.self)
    var id: String
    var name: String
    var shocks: [Shock]?
    var shockCount: Int?
  }

  /// A row of a view.
  struct StrongShock: ListItem, Decodable, FetchableRecord, TableRecord {
    static let databaseTableName = "strong"
    var id: String
    var magnitude: Double
  }

  /// Every request that GRDB fetches shows what GRDB fetches, whatever happens.
  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteRequestTests {
    func database() throws -> DatabaseQueue {
      let queue = try DatabaseQueue()
      try queue.write { db in
        try db.execute(
          sql: """
            CREATE TABLE region (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE shock (
              id TEXT PRIMARY KEY, magnitude REAL NOT NULL,
              regionID TEXT REFERENCES region ON DELETE CASCADE);
            CREATE VIEW strong AS SELECT id, magnitude FROM shock WHERE magnitude >= 5;
            CREATE VIEW strongID AS SELECT id FROM strong;
            CREATE TABLE mark (id TEXT PRIMARY KEY) WITHOUT ROWID;
            INSERT INTO region VALUES ('r0', 'zero'), ('r1', 'one'), ('r2', 'two');
            INSERT INTO shock VALUES ('s0', 0, 'r0'), ('s1', 4, 'r1'), ('s6', 6, 'r1'), ('s7', 7, NULL);
            INSERT INTO mark VALUES ('s1'), ('s6')
            """)
      }
      return queue
    }

    /// Changes of every kind, one after the other.
    static let changes = [
      "UPDATE shock SET magnitude = 9 WHERE id = 's1'",
      "INSERT INTO shock VALUES ('s2', 5, 'r2')",
      "UPDATE region SET name = 'new' WHERE id = 'r1'",
      "UPDATE shock SET regionID = 'r0' WHERE id = 's6'",
      "INSERT OR REPLACE INTO shock VALUES ('s6', 2, 'r2')",
      "UPDATE OR REPLACE region SET name = 'zero' WHERE id = 'r2'",
      "DELETE FROM mark WHERE id = 's1'",
      "INSERT INTO mark VALUES ('s7')",
      "UPDATE shock SET id = 's8' WHERE id = 's7'",
      "DELETE FROM region WHERE id = 'r1'",
      "DELETE FROM mark",
      "UPDATE shock SET magnitude = magnitude + 1",
      "DELETE FROM shock",
    ]

    /// Runs a request, makes the changes, and compares with what GRDB fetches after each.
    func check<Item: ListItem & FetchableRecord & TableRecord>(
      _: Item.Type, location: SourceLocation = #_sourceLocation,
      _ request: @escaping @Sendable (QueryInterfaceRequest<Item>) -> some FetchRequest<Item>
    ) async throws {
      let queue = try database()
      let watched = await Watched(SQLiteStore(queue, Item.self), .init(request))
      for change in ["SELECT 1"] + Self.changes {
        try await queue.write { try $0.execute(sql: change) }
        let fetched = try await queue.read { try Item.fetchAll($0, request(Item.all())) }
        let expected = Dictionary(fetched.map { ($0.id, $0) }) { $1 }
        let isShown = await eventually { watched.items == expected }
        #expect(isShown && watched.failure == nil, "\(change)", sourceLocation: location)
      }
    }

    @Test
    func `an association comes with its rows`() async throws {
      try await check(DescribedShock.self) { $0.including(required: DescribedShock.region) }
      try await check(DescribedShock.self) { $0.including(optional: DescribedShock.region) }
      try await check(Shock.self) { $0.joining(required: Shock.region) }
      try await check(Shock.self) { $0.joining(optional: Shock.region) }
      try await check(ActiveRegion.self) { $0.including(all: ActiveRegion.shocks) }
      try await check(ActiveRegion.self) { $0.joining(required: ActiveRegion.shocks) }
    }

    @Test
    func `annotations and aggregates`() async throws {
      try await check(DescribedShock.self) {
        $0.annotated(with: (Column("magnitude") * 32).forKey("energy"))
          .filter { _ in Column("magnitude") >= 4 }
      }
      try await check(ActiveRegion.self) { $0.annotated(with: ActiveRegion.shocks.count) }
      try await check(ActiveRegion.self) { $0.having(ActiveRegion.shocks.isEmpty == false) }
      try await check(Shock.self) {
        $0.select(Column("id"), max(Column("magnitude")).forKey("magnitude"), Column("regionID"))
          .group(Column("regionID"))
      }
      try await check(DescribedShock.self) {
        $0.annotated(with: SQL(sql: "sum(magnitude) OVER () AS energy"))
      }
    }

    @Test
    func `common table expressions`() async throws {
      try await check(Shock.self) { all in
        let strong = CommonTableExpression(
          named: "big", request: SQLRequest<Row>(sql: "SELECT id FROM shock WHERE magnitude >= 5"))
        return all.with(strong).filter { _ in strong.contains(Column("id")) }
      }
      try await check(StrongShock.self) { all in
        let other = CommonTableExpression(
          named: "strong", sql: "SELECT rowid, id, 1.0 AS magnitude FROM region")
        return all.with(other)
      }
    }

    @Test
    func `a selection, an order, a limit, distinct rows`() async throws {
      try await check(Shock.self) { $0.select(Column("id"), Column("magnitude")) }
      try await check(StrongShock.self) { $0.select(Column("id"), Column("magnitude")) }
      try await check(Shock.self) { $0.order(Column("magnitude").desc).limit(2) }
      try await check(Shock.self) { $0.limit(2, offset: 1).reversed() }
      try await check(Shock.self) { $0.distinct() }
      try await check(Shock.self) { $0.none() }
    }

    @Test
    func `a view, and a filter through one on the same table`() async throws {
      try await check(StrongShock.self) { $0 }
      try await check(Shock.self) { $0.filter(sql: "id IN strongID") }
      try await check(Shock.self) {
        $0.filter(sql: "magnitude >= (SELECT max(magnitude) FROM strong)")
      }
      try await check(Shock.self) { $0.filter(sql: "id IN mark") }
      try await check(Shock.self) {
        $0.filter(sql: "NOT EXISTS (SELECT 1 FROM mark WHERE mark.id = shock.id)")
      }
      try await check(Shock.self) {
        $0.filter(sql: "(SELECT count(*) FROM shock AS s WHERE s.magnitude > shock.magnitude) < 2")
      }
    }

    @Test
    func `SQL of one's own`() async throws {
      try await check(Shock.self) { _ in
        SQLRequest(sql: "SELECT * FROM shock WHERE magnitude < 3 UNION SELECT * FROM shock")
      }
      try await check(DescribedShock.self) { _ in
        SQLRequest<DescribedShock>(
          sql: "SELECT shock.*, region.* FROM shock JOIN region ON region.id = regionID"
        ).adapted { _ in ScopeAdapter(["region": SuffixRowAdapter(fromIndex: 3)]) }
      }
      try await check(Shock.self) { $0.filter(sql: "id <> 'LIMIT GROUP' /* SELECT */") }
    }

    @Test
    func `a table without a rowid, and one of full text`() async throws {
      struct Mark: ListItem, Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "mark"
        var id: String
      }
      try await check(Mark.self) { $0 }
      let queue = try DatabaseQueue()
      try await queue.write { db in
        try db.execute(
          sql: "CREATE VIRTUAL TABLE mark USING fts5(id); INSERT INTO mark VALUES ('one two')")
      }
      let watched = await Watched(
        SQLiteStore(queue, Mark.self), .init { $0.filter(sql: "mark MATCH 'one'") })
      #expect(await eventually { watched.items.count == 1 })
      try await queue.write { try $0.execute(sql: "INSERT INTO mark VALUES ('one'), ('three')") }
      #expect(await eventually { Set(watched.items.keys) == ["one two", "one"] })
    }

    @Test
    func `what cannot be fetched says why`() async throws {
      let queue = try database()
      let missing = await Watched(
        SQLiteStore(queue, Shock.self), .init { $0.filter { _ in Column("height") > 3 } })
      #expect("\(try #require(missing.failure))".contains("height"))
      let unknown = await Watched(
        SQLiteStore(queue, DescribedShock.self), .init { $0.select(Column("id")) })
      #expect("\(try #require(unknown.invalidItem))".contains("magnitude"))
    }

    @Test
    func `C4: where each row stands alone, one change decodes one row`() async throws {
      struct Counted: ListItem, FetchableRecord, TableRecord {
        static let databaseTableName = "quake"
        static let decoded = Locked(0)
        let id: String
        let magnitude: Double

        init(row: Row) throws {
          (id, magnitude) = (row["id"], row["magnitude"])
          Self.decoded.withLock { $0 += 1 }
        }
      }
      let requests: [SQLiteStore<Counted>.Request] = [
        .all, .init { $0.filter { _ in Column("magnitude") >= 0 } },
        .init { $0.filter(sql: "place IS NULL OR place <> 'SELECT LIMIT'") },
        .init { $0.order(Column("magnitude")) },
        .init { $0.select(Column("id"), Column("magnitude")) },
        .init { $0.annotated(with: (Column("magnitude") * 2).forKey("double")) },
      ]
      for request in requests {
        let queue = try DatabaseQueue()
        try await queue.write { db in
          try SQLiteStore.createTable(like: Quake(0, 1), in: db)
          for number in 0..<100 { try Quake(number, 1).insert(db) }
        }
        let watched = await Watched(SQLiteStore(queue, Counted.self), request)
        #expect(await eventually { watched.items.count == 100 })
        let before = Counted.decoded.withLock { $0 }
        try await queue.write { try Quake(7, 2).update($0) }
        try await queue.write { try Quake(100, 2).insert($0) }
        try await queue.write {
          try $0.execute(sql: "INSERT OR REPLACE INTO quake VALUES ('us8', 4, '')")
        }
        #expect(
          await eventually { watched.items.count == 101 && watched.items["us8"]?.magnitude == 4 })
        #expect(Counted.decoded.withLock { $0 } == before + 3)
      }
    }
  }
#endif
