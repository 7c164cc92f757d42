#if SQLite
  import Foundation
  @testable import Freshet
  import FreshetLists
  import FreshetSQLite
  import FreshetTesting
  import GRDB
  import Testing

  /// The database with the flights, if it was written.
  private let file = ProcessInfo.processInfo.environment["FRESHET_FLIGHTS"]

  /// A flight that left New York in 2013.
  struct Flight: ListItem, Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "flight"
    let id: Int
    let note: Int
    let carrier: String
    let dep_delay: Int?
  }

  /// Feeds over 336,776 rows of real data, with NULLs and many ties: each part is what SQL says.
  ///
  /// `make test-flights` writes the database, and runs these tests.
  @Suite(.enabled(if: file != nil), .timeLimit(.minutes(60)))
  struct FlightTests {
    private static let columns = [
      "dep_delay", "arr_delay", "dep_time", "carrier", "tailnum", "origin", "dest", "air_time",
      "distance", "time_hour", "flight",
    ]

    private let folder = TemporaryFolder()

    @Test(arguments: 0..<8)
    func `W5: windows anywhere in a long table, in any order, follow what is written`(seed: Int)
      async throws
    {
      var random = SeededGenerator(seed: seed)
      let copy = folder.url.appending(path: "flights.sqlite")
      try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: try #require(file), toPath: copy.path)
      let pool = try DatabasePool(path: copy.path)
      let order = Self.columns.shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
        .map { name in
          let nulls = [SortColumn.Nulls.first, .last, nil].randomElement(using: &random) ?? nil
          return Bool.random(using: &random)
            ? SortColumn.ascending(name, nulls: nulls) : .descending(name, nulls: nulls)
        }
      let filter = ["TRUE", "origin = 'JFK'"].randomElement(using: &random) ?? ""
      if !order.isEmpty {
        try await pool.write { db in
          let terms = order.map { "\($0.name) \($0.isDescending ? "DESC" : "ASC")" }
          let direction = order.first?.isDescending == true ? "DESC" : "ASC"
          try db.execute(
            sql: "CREATE INDEX sorted ON flight (\(terms.joined(separator: ", ")), id \(direction))"
          )
        }
      }
      let source = SQLiteFeedSource<Flight>(pool, sortedBy: order) { $0.filter(sql: filter) }
      let feed = Feed(
        source,
        configuration: FeedConfiguration(pageSize: 50, prefetchDistance: 0, maximumRows: 600))
      let following = Task { [events = source.changes()] in try await feed.follow(events) }
      defer { following.cancel() }
      #expect(await eventually { feed.value.isAnswered })
      var log = ["seed \(seed), \(order), \(filter)"]
      for step in 0..<25 {
        let rows = try await Self.rows(order, filter, pool)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1, 2:
          let row = Int.random(in: 0..<rows.count, using: &random)
          log.append("row \(row)")
          await feed.load(rowAt: row)
          // After writes, the place is an estimate. With conditions, the number of rows is unknown.
          let near = rows[max(0, row - 400)..<min(rows.count, row + 400)].map(\.id)
          let isNear = !Set(feed.value.items.map(\.id)).isDisjoint(with: near)
          #expect(isNear || filter != "TRUE", "\(log)")
        case 3:
          log.append("next")
          await feed.loadNext()
        case 4:
          log.append("gap")
          if let gap = feed.value.state.gaps.keys.sorted().randomElement(using: &random) {
            await feed.load(Gap(id: gap), from: Bool.random(using: &random) ? .above : .below)
          }
        default: break
        }
        let seen = feed.value.items.map(\.id).randomElement(using: &random) ?? 1
        log.append(try await Self.write(step, near: seen, pool, &random))
        let now = try await Self.rows(order, filter, pool)
        let isRight = await eventually { Self.isPart(feed.value, of: now) }
        #expect(isRight, "\(log)")
        guard isRight else { return }
        #expect(feed.value.items.count <= 1_200, "\(log)")
      }
    }

    /// Writes some rows, one of which is loaded.
    private static func write(
      _ step: Int, near seen: Int, _ pool: DatabasePool, _ random: inout SeededGenerator
    ) async throws -> String {
      let others = (0..<10).map { _ in Int.random(in: 1...336_776, using: &random) }
      let column = Self.columns.randomElement(using: &random) ?? ""
      let kind = Int.random(in: 0..<4, using: &random)
      let sql =
        switch kind {
        case 0: "UPDATE flight SET note = note + 1 WHERE id = ?"
        case 1:
          """
          UPDATE flight SET \(column) = (SELECT \(column) FROM flight WHERE id = \(others[0]))
          WHERE id = ?
          """
        case 2: "DELETE FROM flight WHERE id = ?"
        default:
          """
          INSERT INTO flight (\(Self.columns.joined(separator: ", ")))
          SELECT \(Self.columns.joined(separator: ", ")) FROM flight WHERE id = ?
          """
        }
      try await pool.write { db in
        for id in [seen] + others { try db.execute(sql: sql, arguments: [id]) }
      }
      return "\(sql) of \(seen)"
    }

    /// A row as the judge knows it.
    private struct Place: Equatable {
      let id: Int
      let note: Int
    }

    /// The rows as SQL sorts them.
    private static func rows(
      _ order: [SortColumn], _ filter: String, _ pool: DatabasePool
    ) async throws -> [Place] {
      let terms = order.map { column in
        let nulls = column.nulls.map { $0 == .first ? " NULLS FIRST" : " NULLS LAST" } ?? ""
        return "\(column.name) \(column.isDescending ? "DESC" : "ASC")\(nulls)"
      }
      let last = order.first?.isDescending == true ? "id DESC" : "id"
      let sql = """
        SELECT id, note FROM flight WHERE \(filter)
        ORDER BY \((terms + [last]).joined(separator: ", "))
        """
      return try await pool.read { db in
        var places: [Place] = []
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() { places.append(Place(id: row[0], note: row[1])) }
        return places
      }
    }

    /// Whether each stretch of a list without a gap has rows that follow each other.
    private static func isPart(_ value: ListValue<Flight>, of rows: [Place]) -> Bool {
      var place: Int?
      var start = 0
      for row in value.rows {
        guard let flight = row.item else {
          place = nil
          continue
        }
        let expected = Place(id: flight.id, note: flight.note)
        let index = place.map { $0 + 1 } ?? rows[start...].firstIndex(of: expected)
        guard let index, rows.indices.contains(index), rows[index] == expected else { return false }
        (place, start) = (index, index)
      }
      return value.items.isEmpty == rows.isEmpty
    }
  }
#endif
