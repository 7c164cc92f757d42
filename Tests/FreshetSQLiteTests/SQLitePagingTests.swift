#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// The pages of a table are what SQL says, in any order, from any place, whatever is written.
  @Suite(.timeLimit(.minutes(SeededGenerator.minutes)))
  struct SQLitePagingTests {
    typealias Source = SQLiteFeedSource<Sample>

    /// Stores a key and reads it back, as a cache does.
    static func stored(_ key: KeysetKey?) throws -> KeysetKey? {
      let stored = try key.map {
        try JSONDecoder().decode(KeysetKey.self, from: JSONEncoder().encode($0))
      }
      #expect(stored == key)
      return stored
    }

    /// Reads pages from a key to an end of the list.
    static func read(
      _ source: Source, from start: KeysetKey?, upward: Bool = false, limit: Int
    ) async throws -> [Int] {
      var (ids, key) = ([Int](), start)
      repeat {
        let page = try await source.page(PageRequest(key: stored(key), limit: limit))
        #expect(page.items.count <= limit && (key == nil || !page.items.isEmpty))
        ids = upward ? page.items.map(\.id) + ids : ids + page.items.map(\.id)
        key = upward ? page.previous : page.next
      } while key != nil
      return ids
    }

    /// A table with random rows.
    static func table(
      _ number: Int, _ random: inout SeededGenerator
    ) throws -> (table: PagedTable, queue: DatabaseQueue) {
      let table = PagedTable.all[number]
      let encodings = ["UTF-8", "UTF-8", "UTF-16le"]
      let queue = try table.database(encoding: encodings.randomElement(using: &random) ?? "")
      try queue.write { db in
        for number in 0..<Int.random(in: 0...60, using: &random) {
          try PagedTable.insert(number, db, &random)
        }
      }
      return (table, queue)
    }

    @Test(arguments: PagedTable.all.indices)
    func `W5: pages in both directions, from any row, are the rows that SQL sorts`(number: Int)
      async throws
    {
      for seed in SeededGenerator.seeds(60, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let (table, queue) = try Self.table(number, &random)
        let order = PagedTable.order(&random)
        if random.oneIn(2), !order.isEmpty {
          let columns = order.map(\.name).joined(separator: ", ")
          try await queue.write {
            try $0.execute(sql: "CREATE INDEX sorted ON sample (\(columns))")
          }
        }
        let filters = ["TRUE", "a = 1", "a IS NOT NULL AND number > 10"]
        let filter = filters.randomElement(using: &random) ?? ""
        let source = Source(queue, sortedBy: order) { $0.filter(sql: filter) }
        let rows = try await queue.read { try table.rows(order, $0, filter: filter).map(\.id) }
        let limit = Int.random(in: 1...8, using: &random)
        let comment = Comment("seed \(seed): \(table.definition), \(order), \(filter), \(limit)")
        #expect(try await source.count() == rows.count, comment)
        let thirds = try await source.sectionCounts(by: "\(Column("number")) % \(3)")
        #expect(thirds == Dictionary(grouping: rows) { "\($0 % 3)" }.mapValues(\.count), comment)
        let named = try await source.sectionCounts(by: "a")
        #expect(named.values.reduce(0, +) == rows.count, comment)
        #expect(try await source.value(of: "max(number) -- a comment") == rows.max(), comment)
        let counts: [String: Int] = try await source.sectionValues(
          of: "count(*)", by: "CASE number % 2 WHEN 0 THEN '' END"
        ) { _, _ in throw SQLiteStoreError.noTable("NULL and '' are one section") }
        #expect(counts == (rows.isEmpty ? [:] : ["": rows.count]), comment)
        let largest: [String: Int] = try await source.sectionValues(
          of: "max(number) + \(1) -- a comment", by: "number % 3 -- another",
          uniquingKeysWith: max)
        let groups = Dictionary(grouping: rows) { "\($0 % 3)" }
        #expect(largest == groups.compactMapValues { $0.max().map { $0 + 1 } }, comment)
        if !rows.isEmpty {
          await #expect(throws: SQLiteStoreError.value(type: "Int", table: "sample"), comment) {
            let _: Int? = try await source.value(of: "'a' || max(number)")
          }
        }
        let all = try await Self.read(source, from: nil, limit: limit)
        try #require(all == rows, comment)
        #expect(try await source.key(ofRowAt: rows.count) == nil, comment)
        for _ in 0..<3 {
          guard let index = rows.indices.randomElement(using: &random) else { continue }
          let key = try #require(try await source.key(ofRowAt: index), comment)
          let page = try await source.page(PageRequest(key: key, limit: limit))
          #expect(page.items.first?.id == rows[index], comment)
          let below = try await Self.read(source, from: key, limit: limit)
          #expect(below == Array(rows[index...]), comment)
          #expect((page.previous == nil) == (index == 0), comment)
          try await Self.checkSkips(source, rows, index, comment, &random)
          guard let previous = page.previous else { continue }
          let above = try await Self.read(source, from: previous, upward: true, limit: limit)
          #expect(above == Array(rows[..<index]), comment)
          let last = try await source.page(PageRequest(key: previous, limit: limit))
          #expect(try await Self.read(source, from: last.next, limit: limit) == below, comment)
        }
      }
    }

    /// Checks the keys of rows that are counted from others, in both directions.
    private static func checkSkips(
      _ source: Source, _ rows: [Int], _ index: Int, _ comment: Comment,
      _ random: inout SeededGenerator
    ) async throws {
      // The rows between two others, counted from either side.
      let pair = [index, rows.indices.randomElement(using: &random) ?? index].sorted()
      let count = Int.random(in: 0...rows.count, using: &random)
      let upper = try await source.page(
        PageRequest(key: source.key(ofRowAt: pair[0]), limit: 1))
      let lower = try await source.page(
        PageRequest(key: source.key(ofRowAt: pair[1]), limit: 1))
      func row(_ count: Int, from key: KeysetKey?, to end: KeysetKey?) async throws -> Int? {
        guard let key = try await source.key(count, rowsFrom: key, before: end) else {
          return nil
        }
        let items = try await source.page(PageRequest(key: key, limit: 1)).items
        return try #require(items.first, comment).id
      }
      func expected(_ index: Int, in range: Range<Int>) -> Int? {
        range.contains(index) ? rows[index] : nil
      }
      let all = rows.indices
      #expect(try await row(count, from: nil, to: nil) == expected(count, in: all), comment)
      if let key = try await source.key(ofRowAt: index) {
        #expect(try await source.rowsAbove(key) == index, comment)
        #expect(
          try await source.rowsAbove(upper.next ?? key)
            == (upper.next == nil ? index : pair[0] + 1), comment)
      }
      guard let down = upper.next, let up = lower.previous else { return }
      let (above, below) = (pair[0] + 1 + count, pair[1] - 1 - count)
      #expect(try await row(count, from: down, to: nil) == expected(above, in: all), comment)
      #expect(try await row(count, from: up, to: nil) == expected(below, in: all), comment)
      let between = (pair[0] + 1)..<max(pair[0] + 1, pair[1])
      #expect(
        try await row(count, from: down, to: up) == expected(above, in: between), comment)
      #expect(
        try await row(count, from: up, to: down) == expected(below, in: between), comment)
    }

    @Test(arguments: PagedTable.all.indices)
    func `W5: a page follows the position of a row that was deleted, whatever is written`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(60, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let (table, queue) = try Self.table(number, &random)
        let order = PagedTable.order(&random)
        let source = Source(queue, sortedBy: order)
        let limit = Int.random(in: 1...8, using: &random)
        let comment = Comment("seed \(seed): \(table.definition), \(order), \(limit)")
        let count = try await source.count()
        let start =
          count == 0 ? nil : try await source.key(ofRowAt: .random(in: 0..<count, using: &random))
        var page = try await source.page(PageRequest(key: start, limit: limit))
        for step in 0..<12 {
          let isUpward = Bool.random(using: &random)
          guard let key = isUpward ? page.previous : page.next,
            let edge = isUpward ? page.items.first?.id : page.items.last?.id
          else { break }
          // The row at the edge stays until others were written, to show where it is.
          let rows = try await queue.write { [random] db in
            var random = random
            for number in 0..<Int.random(in: 0...5, using: &random) {
              try PagedTable.insert(1_000 + step * 10 + number, db, &random)
            }
            try db.execute(
              sql: "DELETE FROM sample WHERE number <> ? AND number % 7 = ?",
              arguments: [edge, Int.random(in: 0..<7, using: &random)])
            let rows = try table.rows(order, db).map(\.id)
            try db.execute(sql: "DELETE FROM sample WHERE number = ?", arguments: [edge])
            return rows
          }
          _ = random.next()
          let index = try #require(rows.firstIndex(of: edge), comment)
          page = try await source.page(PageRequest(key: Self.stored(key), limit: limit))
          let (above, below) = (rows[..<index], rows[(index + 1)...])
          let expected = isUpward ? Array(above.suffix(limit)) : Array(below.prefix(limit))
          try #require(page.items.map(\.id) == expected, comment)
          #expect((page.next == nil) == (isUpward ? below.isEmpty : below.count <= limit), comment)
          #expect(
            (page.previous == nil) == (isUpward ? above.count <= limit : above.isEmpty), comment)
          let isEmpty = expected.isEmpty
          if isEmpty { break }
        }
      }
    }

    @Test(arguments: PagedTable.all.indices)
    func `W3: a jump to values leads to the first row that SQL does not sort before them`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(60, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let (table, queue) = try Self.table(number, &random)
        guard let column = PagedTable.order(&random).first else { continue }
        let source = Source(queue, sortedBy: [column])
        let values = PagedTable.values.filter { !$0.contains("00") && !$0.contains("ff") }
        let sql = values.randomElement(using: &random) ?? ""
        // The value as a row of its own, before all rows that are equal.
        let (value, rows) = try await queue.read { db in
          (try DatabaseValue.fetchOne(db, sql: "SELECT \(sql)"), try table.rows([column], db))
        }
        let key = try await source.key(at: [value])
        let expected = try await queue.read { db in
          let name = column.name + (column.collation.map { " COLLATE \($0)" } ?? "")
          let comparison =
            if value?.isNull ?? true {
              column.nullsAreFirst ? "TRUE" : "\(column.name) IS NULL"
            } else {
              "\(name) \(column.isDescending ? "<=" : ">=") ?1"
                + (column.nullsAreFirst ? "" : " OR \(column.name) IS NULL")
            }
          let ids = try Int.fetchSet(
            db, sql: "SELECT number FROM sample WHERE ?1 IS ?1 AND (\(comparison))",
            arguments: [value])
          return rows.map(\.id).filter { ids.contains($0) }
        }
        let found = try await key.mapAsync { try await Self.read(source, from: $0, limit: 7) }
        #expect(found ?? [] == expected, "seed \(seed): \(table.definition), \(column), \(sql)")
      }
    }

    @Test(arguments: PagedTable.all.indices)
    func `T6: a feed over a table converges to it, with few rows in memory or all`(number: Int)
      async throws
    {
      for seed in SeededGenerator.seeds(30, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let (table, queue) = try Self.table(number, &random)
        let order = PagedTable.order(&random)
        let source = Source(queue, sortedBy: order)
        let count = try await source.count()
        let start = try await source.key(ofRowAt: Int.random(in: 0...count, using: &random))
        let feed = Feed(
          source, startingAt: start,
          configuration: FeedConfiguration(
            pageSize: Int.random(in: 1...8, using: &random), prefetchDistance: 0,
            deletionHorizon: .zero))
        let comment = Comment("seed \(seed): \(table.definition), \(order)")
        await feed.refresh()
        for step in 0..<4 {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            _ = await Bool.random(using: &random) ? feed.loadNext() : feed.loadPrevious()
          }
          try await queue.write { [random] db in
            var random = random
            for number in 0..<Int.random(in: 0...5, using: &random) {
              try PagedTable.insert(1_000 + step * 10 + number, db, &random)
            }
            let part = Int.random(in: 0..<5, using: &random)
            try db.execute(
              sql: """
                DELETE FROM sample WHERE number % 7 = \(part);
                UPDATE OR IGNORE sample SET note = note + 1 WHERE number % 5 = \(part);
                UPDATE OR IGNORE sample SET a = key WHERE number % 6 = \(part)
                """)
          }
          _ = random.next()
          if Bool.random(using: &random) { await feed.refresh() }
        }
        let rows = try await queue.read { try table.rows(order, $0) }
        let isShown = await Self.converge(feed, to: rows)
        #expect(isShown, "\(comment.rawValue): \(Array(feed.value.rows)), \(rows)")
        #expect(feed.value.state.previous == .end && feed.value.state.next == .end, comment)
      }
    }

    /// Refreshes a feed and loads its gaps, as a user would, until it shows the rows.
    static func converge(_ feed: Feed<Sample>, to rows: [Sample]) async -> Bool {
      for _ in 0..<5 {
        await feed.refresh(.all)
        while feed.value.state.previous == .idle, await feed.loadPrevious() == .idle {}
        while feed.value.state.next == .idle, await feed.loadNext() == .idle {}
        while let gap = feed.value.rows.lazy.compactMap(\.gap).first {
          if await feed.load(gap).failure != nil { return false }
        }
        if Array(feed.value.items) == rows { return true }
      }
      return false
    }
  }

  extension Optional where Wrapped: Sendable {
    fileprivate func mapAsync<Value>(
      _ transform: (Wrapped) async throws -> Value
    ) async rethrows -> Value? {
      guard let self else { return nil }
      return try await transform(self)
    }
  }
#endif
