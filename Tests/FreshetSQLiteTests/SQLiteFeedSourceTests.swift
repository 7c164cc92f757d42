#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  @Suite(.timeLimit(.minutes(5)))
  struct SQLiteFeedSourceTests {
    typealias Source = SQLiteFeedSource<Sample>

    let folder = TemporaryFolder()

    /// A table of this many rows, of which some have the same value and every tenth has none.
    func table(_ columns: String, of count: Int) throws -> DatabaseQueue {
      let queue = try DatabaseQueue()
      try queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE sample (number INTEGER PRIMARY KEY, note INTEGER DEFAULT 0, a, b);
            CREATE INDEX sorted ON sample (\(columns));
            WITH RECURSIVE row (number) AS (
              SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < \(count))
            INSERT INTO sample (number, a, b)
            SELECT number, CASE WHEN number % 10 THEN number / 7 END, number % 3 FROM row
            """)
      }
      return queue
    }

    // MARK: - Cost

    static let orders: [(index: String, order: [SortColumn])] = [
      ("a", [.ascending("a")]), ("a, number", [.descending("a")]),
      ("a", [.ascending("a", nulls: .last)]), ("a", [.descending("a", nulls: .first)]),
      ("a, b DESC", [.ascending("a"), .descending("b")]),
      ("b, a COLLATE NOCASE", [.descending("b"), .descending("a", collation: "NOCASE")]),
      ("a", []),
    ]

    @Test(arguments: orders.indices)
    func `W4: no page reads the table: each statement searches the index, and sorts few rows`(
      number: Int
    ) async throws {
      let (index, order) = Self.orders[number]
      let queue = try table(index, of: 2_000)
      let source = Source(queue, sortedBy: order)
      let statements = Locked<[String]>([])
      try await queue.writeWithoutTransaction { db in
        db.trace { event in statements.withLock { $0.append(event.expandedDescription) } }
      }
      // The head of the list is the head of the index, which needs no search.
      let head = try await source.page(PageRequest(limit: 20))
      var keys = [try #require(head.next)]
      statements.withLock { $0 = [] }
      for index in [0, 5, 700, 1_001, 1_500, 1_960] {
        keys.append(try #require(try await source.key(ofRowAt: index)))
      }
      statements.withLock { $0 = [] }
      for key in keys {
        let page = try await source.page(PageRequest(key: key, limit: 20))
        #expect(page.items.count == 20)
        if let previous = page.previous {
          _ = try await source.page(PageRequest(key: previous, limit: 20))
        }
      }
      if !order.isEmpty { _ = try await source.key(at: [1]) }
      // A page whose key has an index counts up to 10,000 rows for its total.
      let sent = statements.withLock { $0 }.filter {
        $0.contains("FROM \"sample\"") && !$0.contains("COUNT(")
      }
      #expect(sent.count > keys.count)
      for statement in sent {
        // All rows that have a value follow each other in the index.
        let isWhole = statement.contains("IS NOT NULL")
        let steps = isWhole ? ["SEARCH sample", "SCAN sample USING"] : ["SEARCH sample USING"]
        let plan = try await queue.read {
          try Row.fetchAll($0, sql: "EXPLAIN QUERY PLAN \(statement)")
            .map { $0["detail"] as String }
        }
        for step in plan where step != "SCAN CONSTANT ROW" && step != "SCALAR SUBQUERY 1" {
          #expect(steps.contains { step.hasPrefix($0) }, "\(statement): \(step)")
        }
      }
    }

    @MainActor @Test
    func `W2, W3: a feed from the middle of a large table keeps few rows, whatever it reads`()
      async throws
    {
      let queue = try table("a", of: 20_000)
      let source = Source(queue, sortedBy: [.ascending("a")])
      let rows = try await queue.read {
        try Int.fetchAll($0, sql: "SELECT number FROM sample ORDER BY a, number")
      }
      let feed = FeedController(
        source, startingAt: try await source.key(ofRowAt: 10_000),
        configuration: FeedConfiguration(prefetchDistance: 0, maximumRows: 300))
      try await queue.write { try $0.execute(sql: "ANALYZE") }
      await feed.refresh()
      #expect(feed.items.map(\.id) == Array(rows[10_000..<10_050]))
      #expect(feed.state.rowsAbove == .estimated(10_000))
      #expect(feed.state.rowsBelow == .estimated(9_950))
      for _ in 0..<100 {
        feed.willDisplay(try #require(feed.items.last))
        await feed.loadNext()
        #expect(feed.items.count <= 400)
      }
      #expect(feed.items.last?.id == rows[15_049])
      // Rows that were evicted are above or in gaps, and count.
      let first = try #require(feed.items.first.flatMap { rows.firstIndex(of: $0.id) })
      #expect(feed.state.rowsAbove == .estimated(first))
      #expect(feed.state.rowsBelow == .estimated(20_000 - 15_050))
      feed.willDisplay(try #require(feed.items.first))
      await feed.loadPrevious()
      #expect(feed.items.first?.id == rows[9_950])
      #expect(feed.items.count <= 400)
    }

    @Test
    func `W1: a feed of a whole table knows its number of rows, and counts few of them`()
      async throws
    {
      func total(_ queue: DatabaseQueue) async throws -> RowTotal? {
        let source = Source(queue, sortedBy: [.ascending("a")])
        let page = try await source.page(PageRequest(limit: 20))
        #expect(try await source.page(PageRequest(key: page.next, limit: 20)).total == nil)
        return page.total
      }
      let small = try table("a", of: 10_000)
      #expect(try await total(small) == .exact(10_000))
      let filtered = Source(small, sortedBy: [.ascending("a")]) {
        $0.filter { _ in Column("number") > 5 }
      }
      #expect(try await filtered.page(PageRequest(limit: 20)).total == nil)
      let large = try table("a", of: 30_000)
      #expect(try await total(large) == .atLeast(10_001))
      try await large.write { db in
        try db.execute(sql: "CREATE INDEX part ON sample (b) WHERE b = 1; ANALYZE")
      }
      #expect(try await total(large) == .estimated(30_000))
      // Estimates that are too low to be true do not count.
      try await large.write { try $0.execute(sql: "UPDATE sqlite_stat1 SET stat = '5 1'") }
      #expect(try await total(large) == .atLeast(10_001))
      let feed = Feed(Source(small, sortedBy: [.ascending("a")]))
      await feed.refresh()
      #expect(feed.value.state.total == .exact(10_000))
    }

    // MARK: - Keys

    @Test
    func `a key leads to an item, to values, and to no row that the request does not have`()
      async throws
    {
      let queue = try table("a", of: 100)
      let source = Source(queue, sortedBy: [.descending("a")]) {
        $0.filter { _ in Column("b") > 0 }
      }
      func first(_ key: KeysetKey?) async throws -> Int? {
        guard let key else { return nil }
        return try await source.page(PageRequest(key: key, limit: 3)).items.first?.id
      }
      #expect(try await first(source.key(of: 50)) == 50)
      // Its `b` is 0.
      #expect(try await source.key(of: 51) == nil)
      #expect(try await source.key(of: 101) == nil)
      // In descending order, 41 is the last row with an `a` of 5, and has the next one below it.
      #expect(try await first(source.key(at: [5])) == 41)
      #expect(try await first(source.key(at: [5, 39])) == 38)
      #expect(try await first(source.key(at: [nil])) == 100)
      #expect(try await first(source.key(at: [Double.infinity])) == 98)
      #expect(try await source.key(at: [nil, 9]) == nil)
      #expect(try await source.key(ofRowAt: -1) == nil)
      #expect(try await source.count() == 67)
    }

    @Test
    func `a key of another order makes the feed start again from its head`() async throws {
      let queue = try table("a", of: 1_000)
      let old = Source(queue, sortedBy: [.ascending("a")])
      let key = try #require(try await old.key(ofRowAt: 500))
      for order: [SortColumn] in [
        [], [.descending("a")], [.ascending("b")], [.ascending("a"), .ascending("b")],
        [.ascending("a", nulls: .last)], [.ascending("a", collation: "NOCASE")],
      ] {
        let source = Source(queue, sortedBy: order)
        let error = await #expect(throws: FeedError.self) {
          try await source.page(PageRequest(key: key))
        }
        guard case .staleKey = error else { return #expect(error == nil) }
        let feed = Feed(source, startingAt: key)
        await feed.refresh()
        let head = try await source.page(PageRequest())
        #expect(Array(feed.value.items) == head.items)
      }
      // With a filter, a position is still one.
      let filtered = Source(queue, sortedBy: [.ascending("a")]) {
        $0.filter { _ in Column("b") == 1 }
      }
      #expect(try await filtered.page(PageRequest(key: key)).items.count == 50)
    }

    @Test(arguments: [
      #""x""#, #""i9223372036854775808""#, #""t%""#, "1", #""""#, "[]",
    ])
    func `a damaged value of a key is an error`(json: String) async throws {
      let source = Source(try table("a", of: 10), sortedBy: [])
      let key = try #require(try await source.key(of: 5))
      let text = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
      let damaged = text.replacing(#""i5""#, with: json)
      #expect(damaged != text)
      let error = await #expect(throws: (any Error).self) {
        let key = try JSONDecoder().decode(KeysetKey.self, from: Data(damaged.utf8))
        _ = try await source.page(PageRequest(key: key))
      }
      guard case .staleKey? = error as? FeedError else {
        return #expect(error is DecodingError)
      }
    }

    private struct Owner: TableRecord { static let databaseTableName = "owner" }

    @Test
    func `a filter may depend on other tables, whose columns have the same names`() async throws {
      let queue = try table("a", of: 100)
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE owner (number INTEGER PRIMARY KEY, note INTEGER, a);
            INSERT INTO owner VALUES (0, 0, 1), (1, 1, 1), (2, 0, 1)
            """)
      }
      let source = Source(queue, sortedBy: [.descending("a")]) {
        let owner = Sample.belongsTo(Owner.self, using: ForeignKey(["b"]))
        return $0.joining(required: owner.filter { _ in Column("note") == 1 })
      }
      let rows = try await queue.read {
        try Int.fetchAll(
          $0, sql: "SELECT number FROM sample WHERE b = 1 ORDER BY a DESC, number DESC")
      }
      #expect(try await SQLitePagingTests.read(source, from: nil, limit: 7) == rows)
      let key = try await source.key(ofRowAt: 20)
      #expect(try await SQLitePagingTests.read(source, from: key, limit: 7) == Array(rows[20...]))
      #expect(try await source.key(of: rows[20]) == key)
      #expect(try await source.count() == rows.count)
    }

    // MARK: - Problems

    @Test
    func `S2: a row that does not decode is reported and skipped, and pages go on after it`()
      async throws
    {
      let queue = try table("a", of: 100)
      try await queue.write {
        try $0.execute(
          sql: "UPDATE sample SET note = NULL, b = 's3cret' WHERE number BETWEEN 5 AND 30")
      }
      let source = Source(queue, sortedBy: [.ascending("number")])
      var (ids, invalid, key) = ([Int](), 0, nil as KeysetKey?)
      repeat {
        let page = try await source.page(PageRequest(key: key, limit: 10))
        ids += page.items.map(\.id)
        invalid += page.invalidItems
        if let error = page.invalidItem {
          #expect("\(error)".contains("note") && !"\(error)".contains("s3cret"))
          guard case .source(SQLiteStoreError.row("sample", let rowID, _)) = error else {
            return #expect(error == .source(CancellationError()))
          }
          #expect(rowID == ids.last.map { Int64($0) + 1 } || (11...21).contains(rowID ?? 0))
        }
        key = page.next
      } while key != nil
      #expect(ids == Array(1...4) + Array(31...100) && invalid == 26)
      let feed = Feed(source)
      await feed.refresh()
      while await feed.loadNext() == .idle {}
      #expect(feed.value.items.map(\.id) == ids)
      try await queue.write { try $0.execute(sql: "UPDATE sample SET note = 1") }
      await feed.refresh(.all)
      #expect(feed.value.items.map(\.id) == Array(1...100))
    }

    @Test
    func `what a table cannot be read by is an error with a name`() async throws {
      let queue = try table("a", of: 10)
      let source = Source(queue, sortedBy: [.ascending("a"), .ascending("missing")])
      await #expect(throws: SQLiteStoreError.noColumn("missing", table: "sample")) {
        try await source.page(PageRequest())
      }
      await #expect(throws: SQLiteStoreError.nul(column: "a", table: "sample")) {
        try await Source(queue, sortedBy: [.ascending("a")]).key(at: ["a\0b"])
      }
      try await queue.write {
        try $0.execute(
          sql: "ALTER TABLE sample RENAME TO other; CREATE VIEW sample AS SELECT * FROM other")
      }
      let ordered = Source(queue, sortedBy: [.ascending("a")])
      await #expect(throws: SQLiteStoreError.noPrimaryKey(table: "sample")) {
        try await ordered.count()
      }
      try await queue.write { try $0.execute(sql: "DROP VIEW sample") }
      await #expect(throws: SQLiteStoreError.noTable("sample")) {
        try await ordered.page(PageRequest())
      }
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE sample (
              number INTEGER, note INTEGER, a, b, PRIMARY KEY (number, note)) WITHOUT ROWID;
            INSERT INTO sample VALUES (1, 2, 3, 4)
            """)
      }
      await #expect(throws: SQLiteStoreError.noKey(table: "sample")) {
        try await ordered.key(of: 1)
      }
      #expect(try await ordered.page(PageRequest()).items.map(\.id) == [1])
      // Rows with NULL in the key could only be told apart by the rowid, whose names are taken.
      try await queue.write {
        try $0.execute(
          sql: """
            DROP TABLE sample; CREATE TABLE sample (
              number TEXT PRIMARY KEY, note INTEGER, a, rowid, _rowid_, oid)
            """)
      }
      await #expect(throws: SQLiteStoreError.noPrimaryKey(table: "sample")) {
        try await ordered.count()
      }
    }

    @Test
    func `names are quoted, and values are values`() async throws {
      let queue = try DatabaseQueue()
      let name = "a b; DROP TABLE sample"
      try await queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE sample (number INTEGER PRIMARY KEY, note INTEGER, "\(name)" TEXT);
            INSERT INTO sample VALUES (1, 1, ''' OR 1 = 1 --'), (2, 1, ''' OR'), (3, 1, 'z')
            """)
      }
      let source = Source(queue, sortedBy: [.ascending(name)])
      #expect(try await SQLitePagingTests.read(source, from: nil, limit: 1) == [2, 1, 3])
      let key = try await source.key(at: ["' OR 1 = 1 --"])
      #expect(try await SQLitePagingTests.read(source, from: key, limit: 1) == [1, 3])
      // SQLite takes a quoted name that it does not know for a text, by which nothing is sorted.
      try await queue.write {
        try $0.execute(
          sql: "ALTER TABLE sample ADD COLUMN É; UPDATE sample SET É = (number + 1) % 3, note = 5")
      }
      await #expect(throws: SQLiteStoreError.noColumn("é", table: "sample")) {
        try await Source(queue, sortedBy: [.ascending("é")]).page(PageRequest())
      }
      let accented = Source(queue, sortedBy: [.ascending("NOTE"), .ascending("É")])
      #expect(try await SQLitePagingTests.read(accented, from: nil, limit: 1) == [2, 3, 1])
    }

    @Test
    func `S3: a file that is deleted while it is open is an error`() async throws {
      let files = FileManager.default
      try files.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let path = folder.url.appending(path: "file.sqlite").path
      let pool = try DatabasePool(path: path)
      try await pool.write { try $0.execute(sql: PagedTable.all[0].definition) }
      let source = Source(pool, sortedBy: [])
      #expect(try await source.count() == 0)
      try files.removeItem(atPath: path)
      await #expect(throws: SQLiteStoreError.noFile(path: path)) {
        try await source.page(PageRequest())
      }
    }
  }
#endif
