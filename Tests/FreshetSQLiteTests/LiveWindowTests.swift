#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// A row without the column that sorts it.
  struct Brief: ListItem, Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "sample"
    static var databaseSelection: [any SQLSelectable] { [Column("number"), Column("note")] }
    var number: Int
    var note: Int
    var id: Int { number }
  }

  /// A feed that follows a table of any size.
  @Suite(.timeLimit(.minutes(5)))
  struct LiveWindowTests {
    typealias Source = SQLiteFeedSource<Sample>

    let folder = TemporaryFolder()

    /// Makes a table with rows 10, 20, 30 and so on.
    static func table(of count: Int, in queue: some DatabaseWriter) throws {
      try queue.write {
        try $0.execute(
          sql: """
            CREATE TABLE sample (number INTEGER PRIMARY KEY, note INTEGER DEFAULT 0, a);
            CREATE INDEX sorted ON sample (a, number);
            WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < \(count))
            INSERT INTO sample (number, a) SELECT n * 10, n * 10 FROM row
            """)
      }
    }

    /// A feed that has loaded the page at the head and one in the middle, and follows the table.
    struct Following {
      let queue: DatabaseQueue
      let feed: Feed<Sample>
      let task: Task<Void, any Error>

      init(_ queue: DatabaseQueue, startingAt index: Int? = nil, maximumRows: Int? = nil)
        async throws
      {
        self.queue = queue
        let source = Source(queue, sortedBy: [.ascending("a")])
        var start: KeysetKey?
        if let index { start = try await source.key(ofRowAt: index) }
        let feed = Feed(
          source, startingAt: start,
          configuration: FeedConfiguration(
            pageSize: 50, prefetchDistance: 0, maximumRows: maximumRows))
        self.feed = feed
        task = Task { [events = source.changes()] in try await feed.follow(events) }
        _ = await eventually { feed.value.isAnswered }
      }

      /// Writes, and waits until the feed shows the rows.
      func write(_ sql: String, shows: @escaping (Feed<Sample>) -> Bool) async throws -> Bool {
        try await queue.write { try $0.execute(sql: sql) }
        return await eventually { shows(feed) }
      }
    }

    @Test func `W4: rows that change, move, enter and leave a loaded part do so in one step`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 1_000, in: queue)
      let list = try await Following(queue, startingAt: 500)
      await list.feed.loadNext()
      #expect(
        list.feed.value.items.map(\.id) == stride(from: 5_010, through: 6_000, by: 10).map(\.self))
      var updates = list.feed.updates.makeAsyncIterator()
      _ = await updates.next()
      let isShown = try await list.write(
        """
        UPDATE sample SET note = 1 WHERE number = 5010;
        UPDATE sample SET a = 5995 WHERE number = 5020;
        UPDATE sample SET a = 1 WHERE number = 5030;
        UPDATE sample SET a = 5505 WHERE number = 9000;
        INSERT INTO sample (number, a) VALUES (5041, 5041);
        DELETE FROM sample WHERE number = 5990
        """
      ) { $0.value.items.first?.note == 1 }
      #expect(isShown)
      let items = list.feed.value.items.map(\.id)
      #expect(
        items.prefix(4) == [5_010, 5_040, 5_041, 5_050] && items.suffix(2) == [5_020, 6_000])
      #expect(items.contains(9_000) && !items.contains(5_030) && !items.contains(5_990))
      let changes = try #require(await updates.next()).changes
      #expect(changes.movedRows.count == 1 && changes.updatedRows.count == 1)
      #expect(changes.insertedRows.count == 2 && changes.deletedRows.count == 2)
      list.task.cancel()
    }

    @Test func `W4: a change elsewhere refreshes nothing, and one in a page reads that page alone`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 20_000, in: queue)
      let list = try await Following(queue, startingAt: 10_000)
      for _ in 0..<5 { await list.feed.loadNext() }
      await list.feed.refresh()
      let pages = Locked(0)
      let lookups = Locked(0)
      try await queue.writeWithoutTransaction { db in
        db.trace { event in
          let sql = event.expandedDescription
          guard sql.contains("FROM \"sample\"") else { return }
          if sql.contains("freshet_isPastEnd") {
            pages.withLock { $0 += 1 }
          } else {
            lookups.withLock { $0 += 1 }
          }
        }
      }
      var updates = list.feed.updates.makeAsyncIterator()
      _ = await updates.next()
      for _ in 0..<10 {
        try await queue.write {
          try $0.execute(sql: "UPDATE sample SET note = note + 1 WHERE number = 10")
        }
        // The commit was reported before the queue is free again.
        try await queue.writeWithoutTransaction { _ in }
      }
      #expect(pages.withLock(\.self) == 0)
      // The changed row is read once for each commit, and then compared.
      #expect(lookups.withLock(\.self) <= 10)
      // A page after a position is a few searches: those of equal values first.
      let isShown = try await list.write("UPDATE sample SET note = 7 WHERE number = 101000") {
        $0.value.items.contains { $0.note == 7 }
      }
      #expect(isShown)
      #expect(pages.withLock(\.self) <= 3)
      // The feed published nothing else.
      #expect(try #require(await updates.next()).changes.updatedRows.count == 1)
      list.task.cancel()
    }

    @Test func `W2: a bulk insertion leaves a gap, and the rows around it stay`() async throws {
      let queue = try DatabaseQueue()
      try Self.table(of: 200, in: queue)
      let list = try await Following(queue)
      for _ in 0..<2 { await list.feed.loadNext() }
      let isShown = try await list.write(
        """
        WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 5000)
        INSERT INTO sample (number, a) SELECT 100000 + n, 600 FROM row
        """
      ) { !$0.value.state.gaps.isEmpty }
      #expect(isShown)
      #expect(list.feed.value.items.count < 1_200)
      var loads = 0
      while let gap = list.feed.value.state.gaps.keys.first.map({ Gap(id: $0) }), loads < 200 {
        await list.feed.load(gap, from: loads % 2 == 0 ? .above : .below)
        loads += 1
      }
      while list.feed.value.state.next != .end, loads < 400 {
        await list.feed.loadNext()
        loads += 1
      }
      let rows = try await queue.read {
        try Int.fetchAll($0, sql: "SELECT number FROM sample ORDER BY a, number")
      }
      #expect(list.feed.value.items.map(\.id) == rows)
      list.task.cancel()
    }

    @Test func `W2: a feed that follows a table keeps few rows, whatever it reads`() async throws {
      let queue = try DatabaseQueue()
      try Self.table(of: 20_000, in: queue)
      let list = try await Following(queue, startingAt: 5_000, maximumRows: 300)
      for round in 0..<60 {
        if let last = list.feed.value.items.last { list.feed.willDisplay(last) }
        await list.feed.loadNext()
        try await queue.write {
          try $0.execute(
            sql: "UPDATE sample SET a = a + 15, note = 1 WHERE number % 700 = \(round * 10)")
        }
        #expect(list.feed.value.items.count <= 450)
      }
      await list.feed.refresh()
      let rows = try await queue.read {
        try Int.fetchAll($0, sql: "SELECT number FROM sample ORDER BY a, number")
      }
      // The refresh may have joined one that began before the last commit, which is then followed.
      let isCurrent = await eventually {
        let ids = list.feed.value.items.map(\.id)
        guard ids.count > 100, let end = ids.last.flatMap(rows.firstIndex(of:)) else {
          return false
        }
        return ids.suffix(100) == rows[...end].suffix(100)
      }
      #expect(isCurrent)
      list.task.cancel()
    }

    @Test func `W2: rows that are inserted at the head one by one are evicted at the other end`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 1_000, in: queue)
      let list = try await Following(queue, maximumRows: 200)
      for number in 1...400 {
        let isShown = try await list.write(
          "INSERT INTO sample (number, a) VALUES (\(100_000 + number), \(-number))"
        ) { $0.value.items.first?.id == 100_000 + number }
        #expect(isShown)
        #expect(list.feed.value.items.count <= 300)
      }
      let rows = try await queue.read {
        try Int.fetchAll($0, sql: "SELECT number FROM sample ORDER BY a, number")
      }
      let items = list.feed.value.items.map(\.id)
      #expect(items == Array(rows.prefix(items.count)))
      for _ in 0..<40 where list.feed.value.state.next != .end { await list.feed.loadNext() }
      #expect(list.feed.value.items.last?.id == 10_000)
      list.task.cancel()
    }

    @Test func `a page loads while a refresh waits for a long transaction`() async throws {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let pool = try DatabasePool(path: folder.url.appending(path: "long.sqlite").path)
      try await pool.write { try $0.execute(sql: "CREATE TABLE empty (n)") }
      try Self.table(of: 1_000, in: pool)
      let feed = Feed(
        Source(pool, sortedBy: [.ascending("a")]),
        configuration: FeedConfiguration(pageSize: 50, prefetchDistance: 0))
      await feed.refresh()
      let begun = Locked(false)
      let end = Locked(false)
      let writing = Task {
        try await pool.write { db in
          begun.withLock { $0 = true }
          while !end.withLock(\.self) { Thread.sleep(forTimeInterval: 0.001) }
          try db.execute(sql: "UPDATE sample SET note = 8 WHERE number = 10")
        }
      }
      #expect(await eventually { begun.withLock(\.self) })
      let refreshing = Task { _ = await feed.refresh() }
      #expect(await eventually { feed.value.state.refresh == .loading })
      let loading = Task { _ = await feed.loadNext() }
      #expect(await eventually { feed.value.items.count == 100 })
      #expect(feed.value.items.first?.note == 0)
      end.withLock { $0 = true }
      try await writing.value
      await loading.value
      await refreshing.value
      #expect(feed.value.items.first?.note == 8 && feed.value.items.count == 100)
    }

    @Test func `W8: when all loaded rows are gone, the feed shows those that are left`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 1_000, in: queue)
      for start in [nil, 500] {
        let list = try await Following(queue, startingAt: start)
        let first = try #require(list.feed.value.items.first?.id)
        let isShown = try await list.write(
          "DELETE FROM sample WHERE number BETWEEN \(first) AND \(first + 499)"
        ) { $0.value.items.count == 50 && $0.value.items.first?.id != first }
        #expect(isShown)
        list.task.cancel()
      }
    }

    @Test func `W5: a row moves by a column that its item does not have`() async throws {
      let queue = try DatabaseQueue()
      try Self.table(of: 100, in: queue)
      let source = SQLiteFeedSource(queue, Brief.self, sortedBy: [.ascending("a")])
      let feed = Feed(source)
      await feed.refresh()
      for _ in 0..<2 { await feed.refresh() }
      try await queue.write { try $0.execute(sql: "UPDATE sample SET a = 25 WHERE number = 10") }
      await feed.refresh()
      #expect(feed.value.items.prefix(3).map(\.id) == [20, 10, 30])
    }

    @Test func `W2: an import of many rows is followed, and not remembered row by row`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 100, in: queue)
      let list = try await Following(queue)
      let isShown = try await list.write(
        """
        WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 20000)
        INSERT INTO sample (number, a) SELECT 100000 + n, 100000 + n FROM row;
        UPDATE sample SET note = 5 WHERE number = 10
        """
      ) { $0.value.items.first?.note == 5 }
      #expect(isShown)
      list.task.cancel()
    }

    @Test func `another connection's commits show, without a loading state`() async throws {
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let path = folder.url.appending(path: "live.sqlite").path
      // A commit waits for a reader of the other connection.
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try Self.table(of: 100, in: queue)
      let source = Source(queue, sortedBy: [.ascending("a")])
      let feed = Feed(source)
      let events = source.changes(checkingEvery: .milliseconds(10))
      let task = Task { try await feed.follow(events) }
      _ = await eventually { feed.value.isAnswered && feed.value.state.refresh == .idle }
      let states = Locked<[LoadState]>([])
      let watching = Task {
        for await update in feed.updates {
          states.withLock { $0.append(update.value.state.refresh) }
        }
      }
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.write { try $0.execute(sql: "UPDATE sample SET note = 3 WHERE number = 10") }
      #expect(await eventually { feed.value.items.first?.note == 3 })
      #expect(states.withLock { $0 }.allSatisfy { $0 == .idle })
      task.cancel()
      watching.cancel()
    }

    @Test func `while the table is missing, the rows stay, and show its changes when it is back`()
      async throws
    {
      let queue = try DatabaseQueue()
      try Self.table(of: 100, in: queue)
      let list = try await Following(queue)
      let isFailed = try await list.write("ALTER TABLE sample RENAME TO gone") {
        $0.value.state.refresh.failure != nil
      }
      #expect(isFailed && list.feed.value.items.count == 50)
      let isBack = try await list.write(
        "ALTER TABLE gone RENAME TO sample; UPDATE sample SET note = 4 WHERE number = 10"
      ) { $0.value.items.first?.note == 4 && $0.value.state.refresh == .idle }
      #expect(isBack)
      list.task.cancel()
    }

    @Test func `a refresh keeps a list in the middle where it is`() async throws {
      let queue = try DatabaseQueue()
      try Self.table(of: 1_000, in: queue)
      let source = Source(queue, sortedBy: [.ascending("a")])
      let feed = Feed(source, startingAt: try await source.key(ofRowAt: 500))
      await feed.refresh()
      await feed.refresh()
      #expect(feed.value.items.first?.id == 5_010 && feed.value.items.count == 50)
      #expect(feed.value.state.gaps.isEmpty)
      try await queue.write { try $0.execute(sql: "DELETE FROM sample") }
      await feed.refresh()
      #expect(feed.value.items.isEmpty && feed.value.state.gaps.isEmpty)
      // The feed then reads the head by itself (W8). A refresh meanwhile would join that load.
      #expect(await eventually { feed.value.state.total == .exact(0) })
      try await queue.write { try $0.execute(sql: "INSERT INTO sample (number, a) VALUES (1, 1)") }
      await feed.refresh()
      await feed.loadPrevious()
      #expect(feed.value.items.map(\.id) == [1])
    }
  }
#endif
