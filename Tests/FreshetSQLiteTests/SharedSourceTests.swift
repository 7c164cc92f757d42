#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// A row that counts how often rows are decoded.
  struct Counted: ListItem, FetchableRecord, TableRecord {
    static let databaseTableName = "sample"
    static let decoded = Locked(0)
    let number: Int
    let note: Int
    var id: Int { number }

    init(row: Row) {
      (number, note) = (row["number"], row["note"])
      Self.decoded.withLock { $0 += 1 }
    }
  }

  /// Several feeds of one source, for which the source compares each change once.
  @Suite(.timeLimit(.minutes(5)))
  struct SharedSourceTests {
    typealias Source = SQLiteFeedSource<Sample>

    @Test func `W1: a change elsewhere moves the count of each feed that shows the head`()
      async throws
    {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 500, in: queue)
      let source = Source(queue, sortedBy: [.ascending("a")])
      let feeds = (0..<3).map { _ in Feed(source) }
      // Commits before the first listener do not suppress later events.
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      try await queue.write { try $0.execute(sql: "UPDATE sample SET note = 1") }
      let following = feeds.map { feed in
        Task { [events = source.changes()] in try await feed.follow(events) }
      }
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      for (sql, total) in [
        ("INSERT INTO sample (number, a) VALUES (9999, 9999)", 501),
        ("UPDATE sample SET a = 1 WHERE number = 5000", 501),
        ("DELETE FROM sample WHERE number > 4980", 498),
      ] {
        try await queue.write { try $0.execute(sql: sql) }
        for feed in feeds {
          let isShown = await eventually { feed.value.state.total == .exact(total) }
          #expect(isShown, "\(sql): \(feed.value.state.total as Any)")
        }
      }
      for task in following { task.cancel() }
    }

    @Test func `W4: a row that several windows have is decoded once`() async throws {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 1_000, in: queue)
      let source = SQLiteFeedSource<Counted>(queue, sortedBy: [.ascending("a")])
      let start = try await source.key(ofRowAt: 500)
      let feeds = (0..<10).map { _ in
        Feed(source, startingAt: start, configuration: FeedConfiguration(pageSize: 50))
      }
      for feed in feeds { for _ in 0..<3 { await feed.refresh() } }
      for note in 1...3 {
        try await queue.write {
          try $0.execute(sql: "UPDATE sample SET note = \(note) WHERE number = 5100")
        }
        let before = Counted.decoded.withLock(\.self)
        for feed in feeds { await feed.refresh() }
        #expect(Counted.decoded.withLock(\.self) == before + 1)
        for feed in feeds { #expect(feed.value.items.contains { $0.note == note }) }
      }
      // A change of the schema forgets what is known.
      try await queue.write { try $0.execute(sql: "DROP INDEX sorted") }
      for feed in feeds { await feed.refresh() }
      let before = Counted.decoded.withLock(\.self)
      try await queue.write {
        try $0.execute(sql: "UPDATE sample SET note = 9 WHERE number > 5000")
      }
      for feed in feeds { await feed.refresh() }
      let loaded = feeds[0].value.items
      #expect(loaded.allSatisfy { $0.note == 9 })
      #expect(Counted.decoded.withLock(\.self) <= before + loaded.count)
    }

    @Test func `W1: a total is doubted after a change elsewhere if the head is not loaded`()
      async throws
    {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 500, in: queue)
      let source = Source(queue, sortedBy: [.ascending("a")])
      let feed = Feed(source, startingAt: try await source.key(ofRowAt: 300))
      for _ in 0..<3 { await feed.refresh() }
      #expect(feed.value.state.total == .exact(500))
      var events = source.changes().makeAsyncIterator()
      // The first event is for what was written before.
      _ = await events.next()
      try await queue.write { try $0.execute(sql: "INSERT INTO sample (number, a) VALUES (1, 1)") }
      func requests() async -> Int {
        await feed.engine.eventQueue.ask { $0.machine.planner.lastRequest }
      }
      let before = await requests()
      feed.receive(try #require(await events.next()))
      #expect(await requests() == before && feed.value.state.total == .estimated(500))
    }

    @Test func `W4: a feed may follow the events of another source`() async throws {
      let queue = try DatabaseQueue()
      try LiveWindowTests.table(of: 500, in: queue)
      let sources = (0..<2).map { third in
        Source(queue, sortedBy: [.ascending("a")]) { $0.filter(sql: "number / 10 % 2 = \(third)") }
      }
      let feeds = sources.map { Feed($0) }
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      let following = zip(feeds, sources.reversed()).map { feed, other in
        Task { [events = other.changes()] in try await feed.follow(events) }
      }
      for feed in feeds { for _ in 0..<2 { await feed.refresh() } }
      for number in [10, 20] {
        try await queue.write {
          try $0.execute(sql: "UPDATE sample SET note = 1 WHERE number = \(number)")
        }
        let feed = feeds[number / 10 % 2]
        #expect(await eventually { feed.value.items.first?.note == 1 })
      }
      for task in following { task.cancel() }
    }
  }
#endif
