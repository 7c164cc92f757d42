#if SQLite
  import Foundation
  @testable import Freshet
  @testable import FreshetSQLite
  import FreshetLists
  import FreshetTesting
  import GRDB
  import Testing

  /// A feed over a table that is written at random: each part of it is what SQL says.
  struct WindowHistory {
    let table: PagedTable
    let queue: DatabaseQueue
    let order: [SortColumn]
    let filter: String
    let source: SQLiteFeedSource<Sample>
    private(set) var feed: Feed<Sample>
    private let configuration: FeedConfiguration
    /// Whether the feed evicts rows.
    var isBounded: Bool { configuration.maximumRows != nil }
    var random: SeededGenerator
    private(set) var log: [String]
    private var lastNumber = 100

    init(seed: Int, table number: Int) async throws {
      random = SeededGenerator(seed: seed)
      (table, queue) = try SQLitePagingTests.table(number, &random)
      let order = PagedTable.order(&random)
      let filter = ["TRUE", "TRUE", "a = 1", "number > 10"].randomElement(using: &random) ?? ""
      (self.order, self.filter) = (order, filter)
      var source = SQLiteFeedSource<Sample>(queue, sortedBy: order) {
        // A request without conditions has a total.
        filter == "TRUE" ? $0 : $0.filter(sql: filter)
      }
      source.windowSize = Int.random(in: 1...10, using: &random)
      self.source = source
      let size = Int.random(in: 1...8, using: &random)
      configuration = FeedConfiguration(
        pageSize: size, prefetchDistance: 0, maximumRows: random.oneIn(3) ? size * 4 : nil)
      log = ["seed \(seed), \(table.definition), \(order), \(filter), pages of \(size)"]
      feed = Feed(source)
      try await makeFeed()
    }

    /// Makes another feed of the same source.
    mutating func makeFeed() async throws {
      let rows = try await source.count()
      let start =
        random.oneIn(2) && rows > 0
        ? try await source.key(ofRowAt: .random(in: 0..<rows, using: &random)) : nil
      feed = Feed(source, startingAt: start, configuration: configuration)
    }

    var comment: Comment { Comment(rawValue: log.joined(separator: "\n")) }

    // MARK: - Events

    /// Writes some rows in one transaction, which may be rolled back.
    mutating func write() async throws {
      let count = Int.random(in: 1...4, using: &random)
      let isRolledBack = random.oneIn(10)
      lastNumber += count
      log.append("write \(count)\(isRolledBack ? ", rolled back" : "")")
      (random, log) = try await queue.write { [random, log, lastNumber] db in
        var (random, log) = (random, log)
        try db.inSavepoint {
          for number in (lastNumber - count)..<lastNumber {
            log.append("  " + (try Self.write(number, db, &random)))
          }
          return isRolledBack ? .rollback : .commit
        }
        return (random, log)
      }
    }

    private static func write(
      _ number: Int, _ db: Database, _ random: inout SeededGenerator
    ) throws -> String {
      let numbers = try Int.fetchAll(db, sql: "SELECT number FROM sample ORDER BY number")
      let other = numbers.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1, 2:
        try PagedTable.insert(number, db, &random)
        return "insert \(number)"
      case 3:
        try db.execute(sql: "DELETE FROM sample WHERE number = ?", arguments: [other])
        return "delete \(other)"
      case 4:
        try db.execute(
          sql: "UPDATE sample SET note = note + 1 WHERE number = ?", arguments: [other])
        return "note of \(other)"
      case 5, 6:
        let column = ["a", "b", "c", "key", "part"].randomElement(using: &random) ?? ""
        let value = PagedTable.values.randomElement(using: &random) ?? ""
        try db.execute(
          sql: "UPDATE OR IGNORE sample SET \(column) = \(value) WHERE number = ?",
          arguments: [other])
        return "\(column) of \(other) is \(value)"
      default:
        // May displace rows, which SQLite does not report.
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO sample (number, a, b, c, key, part)
            SELECT \(number), b, a, c, key, part FROM sample WHERE number = ? AND key IS NOT NULL
            """, arguments: [other])
        return "replace \(other) by \(number)"
      }
    }

    /// Loads one edge or the rows around one, or notes a row on display.
    mutating func load() async throws {
      let value = await contents()
      switch Int.random(in: 0..<7, using: &random) {
      case 5, 6:
        let row = Int.random(in: 0..<40, using: &random)
        log.append("row \(row)")
        await feed.load(rowAt: row)
      case 0, 1:
        log.append("next")
        await feed.loadNext()
      case 2:
        log.append("previous")
        await feed.loadPrevious()
      case 3:
        guard let gap = value.gaps.randomElement(using: &random) else { return }
        let side = Bool.random(using: &random) ? Gap.Side.above : .below
        log.append("gap \(gap) from \(side)")
        await feed.load(gap, from: side)
      default:
        guard let item = value.segments.joined().randomElement(using: &random) else { return }
        log.append("display \(item.id)")
        feed.willDisplay(item)
      }
    }

    // MARK: - What is shown

    private func contents() async -> (segments: [[Sample]], gaps: [Gap], ends: (FeedEnd, FeedEnd)) {
      await feed.engine.eventQueue.ask { engine in
        let timeline = engine.machine.timeline
        var (segments, gaps) = ([[Sample]](), [Gap]())
        var segment: [Sample] = []
        for row in timeline.rows {
          if let item = row.item {
            segment.append(Sample._item(of: item.row))
          } else if let gap = row.gap {
            segments.append(segment)
            gaps.append(gap)
            segment = []
          }
        }
        return (segments + [segment], gaps, (timeline.head, timeline.tail))
      }
    }

    /// Returns what differs from the database; `nil` if nothing does.
    func difference() async throws -> String? {
      let rows = try await queue.read { try table.rows(order, $0, filter: filter) }
      let (segments, gaps, ends) = await contents()
      let shown = segments.map { $0.map { "\($0.id).\($0.note)" } }
      let sorted = rows.map { "\($0.id).\($0.note)" }
      let text = "\(shown), \(ends), of \(sorted)"
      var place = 0
      for (number, segment) in shown.enumerated() {
        if segment.isEmpty, number > 0, number < shown.count - 1 { return "two gaps: \(text)" }
        guard let first = segment.first else { continue }
        guard let start = sorted[place...].firstIndex(of: first),
          start + segment.count <= sorted.count,
          segment == Array(sorted[start..<(start + segment.count)])
        else { return "segment \(number): \(text)" }
        if number == 0, ends.0 == .end, start > 0 { return "head: \(text)" }
        place = start + segment.count
      }
      if gaps.isEmpty, ends == (.end, .end), shown != [sorted] { return "whole: \(text)" }
      if case .exact(let total)? = feed.value.state.total, total != sorted.count {
        return "total \(total): \(text)"
      }
      if ends.1 == .end, shown.last?.isEmpty == false, place < sorted.count {
        return "end: \(text)"
      }
      return nil
    }

    /// Loads everything that is missing.
    ///
    /// - Returns: whether the list is then whole.
    func loadAll() async throws -> Bool {
      for _ in 0..<200 {
        let (_, gaps, ends) = await contents()
        if let gap = gaps.first {
          await feed.load(gap)
        } else if ends.0 == .open {
          await feed.loadPrevious()
        } else if ends.1 != .end {
          await feed.loadNext()
        } else {
          return true
        }
      }
      return false
    }
  }

  @Suite(.timeLimit(.minutes(5)))
  struct WindowHistoryTests {
    @Test(arguments: PagedTable.all.indices)
    func `W5: a refresh shows each loaded part as SQL has it, whatever was written`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(40, from: number * 10_000) {
        var history = try await WindowHistory(seed: seed, table: number)
        await history.feed.refresh()
        for _ in 0..<20 {
          for _ in 0..<Int.random(in: 0...3, using: &history.random) {
            if history.random.oneIn(2) {
              try await history.write()
            } else {
              try await history.load()
            }
          }
          await history.feed.refresh()
          let difference = try await history.difference()
          try #require(difference == nil, history.comment)
        }
        if history.isBounded { continue }
        let isWhole = try await history.loadAll()
        #expect(isWhole, history.comment)
        await history.feed.refresh()
        let difference = try await history.difference()
        try #require(difference == nil, history.comment)
      }
    }

    @Test(arguments: PagedTable.all.indices)
    func `W4: a feed that follows a table shows each commit, while pages are loaded`(
      number: Int
    ) async throws {
      for seed in SeededGenerator.seeds(20, from: number * 10_000) {
        var histories = [try await WindowHistory(seed: seed, table: number)]
        // The source finds out for all feeds which of them a change concerns.
        var other = histories[0]
        try await other.makeFeed()
        histories.append(other)
        let following = histories.map { history in
          Task { [events = history.source.changes()] in try await history.feed.follow(events) }
        }
        for _ in 0..<8 {
          try await withThrowingTaskGroup { group in
            for history in histories {
              group.addTask {
                var loading = history
                for _ in 0..<4 { try await loading.load() }
              }
            }
            for _ in 0..<4 { try await histories[0].write() }
            try await group.waitForAll()
          }
          for history in histories {
            let isShown = try await eventually { try await history.difference() == nil }
            let difference = try await history.difference()
            try #require(isShown, "\(difference ?? "")\n\(histories[0].comment)")
            #expect(difference == nil)
          }
        }
        for task in following { task.cancel() }
      }
    }
  }
#endif
