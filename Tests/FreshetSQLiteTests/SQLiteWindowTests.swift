#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// Windows of a table are what SQL says between their bounds, after every commit.
  @Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
  struct SQLiteWindowTests {
    typealias Source = SQLiteFeedSource<Sample>

    /// A feed that follows the table.
    struct Window {
      let feed: Feed<Sample>
      let following: Task<Void, any Error>

      /// Opens a window at a row, and reads some pages around it.
      init(
        _ source: Source, _ changes: SourceChanges<Sample>, at index: Int, pageSize: Int,
        pages: [Bool]
      ) async throws {
        let start = index == 0 ? nil : try await source.key(ofRowAt: index)
        let feed = Feed(
          source, startingAt: start,
          configuration: FeedConfiguration(pageSize: pageSize, prefetchDistance: 0))
        following = Task { try await feed.follow(changes) }
        self.feed = feed
        #expect(
          await eventually { !feed.value.items.isEmpty || feed.value.state.next == .end })
        for isUpward in pages {
          _ = isUpward ? await feed.loadPrevious() : await feed.loadNext()
        }
      }

      /// Returns what is wrong with the window; `nil` if it has the rows that SQL has between the
      /// page keys at its ends.
      func problem(_ source: Source, _ rows: [Sample]) async throws -> String? {
        var problem: String?
        _ = try await eventually(within: .seconds(1)) {
          let segments = await feed.engine.eventQueue.ask { $0.machine.timeline.segments }
          let items = Array(feed.value.items)
          // All rows of the window were deleted, or moved away.
          if segments.isEmpty, feed.value.items.isEmpty { return true }
          guard segments.count == 1, segments[0].isBounded else {
            problem = "there are \(segments.count) segments"
            return false
          }
          let above = try segments[0].previous?.decoded(as: KeysetKey.self)
          let below = try segments[0].next?.decoded(as: KeysetKey.self)
          var inside = try await source.page(
            PageRequest(key: above?.opposite, limit: 1_000)
          ).items
          if let below {
            let outside = try await source.page(PageRequest(key: below, limit: 1_000)).items
            inside.removeLast(outside.count)
          }
          problem =
            inside == items
            ? nil
            : "shows \(items.map(\.id)) and not \(inside.map(\.id)) of \(rows.map(\.id))"
          return problem == nil
        }
        return problem
      }
    }

    /// Writes something, which may be rolled back.
    static func write(
      _ queue: any DatabaseWriter, step: Int, _ random: inout SeededGenerator
    ) async throws {
      let copy = random
      for _ in 0..<20 { _ = random.next() }
      try? await queue.write { db in
        var random = copy
        for part in 0..<Int.random(in: 1...3, using: &random) {
          let number = Int.random(in: 0..<60, using: &random)
          switch Int.random(in: 0..<6, using: &random) {
          case 0, 1: try PagedTable.insert(1_000 + step * 10 + part, db, &random)
          case 2: try db.execute(sql: "DELETE FROM sample WHERE number = \(number)")
          case 3: try db.execute(sql: "UPDATE sample SET note = note + 1 WHERE number = \(number)")
          case 4:
            try db.execute(
              sql: """
                UPDATE sample SET a = (SELECT a FROM sample WHERE number % 7 = \(part)),
                  b = (SELECT c FROM sample WHERE number % 5 = \(part)) WHERE number = \(number)
                """)
          default:
            try db.execute(sql: "UPDATE sample SET b = a, note = 9 WHERE number % 9 = \(part)")
          }
        }
        if random.oneIn(5) { throw CancellationError() }
      }
    }

    @Test(arguments: [0, 1, 3, 4, 7, 8])
    func `W5, W8: after each commit, each window has the rows that SQL has between its bounds`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(10, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let table = PagedTable.all[number]
        let queue = try table.database()
        try await queue.write { [random] db in
          var random = random
          for number in 0..<40 { try PagedTable.insert(number, db, &random) }
        }
        let order = PagedTable.order(&random)
        let filter = random.oneIn(3) ? "a = 1 OR number % 3 > 0" : "TRUE"
        let source = Source(queue, sortedBy: order) { $0.filter(sql: filter) }
        let changes = source.changes(checkingEvery: nil)
        let comment = "seed \(seed): \(table.definition), \(order), \(filter)"
        var rows = try await queue.read { try table.rows(order, $0, filter: filter) }
        var windows: [Window] = []
        for _ in 0..<3 {
          windows.append(
            try await Window(
              source, changes, at: Int.random(in: 0..<max(rows.count, 1), using: &random),
              pageSize: Int.random(in: 1...6, using: &random),
              pages: (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Bool.random(using: &random)
              }))
        }
        for step in 0..<15 {
          try await Self.write(queue, step: step, &random)
          rows = try await queue.read { try table.rows(order, $0, filter: filter) }
          for window in windows {
            let problem = try await window.problem(source, rows)
            try #require(problem == nil, "\(comment), step \(step): \(problem ?? "")")
          }
        }
        for window in windows {
          let feed = window.feed
          while feed.value.state.previous == .idle, await feed.loadPrevious() == .idle {}
          while feed.value.state.next == .idle, await feed.loadNext() == .idle {}
          #expect(
            Array(feed.value.items) == rows,
            "\(comment), \(feed.value.state.previous), \(feed.value.state.next)")
          window.following.cancel()
        }
      }
    }

    /// A table of a file with rows 1 to 40 by `a`, and a feed that starts at row 20.
    private func file() async throws -> (DatabasePool, Source, Window, SourceChanges<Sample>) {
      let files = FileManager.default
      try files.createDirectory(at: folder.url, withIntermediateDirectories: true)
      let pool = try DatabasePool(path: folder.url.appending(path: "file.sqlite").path)
      try await pool.write {
        try $0.execute(
          sql: """
            \(PagedTable.all[0].definition);
            WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row LIMIT 40)
            INSERT INTO sample (number, a) SELECT number, number FROM row
            """)
      }
      let source = Source(pool, sortedBy: [.ascending("a")])
      let changes = source.changes(checkingEvery: .milliseconds(10))
      let window = try await Window(source, changes, at: 19, pageSize: 5, pages: [false, true])
      #expect(window.feed.value.items.map(\.id) == Array(15...29))
      return (pool, source, window, changes)
    }

    let folder = TemporaryFolder()

    @Test
    func `S1: a window shows what another connection writes, at its own place`() async throws {
      let (pool, source, window, _) = try await file()
      let other = try DatabaseQueue(path: pool.path)
      try await other.write {
        try $0.execute(
          sql: """
            DELETE FROM sample WHERE number IN (1, 17);
            UPDATE sample SET note = 5 WHERE number IN (2, 20);
            UPDATE sample SET a = 25.5 WHERE number = 16;
            INSERT INTO sample (number, a) VALUES (100, 22.5), (101, 3)
            """)
      }
      let ids = [15, 18, 19, 20, 21, 22, 100, 23, 24, 25, 16, 26, 27, 28, 29]
      #expect(await eventually { window.feed.value.items.map(\.id) == ids })
      #expect(window.feed.value.items.first { $0.id == 20 }?.note == 5)
      try await pool.write { try $0.execute(sql: "DELETE FROM sample WHERE number = 18") }
      #expect(await eventually { window.feed.value.items.map(\.id) == ids.filter { $0 != 18 } })
      let rows = try await pool.read { try PagedTable.all[0].rows([.ascending("a")], $0) }
      #expect(try await window.problem(source, rows) == nil)
    }

    @Test
    func `W4, W8: a change elsewhere loads nothing and changes nothing`() async throws {
      let (pool, _, window, _) = try await file()
      let before = window.feed.value.items.map(\.id)
      try await pool.write {
        try $0.execute(
          sql: """
            DELETE FROM sample WHERE number = 3; UPDATE sample SET a = 50 WHERE number = 4;
            INSERT INTO sample (number, a) VALUES (100, 14.5), (101, 29.5);
            UPDATE sample SET a = 1 WHERE number = 22
            """)
      }
      // Row 22 leaves the window: it is the only change.
      #expect(
        await eventually {
          window.feed.value.items.map(\.id) == before.filter { $0 != 22 }
        })
      try await pool.write { try $0.execute(sql: "UPDATE sample SET a = 22 WHERE number = 22") }
      #expect(await eventually { window.feed.value.items.map(\.id) == before })
    }

    @Test
    func `W9: pages that are read while rows are written miss no change`() async throws {
      let (pool, source, window, _) = try await file()
      let writing = Task {
        for step in 0..<300 {
          try await pool.write { db in
            try db.execute(
              sql: "UPDATE sample SET a = ? WHERE number = ?",
              arguments: [(step * 7) % 41, 1 + step * 13 % 40])
          }
        }
      }
      while await window.feed.loadNext() == .idle {}
      while await window.feed.loadPrevious() == .idle {}
      try await writing.value
      let rows = try await pool.read { try PagedTable.all[0].rows([.ascending("a")], $0) }
      #expect(try await window.problem(source, rows) == nil)
      while window.feed.value.state.next == .idle, await window.feed.loadNext() == .idle {}
      while window.feed.value.state.previous == .idle, await window.feed.loadPrevious() == .idle {}
      #expect(await eventually { Array(window.feed.value.items) == rows })
    }
  }
#endif
