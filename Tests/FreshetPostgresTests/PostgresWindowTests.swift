#if Postgres
  import Foundation
  @testable import Freshet
  import FreshetLists
  @testable import FreshetPostgres
  import FreshetTesting
  import Testing

  /// A feed over a table of PostgreSQL that reads its loaded parts again, or follows the table.
  @Suite(
    .timeLimit(.minutes(SeededGenerator.minutes)), .enabled(if: PostgresServer.isInstalled))
  struct PostgresWindowTests {
    typealias Source = PostgresFeedSource<Sample>

    // MARK: - What is shown

    /// Returns what differs from the rows that SQL sorts; `nil` if each segment is a part of them.
    static func difference(_ feed: Feed<Sample>, _ sorted: [String]) -> String? {
      let value = feed.value
      let rows = value.list.items.map { row in row.item.map { "\($0.id).\($0.note)" } }
      let text = "\(rows), \(value.state.previous), \(value.state.next), of \(sorted)"
      let isTop = rows.first != .some(nil) && value.state.previous == .end
      let isBottom = rows.last != .some(nil) && value.state.next == .end
      var place = 0
      let segments = rows.split(separator: nil).map { $0.compactMap(\.self) }
      for (number, segment) in segments.enumerated() {
        guard let start = sorted[place...].firstIndex(of: segment[0]),
          segment == Array(sorted[start...].prefix(segment.count))
        else { return "segment \(number): \(text)" }
        if number == 0, isTop, start > 0 { return "head: \(text)" }
        place = start + segment.count
      }
      if isBottom, place < sorted.count { return "end: \(text)" }
      return nil
    }

    /// Writes at random, as one statement or transaction.
    static func write(
      _ table: PostgresPagedTable, _ number: Int, _ random: inout SeededGenerator
    ) async throws -> String {
      let other = Int.random(in: 0...number, using: &random)
      let sql: String
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        try await table.insert(number, &random)
        return "insert \(number)"
      case 2: sql = "DELETE FROM \"\(table.name)\" WHERE number = \(other)"
      case 3: sql = "UPDATE \"\(table.name)\" SET note = note + 1 WHERE number % 5 = \(other % 5)"
      case 4:
        let column = Int.random(in: 0..<3, using: &random)
        let value = table.kind.values[column].randomElement(using: &random) ?? ""
        let name = ["a", "b", "c"][column]
        sql = "UPDATE \"\(table.name)\" SET \(name) = \(value) WHERE number = \(other)"
      default:
        sql = "BEGIN; DELETE FROM \"\(table.name)\" WHERE number = \(other); ROLLBACK"
      }
      try await table.connection.run(sql)
      return sql
    }

    /// A feed over a table, in a random order.
    static func feed(
      _ table: PostgresPagedTable, _ random: inout SeededGenerator
    ) async throws -> (feed: Feed<Sample>, source: Source, order: [SortColumn]) {
      let order = table.order(&random)
      var source = Source(table.store, sortedBy: order, where: "number <> \(5)")
      source.windowSize = Int.random(in: 1...10, using: &random)
      let count = try await source.count()
      let start =
        random.oneIn(2) && count > 0
        ? try await source.key(ofRowAt: .random(in: 0..<count, using: &random)) : nil
      let size = Int.random(in: 1...8, using: &random)
      let feed = Feed(
        source, startingAt: start,
        configuration: FeedConfiguration(
          pageSize: size, prefetchDistance: 0, maximumRows: random.oneIn(3) ? size * 4 : nil))
      return (feed, source, order)
    }

    /// Loads a page at an edge, or around a row.
    static func load(_ feed: Feed<Sample>, _ random: inout SeededGenerator) async {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: await feed.loadPrevious()
      case 4: await feed.load(rowAt: .random(in: 0..<40, using: &random))
      case 1:
        guard let gap = feed.value.state.gaps.keys.sorted().first else { return }
        await feed.load(Gap(id: gap), from: Bool.random(using: &random) ? .above : .below)
      default: await feed.loadNext()
      }
    }

    static func sorted(_ table: PostgresPagedTable, _ order: [SortColumn]) async throws -> [String]
    {
      let rows = try await table.rows(order, where: "number <> 5")
      let notes = try await table.connection.run("SELECT number, note FROM \"\(table.name)\"")
      let texts = Dictionary(uniqueKeysWithValues: notes.map { ($0[0], $0[1] ?? "") })
      return rows.map { "\($0).\(texts["\($0)"] ?? "")" }
    }

    @Test(arguments: PostgresPagedTable.kinds.indices)
    func `W5: a refresh shows each loaded part as PostgreSQL has it, whatever was written`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(8, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let table = try await PostgresPagedTable(
          PostgresPagedTable.kinds[number], of: .random(in: 0...40, using: &random), &random)
        let (feed, _, order) = try await Self.feed(table, &random)
        var (last, log) = (100, ["seed \(seed): \(table.kind), \(order)"])
        await feed.refresh()
        for _ in 0..<12 {
          for _ in 0..<Int.random(in: 0...3, using: &random) {
            if random.oneIn(2) {
              // A key that is taken, for example, is no fault.
              last += 1
              log.append((try? await Self.write(table, last, &random)) ?? "refused")
            } else {
              await Self.load(feed, &random)
            }
          }
          let state = await feed.refresh()
          #expect(state.failure == nil, "\(log)")
          let difference = try await Self.difference(feed, Self.sorted(table, order))
          try #require(difference == nil, "\(log.joined(separator: "\n"))")
        }
        try await table.drop()
      }
    }

    @Test(arguments: PostgresPagedTable.kinds.indices)
    func `W4: a feed that follows a table shows each commit, and those it missed`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(3, from: number * 1_000) {
        var random = SeededGenerator(seed: seed)
        let table = try await PostgresPagedTable(
          PostgresPagedTable.kinds[number], of: 40, &random)
        try await table.connection.run(
          "CREATE UNIQUE INDEX ON \"\(table.name)\" (number)")
        try await table.store.install()
        let (feed, source, order) = try await Self.feed(table, &random)
        let following = Task { try await feed.follow(source.changes()) }
        var last = 100
        for step in 0..<6 {
          if step == 3 {
            let process =
              try await table.store.link.connection()
              .run("SELECT pg_backend_pid()")[0][0] ?? ""
            let isEnded = try await table.connection.run("SELECT pg_terminate_backend(\(process))")
            #expect(isEnded == [["t"]])
          }
          for _ in 0..<4 {
            last += 1
            _ = try? await Self.write(table, last, &random)
            await Self.load(feed, &random)
          }
          let sorted = try await Self.sorted(table, order)
          let isShown = await eventually {
            feed.value.state.refresh.failure == nil && Self.difference(feed, sorted) == nil
          }
          let difference = Self.difference(feed, sorted) ?? "\(feed.value.state.refresh)"
          try #require(isShown, "seed \(seed): \(difference)")
        }
        following.cancel()
        try await table.drop()
      }
    }

    // MARK: - Cost

    /// Returns the number of rows that the server sends, of which each window has at least one.
    static func rowsSent(
      for windows: [PageWindow<KeysetKey>], of store: PostgresStore<Sample>
    ) async throws -> Int {
      let (connection, table) = try await store.link.connection(sortedBy: [.ascending("number")])
      let query = try KeysetQuery.windows(
        windows.map(WindowAnswers.digested), limit: 1_001, .all, of: table)
      let rows = try await connection.run(query.text, query.arguments)
      return rows.count
    }

    @Test func `W4: only the rows of a part that changed are sent`() async throws {
      let (database, store) = try await PostgresFeedSourceTests.table(of: 1_000)
      let source = Source(store, sortedBy: [.ascending("number")])
      var windows: [PageWindow<KeysetKey>] = []
      var key: KeysetKey?
      for _ in 0..<4 {
        let page = try await source.page(PageRequest(key: key, limit: 50))
        windows.append(PageWindow(start: key, end: page.next))
        key = page.next
      }
      func read() async throws -> [[Int]?] {
        let answers = try await source.pages(in: windows)
        return answers.enumerated().map { number, pages in
          if pages[0].isUnchanged { return nil }
          windows[number].validator = pages[0].validator
          return pages.map(\.items.count)
        }
      }
      #expect(try await read() == [[50], [50], [50], [50]])
      #expect(try await read() == [nil, nil, nil, nil])
      #expect(try await Self.rowsSent(for: windows, of: store) == 4)
      let owner = try await database.owner()
      try await owner.run(
        "UPDATE quake SET note = 1 WHERE number IN (60, 999); DELETE FROM quake WHERE number = 190")
      #expect(try await Self.rowsSent(for: windows, of: store) == 101)
      #expect(try await read() == [nil, [50], nil, [49]])
      #expect(try await read() == [nil, nil, nil, nil])
      try await owner.run(
        "ALTER TABLE quake ALTER number TYPE numeric; INSERT INTO quake (number, note) SELECT 120 + n / 10000.0, 0 FROM generate_series(1, 70) AS n"
      )
      struct Exact: ListItem, Codable {
        var number: Double
        var id: Double { number }
      }
      let exact = PostgresFeedSource<Exact>(
        PostgresStore(database.server.database(database.name), table: "quake", key: "number"),
        sortedBy: [.ascending("number")])
      let pages = try await exact.pages(in: windows)
      #expect(pages.map { $0.map(\.isUnchanged) } == [[true], [true], [false, false], [true]])
      #expect(pages[2].map(\.items.count) == [50, 70])
      #expect(pages[2][1].next == windows[2].end && pages[2][0].next != windows[2].end)
      try await owner.run(
        "INSERT INTO quake (number, note) SELECT 121 + n / 10000.0, 0 FROM generate_series(1, 1500) AS n"
      )
      let cut = try await exact.pages(in: windows)[2]
      #expect(cut.map(\.items.count) == Array(repeating: 50, count: 20))
      #expect(cut.last?.next != windows[2].end)
    }

    @Test(arguments: PostgresFeedSourceTests.orders.indices)
    func `W4: no part is read by a look at the whole table`(number: Int) async throws {
      let (index, order) = PostgresFeedSourceTests.orders[number]
      let (_, store) = try await PostgresFeedSourceTests.table(index, of: 5_000)
      let source = Source(store, sortedBy: order)
      let (connection, table) = try await store.link.connection(sortedBy: order)
      var windows = [PageWindow<KeysetKey>]()
      for row in [50, 1_700, 4_400, 4_940] {
        let start = try #require(try await source.key(ofRowAt: row))
        let end = try await source.page(PageRequest(key: start, limit: 50)).next
        windows += [PageWindow(start: start, end: end)]
        if row == 50 { windows += [PageWindow(start: nil, end: start)] }
      }
      windows.append(PageWindow(start: windows.last?.end, end: nil))
      for windows in windows.map({ [$0] }) + [windows] {
        let query = try KeysetQuery.windows(windows, limit: 1_001, .all, of: table).explained
        let rows = try await connection.run(query.text, query.arguments)
        let plan = rows.compactMap { $0[0] }.joined()
        #expect(!plan.contains("Seq Scan") && plan.contains("Index Cond"), "\(plan)")
      }
    }

    // MARK: - Problems

    @Test func `a table without triggers cannot be followed, and the reason is given`() async throws
    {
      let (_, store) = try await PostgresFeedSourceTests.table(of: 10)
      let feed = Feed(Source(store, sortedBy: []))
      let error = await #expect(throws: PostgresError.self) {
        try await feed.follow(Source(store, sortedBy: []).changes())
      }
      guard case .noTriggers = error else { return #expect(error == nil) }
      #expect(feed.value.items.count == 10)
    }

    @Test func `a feed that follows a table learns that its triggers are gone`() async throws {
      let table = try await QuakeTable()
      try await table.run("INSERT INTO TABLE VALUES ('us1', 1, NULL)")
      let store = PostgresStore<Quake>(
        table.server.database(), table: table.name, checkingEvery: .milliseconds(50))
      let source = PostgresFeedSource(store, sortedBy: [.ascending("id")])
      let feed = Feed(source)
      let following = Task { try await feed.follow(source.changes()) }
      #expect(await eventually { feed.value.items.count == 1 })
      try await table.run("INSERT INTO TABLE VALUES ('us2', 1, NULL)")
      #expect(await eventually { feed.value.items.count == 2 })
      let triggers = try await table.server.connection().run(
        "SELECT tgname FROM pg_trigger WHERE tgrelid = '\(table.name)'::regclass AND NOT tgisinternal"
      )
      for trigger in triggers { try await table.run("DROP TRIGGER \(trigger[0] ?? "") ON TABLE") }
      await #expect(throws: PostgresError.self) { try await following.value }
    }

    @Test func `a list with thousands of parts is read by one statement`() async throws {
      let (_, store) = try await PostgresFeedSourceTests.table(of: 5_000)
      let source = Source(store, sortedBy: [.ascending("a")])
      var windows: [PageWindow<KeysetKey>] = []
      var key: KeysetKey?
      repeat {
        let page = try await source.page(PageRequest(key: key, limit: 5))
        windows.append(PageWindow(start: key, end: page.next))
        key = page.next
      } while key != nil
      let pages = try await source.pages(in: windows)
      #expect(windows.count == 1_000 && pages.allSatisfy { $0.count == 1 })
      let all = try await source.page(PageRequest(limit: 1_000)).items
      #expect(pages.joined().flatMap(\.items).prefix(1_000).map(\.id) == all.map(\.id))
    }

    @Test func `a list may have more parts than a statement has arguments`() async throws {
      let (_, store) = try await PostgresFeedSourceTests.table(of: 100)
      let source = Source(
        store, sortedBy: [.ascending("a"), .descending("b"), .ascending("note")])
      let start = try #require(try await source.key(ofRowAt: 40))
      let end = try #require(try await source.page(PageRequest(key: start, limit: 2)).next)
      let window = PageWindow(start: start, end: end)
      let pages = try await source.pages(in: Array(repeating: window, count: 10_000))
      #expect(pages.count == 10_000 && pages.allSatisfy { $0.map(\.items.count) == [2] })
    }

    @Test func `a key whose value a column no longer holds leads back to the head`() async throws {
      let (database, store) = try await PostgresFeedSourceTests.table(of: 1_000)
      let source = Source(store, sortedBy: [.ascending("b")])
      let feed = Feed(source, startingAt: try await source.key(ofRowAt: 500))
      await feed.refresh()
      try await database.owner().run("ALTER TABLE quake ALTER b TYPE integer USING number")
      await feed.refresh()
      #expect(feed.value.items.first?.id == 1 && feed.value.state.refresh.failure == nil)
    }

    @Test func `a column that is added shows in rows that nobody wrote`() async throws {
      let (database, store) = try await PostgresFeedSourceTests.table(of: 20)
      let owner = try await database.owner()
      try await owner.run(
        "ALTER TABLE quake DROP note; ALTER TABLE quake ADD note integer DEFAULT 3")
      let feed = Feed(Source(store, sortedBy: []))
      await feed.refresh()
      await feed.refresh()
      #expect(feed.value.items.first?.note == 3)
      try await owner.run(
        "ALTER TABLE quake DROP note; ALTER TABLE quake ADD note integer DEFAULT 4")
      let state = await feed.refresh()
      #expect(feed.value.items.map(\.note) == Array(repeating: 4, count: 20), "\(state)")
    }
  }
#endif
