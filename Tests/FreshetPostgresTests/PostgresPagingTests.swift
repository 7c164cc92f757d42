#if Postgres
  import Foundation
  @testable import Freshet
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// The pages of a table are what SQL says, in any order, from any place, whatever is written.
  @Suite(
    .timeLimit(.minutes(SeededGenerator.minutes)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresPagingTests {
    typealias Source = PostgresFeedSource<Sample>

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

    @Test(arguments: PostgresPagedTable.kinds.indices)
    func `W5: pages in both directions, from any row, are the rows that PostgreSQL sorts`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(5, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let table = try await PostgresPagedTable(
          PostgresPagedTable.kinds[number], of: .random(in: 0...40, using: &random), &random)
        for _ in 0..<4 {
          let order = table.order(&random)
          let filter =
            ["true", "part = 1", "a IS NOT NULL AND number > 10"]
            .randomElement(using: &random) ?? ""
          let source = Source(
            table.store, sortedBy: order,
            where: PostgresRequest(stringLiteral: "\(filter) -- a remark"))
          let rows = try await table.rows(order, where: filter)
          let limit = Int.random(in: 1...8, using: &random)
          let comment = Comment("seed \(seed): \(table.kind), \(order), \(filter), \(limit)")
          #expect(try await source.count() == rows.count, comment)
          try #require(try await Self.read(source, from: nil, limit: limit) == rows, comment)
          #expect(try await source.key(ofRowAt: rows.count) == nil, comment)
          guard let index = rows.indices.randomElement(using: &random) else { continue }
          let key = try #require(try await source.key(ofRowAt: index), comment)
          #expect(try await source.key(of: rows[index]) == key, comment)
          let page = try await source.page(PageRequest(key: key, limit: limit))
          #expect(page.items.first?.id == rows[index], comment)
          let below = try await Self.read(source, from: key, limit: limit)
          #expect(below == Array(rows[index...]), comment)
          #expect((page.previous == nil) == (index == 0), comment)
          try await Self.checkSkips(source, rows, index, comment, &random)
          guard let previous = page.previous else { continue }
          let above = try await Self.read(source, from: previous, upward: true, limit: limit)
          #expect(above == Array(rows[..<index]), comment)
        }
        try await table.drop()
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

    @Test(arguments: PostgresPagedTable.kinds.indices)
    func `W5: a page follows the position of a row that was deleted, whatever is written`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(5, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let table = try await PostgresPagedTable(
          PostgresPagedTable.kinds[number], of: 30, &random)
        let order = table.order(&random)
        let source = Source(table.store, sortedBy: order)
        let limit = Int.random(in: 1...8, using: &random)
        let comment = Comment("seed \(seed): \(table.kind), \(order), \(limit)")
        let start = try await source.key(ofRowAt: .random(in: 0..<30, using: &random))
        var page = try await source.page(PageRequest(key: start, limit: limit))
        for step in 0..<8 {
          let isUpward = Bool.random(using: &random)
          guard let key = isUpward ? page.previous : page.next,
            let edge = isUpward ? page.items.first?.id : page.items.last?.id
          else { break }
          for number in 0..<Int.random(in: 0...3, using: &random) {
            try await table.insert(1_000 + step * 10 + number, &random)
          }
          try await table.connection.run(
            "DELETE FROM \"\(table.name)\" WHERE number <> \(edge) AND number % 7 = \(step % 7)")
          // The row at the edge stays until others were written, to show where it is.
          let rows = try await table.rows(order)
          try await table.connection.run("DELETE FROM \"\(table.name)\" WHERE number = \(edge)")
          let index = try #require(rows.firstIndex(of: edge), comment)
          page = try await source.page(PageRequest(key: Self.stored(key), limit: limit))
          let (above, below) = (rows[..<index], rows[(index + 1)...])
          let expected = isUpward ? Array(above.suffix(limit)) : Array(below.prefix(limit))
          try #require(page.items.map(\.id) == expected, comment)
          #expect((page.next == nil) == (isUpward ? below.isEmpty : below.count <= limit), comment)
          #expect(
            (page.previous == nil) == (isUpward ? above.count <= limit : above.isEmpty), comment)
          if expected.isEmpty { break }
        }
        try await table.drop()
      }
    }
  }
#endif
