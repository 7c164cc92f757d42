#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  @Suite(.timeLimit(.minutes(5)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresFeedSourceTests {
    typealias Source = PostgresFeedSource<Sample>

    /// A table of a database of its own: some rows have the same value, and every tenth has none.
    static func table(
      _ index: String = "a, number", of count: Int
    ) async throws -> (SharedDatabase, PostgresStore<Sample>) {
      let database = try await SharedDatabase(
        "(number integer PRIMARY KEY, note integer, a integer, b text, c json)")
      try await database.owner().run(
        """
        CREATE INDEX sorted ON quake (\(index));
        INSERT INTO quake SELECT number, 0,
          CASE WHEN number % 10 <> 0 THEN number / 7 END, 'b' || number % 3
        FROM pg_catalog.generate_series(1, \(count)) AS number;
        ANALYZE quake
        """)
      let string = database.server.database(database.name)
      return (database, PostgresStore(string, table: "quake", key: "number"))
    }

    // MARK: - Cost

    static let orders: [(index: String, order: [SortColumn])] = [
      ("a, number", [.ascending("a")]), ("a, number", [.descending("a")]),
      ("a, number", [.ascending("a", nulls: .first)]),
      ("a, number", [.descending("a", nulls: .last)]),
      ("b, a DESC, number", [.ascending("b"), .descending("a")]),
      ("b COLLATE \"und-x-icu\", number", [.descending("b", collation: "und-x-icu")]),
      ("a", []),
    ]

    @Test(arguments: orders.indices)
    func `W4: no page reads the table: each range is found in the index`(number: Int) async throws {
      let (index, order) = Self.orders[number]
      let (_, store) = try await Self.table(index, of: 5_000)
      let source = Source(store, sortedBy: order)
      let (connection, table) = try await store.link.connection(sortedBy: order)
      for row in [0, 5, 1_700, 2_501, 3_500, 4_960] {
        let page = try await source.page(
          PageRequest(key: source.key(ofRowAt: row), limit: 20))
        #expect(page.items.count == 20)
        for key in [page.next, page.previous].compactMap(\.self) {
          let query = KeysetQuery.page(
            try table.order.ranges(for: key) { $0 }, limit: 21,
            behind: try table.order.ranges(for: key.opposite) { $0 }, .all, of: table
          ).explained
          let plan = try await connection.run(query.text, query.arguments)
            .compactMap { $0[0] }.joined()
          #expect(!plan.contains("Seq Scan") && plan.contains("Index"), "\(plan)")
        }
      }
    }

    @Test
    func `a number of rows is exact, or an estimate of the planner's`() async throws {
      let (_, store) = try await Self.table(of: 5_000)
      #expect(try await Source(store, sortedBy: []).count() == 5_000)
      #expect(try await Source(store, sortedBy: []).estimatedCount() == 5_000)
      let some = Source(store, sortedBy: [], where: "b = \("b1")")
      #expect(try await some.count() == 1_667)
      #expect(try await (1_500...1_800).contains(some.estimatedCount()))
    }

    @Test
    func `W5: sections are counted as PostgreSQL groups them, with the values of both expressions`()
      async throws
    {
      let (_, store) = try await Self.table(of: 100)
      let some = Source(store, sortedBy: [.ascending("a")], where: "b <> \("b0") AND a < \(9)")
      let counts = try await some.sectionCounts(by: "b || \("; ") || a / \(4) -- by fours")
      #expect(counts == ["b1; 0": 8, "b2; 0": 8, "b1; 1": 9, "b2; 1": 8, "b1; 2": 2, "b2; 2": 3])
      #expect(counts.values.reduce(0, +) == (try await some.count()))
      let all = Source(store, sortedBy: [])
      #expect(try await all.sectionCounts(by: "a IS NULL") == ["true": 10, "false": 90])
      #expect(try await all.sectionCounts(by: "a / 100") == ["0": 90, "": 10])
      await #expect(throws: PostgresError.self) { try await all.sectionCounts(by: "nothing") }
    }

    @Test func `W5: PostgreSQL computes values of all rows, and of those of sections`() async throws
    {
      let (_, store) = try await Self.table(of: 100)
      let some = Source(store, sortedBy: [.ascending("a")], where: "b <> \("b0") AND a < \(9)")
      let sums: [String: Int] = try await some.sectionValues(
        of: "sum(a) * \(10) -- tenfold", by: "b || \("; ") || a / \(4)", uniquingKeysWith: +)
      let numbers = (1...62).filter { $0 % 10 != 0 && $0 % 3 != 0 }
      let groups = Dictionary(grouping: numbers) { "b\($0 % 3); \($0 / 7 / 4)" }
      #expect(sums == groups.mapValues { $0.reduce(0) { $0 + $1 / 7 * 10 } })
      #expect(try await some.value(of: "count(*)") == numbers.count)
      let date: Date? = try await some.value(of: "max('2026-05-01T10:00:00Z'::timestamptz)")
      #expect(date == (try Date("2026-05-01T10:00:00Z", strategy: .iso8601)))
      let none = Source(store, sortedBy: [], where: "FALSE")
      #expect(try await none.value(of: "sum(a)") == Int?.none)
      #expect(try await none.value(of: "count(*)") == 0)
      let empty: [String: Int] = try await none.sectionValues(
        of: "sum(a)", by: "b", uniquingKeysWith: +)
      #expect(empty.isEmpty)
      await #expect(throws: PostgresError.value(type: "Bool", table: "public.quake")) {
        let _: Bool? = try await some.value(of: "max(b)")
      }
    }

    @Test func `W1: a feed of a large table has the planner's estimate as its total`() async throws
    {
      let (_, store) = try await Self.table(of: 5_000)
      let feed = Feed(Source(store, sortedBy: []))
      await feed.refresh()
      #expect(feed.value.state.total == .estimated(5_000))
      await feed.loadNext()
      #expect(feed.value.state.total == .estimated(5_000))
      let source = Source(store, sortedBy: [])
      let middle = Feed(source, startingAt: try await source.key(ofRowAt: 2_000))
      await middle.refresh()
      #expect(middle.value.state.rowsAbove == .estimated(2_000))
      #expect(middle.value.state.rowsBelow == .estimated(2_950))
      let (_, few) = try await Self.table(of: 20)
      let whole = Feed(Source(few, sortedBy: []))
      await whole.refresh()
      #expect(whole.value.state.total == .exact(20))
    }

    // MARK: - Keys

    @Test
    func `a key leads to an item, to values, and to no row that the request does not have`()
      async throws
    {
      let (_, store) = try await Self.table(of: 100)
      let source = Source(store, sortedBy: [.descending("a")], where: "b <> \("b0")")
      func first(_ key: KeysetKey?) async throws -> Int? {
        guard let key else { return nil }
        return try await source.page(PageRequest(key: key, limit: 3)).items.first?.id
      }
      #expect(try await first(source.key(of: 50)) == 50)
      // Its `b` is another one.
      #expect(try await source.key(of: 51) == nil)
      #expect(try await source.key(of: 101) == nil)
      #expect(try await first(source.key(at: [5])) == 41)
      #expect(try await first(source.key(at: [5, 39])) == 38)
      // In descending order, PostgreSQL sorts NULL first.
      #expect(try await first(source.key(at: [nil])) == 100)
      #expect(try await first(source.key(at: [1_000_000])) == 98)
      #expect(try await source.key(at: [-1]) == nil)
      #expect(try await source.key(ofRowAt: -1) == nil)
      await #expect(throws: PostgresError.self) { try await source.key(at: ["five"]) }
    }

    @Test
    func `a key of another order makes the feed start again from its head`() async throws {
      let (database, store) = try await Self.table(of: 1_000)
      let old = Source(store, sortedBy: [.ascending("a")])
      let key = try #require(try await old.key(ofRowAt: 500))
      for order: [SortColumn] in [
        [], [.descending("a")], [.ascending("b")], [.ascending("a"), .ascending("b")],
        [.ascending("a", nulls: .first)],
      ] {
        let source = Source(store, sortedBy: order)
        let error = await #expect(throws: FeedError.self) {
          try await source.page(PageRequest(key: key))
        }
        guard case .staleKey = error else { return #expect(error == nil) }
        let feed = Feed(source, startingAt: key)
        await feed.refresh()
        let head = try await source.page(PageRequest())
        #expect(Array(feed.value.items) == head.items)
      }
      // Values that a column no longer has.
      let texts = Source(store, sortedBy: [.ascending("b")])
      let other = try #require(try await texts.key(ofRowAt: 500))
      try await database.owner().run("ALTER TABLE quake ALTER b TYPE integer USING number")
      let error = await #expect(throws: FeedError.self) {
        try await texts.page(PageRequest(key: other))
      }
      guard case .staleKey = error else { return #expect(error == nil) }
    }

    // MARK: - Problems

    @Test
    func `S2: a row that does not decode is reported and skipped, and pages go on after it`()
      async throws
    {
      let (database, store) = try await Self.table(of: 100)
      try await database.owner().run(
        "UPDATE quake SET note = NULL, b = 's3cret' WHERE number BETWEEN 5 AND 30")
      let source = Source(store, sortedBy: [.ascending("number")])
      var (ids, invalid, key) = ([Int](), 0, nil as KeysetKey?)
      repeat {
        let page = try await source.page(PageRequest(key: key, limit: 10))
        ids += page.items.map(\.id)
        invalid += page.invalidItems
        if let error = page.invalidItem {
          #expect("\(error)".contains("note") && !"\(error)".contains("s3cret"))
          guard case .source(PostgresError.row("public.quake", let row, _)) = error else {
            return #expect(error == .source(CancellationError()))
          }
          #expect(["5", "11", "21"].contains(row))
        }
        key = page.next
      } while key != nil
      #expect(ids == Array(1...4) + Array(31...100) && invalid == 26)
    }

    @Test
    func `what a table cannot be read by is an error with a name`() async throws {
      let (database, store) = try await Self.table(of: 10)
      func fails(_ order: [SortColumn], _ error: PostgresError) async {
        await #expect(throws: error) {
          try await Source(store, sortedBy: order).page(PageRequest())
        }
      }
      await fails([.ascending("missing")], .noColumn("missing", table: "quake"))
      await fails([.ascending("c")], .noOrder("c", table: "quake"))
      await fails([.ascending("b", collation: "none")], .noCollation("none"))
      let owner = try await database.owner()
      try await owner.run("CREATE TABLE child () INHERITS (quake)")
      await fails([], .noPrimaryKey(table: "quake"))
      try await owner.run("DROP TABLE child; ALTER TABLE quake DROP CONSTRAINT quake_pkey")
      await fails([], .noPrimaryKey(table: "quake"))
      try await owner.run("ALTER TABLE quake RENAME TO other; CREATE VIEW quake AS TABLE other")
      await fails([], .noPrimaryKey(table: "quake"))
      try await owner.run("DROP VIEW quake")
      await fails([], .noTable("quake"))
    }

    @Test
    func `the rows of a partitioned table are one list`() async throws {
      let database = try await SharedDatabase("(number integer)")
      try await database.owner().run(
        """
        DROP TABLE quake;
        CREATE TABLE quake (number integer PRIMARY KEY, note integer) PARTITION BY HASH (number);
        CREATE TABLE p0 PARTITION OF quake FOR VALUES WITH (MODULUS 2, REMAINDER 0);
        CREATE TABLE p1 PARTITION OF quake FOR VALUES WITH (MODULUS 2, REMAINDER 1);
        INSERT INTO quake SELECT number, number % 5 FROM generate_series(0, 99) AS number
        """)
      let store = PostgresStore<Sample>(
        database.server.database(database.name), table: "quake", key: "number")
      let source = Source(store, sortedBy: [.ascending("note")])
      let ids = try await PostgresPagingTests.read(source, from: nil, limit: 7)
      let expected = (0..<100).sorted { ($0 % 5, $0) < ($1 % 5, $1) }
      #expect(ids == expected)
    }

    // MARK: - Roles that are not trusted

    @Test(arguments: ["text", "varchar(40)"])
    func `S4: functions, operators and collations of a stranger are never used`(
      key: String
    ) async throws {
      let database = try await SharedDatabase(
        "(id \(key) PRIMARY KEY, magnitude float8, place \(key))")
      let owner = try await database.owner()
      try await owner.run(
        "INSERT INTO quake SELECT 'us' || n, n, 'p' || n % 3 FROM generate_series(1, 20) AS n")
      try await database.stranger().run(
        HostileRoleTests.baits(for: key.prefix { $0 != "(" }.description))
      try await database.stranger().run("CREATE COLLATION public.mine FROM \"C\"")
      let source = PostgresFeedSource(
        database.store(), sortedBy: [.ascending("place", collation: "und-x-icu")])
      var (ids, key) = ([String](), nil as KeysetKey?)
      repeat {
        let page = try await source.page(PageRequest(key: key, limit: 3))
        ids += page.items.map(\.id)
        key = page.next
      } while key != nil
      #expect(Set(ids).count == 20 && ids.count == 20)
      let last = try await source.key(of: "us20")
      #expect(try await source.page(PageRequest(key: last, limit: 3)).items.first?.id == "us20")
      #expect(try await source.key(at: ["p1", "us1"]) != nil)
      #expect(try await source.count() == 20)
      #expect(try await owner.run("SELECT DISTINCT name, caller FROM trap") == [])
      await #expect(throws: PostgresError.noCollation("mine")) {
        try await PostgresFeedSource(
          database.store(), sortedBy: [.ascending("place", collation: "mine")]
        ).count()
      }
    }

    @Test
    func `S4: a table that was found is not replaced by one of a stranger`() async throws {
      let database = try await SharedDatabase()
      let owner = try await database.owner()
      try await owner.run(
        "CREATE SCHEMA app; ALTER TABLE quake SET SCHEMA app; INSERT INTO app.quake VALUES ('us1', 1, 'a')"
      )
      let store = PostgresStore<Quake>(
        "\(database.server.database(database.name)) options='-c search_path=public,app'",
        table: "quake")
      let source = PostgresFeedSource(store, sortedBy: [])
      #expect(try await source.count() == 1)
      try await database.stranger().run("CREATE TABLE public.quake \(QuakeTable.columns)")
      #expect(try await source.count() == 1)
    }
  }
#endif
