import CMalloc
import Foundation
import Freshet
import FreshetSQLite
import FreshetTesting
import GRDB
import Synchronization

/// A row of the table, sorted by its time.
private struct Quake: ListItem, Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "quake"
  let id: Int
  var time: Int
  var place: String
}

/// A feed over a large table of SQLite, its writer and its reader, second by simulated second.
///
/// The feed keeps 500 rows in memory. A thousand rows are written each second, half of them near
/// the reader, who scrolls and now and then jumps to any row.
struct WindowSoak {
  private static let rows = 1_000_000
  private static let commitsPerSecond = 10
  private static let changesPerCommit = 100
  /// How much more memory the process may have than before it opened the database, in bytes.
  private static let memoryLimit = 30 << 20
  private let folder: URL
  private let pool: DatabasePool
  private let source: SQLiteFeedSource<Quake>
  private let feed: Feed<Quake>
  private var random: SeededGenerator
  private var lastID = rows
  /// The time of the row at the reader's place, near which half of the changes are.
  private var place = rows * 10
  private var jumps = 0

  private init(seed: Int) async throws {
    random = SeededGenerator(seed: seed)
    folder = FileManager.default.temporaryDirectory.appending(path: "freshet-soak-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    pool = try DatabasePool(path: folder.appending(path: "quakes.sqlite").path)
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE quake (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, place TEXT NOT NULL);
          WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(Self.rows))
          INSERT INTO quake SELECT n, n * 10, n || ' km N of Masohi, Indonesia' FROM n;
          CREATE INDEX quake_time ON quake (time DESC, id DESC);
          ANALYZE
          """)
    }
    source = SQLiteFeedSource(pool, sortedBy: [.descending("time")])
    feed = Feed(source, configuration: FeedConfiguration(pageSize: 50, maximumRows: 500))
  }

  /// - Returns: what went wrong.
  static func run(minutes: Int, seed: Int) async throws -> [String] {
    let start = residentBytes()
    var soak = try await WindowSoak(seed: seed)
    defer { try? FileManager.default.removeItem(at: soak.folder) }
    let (feed, source) = (soak.feed, soak.source)
    let failure = Mutex<String?>(nil)
    let following = Task {
      do {
        try await feed.follow(source.changes(checkingEvery: nil))
        failure.withLock { $0 = "the changes ended" }
      } catch { failure.withLock { $0 = "\(error)" } }
    }
    defer { following.cancel() }
    await feed.refresh()
    var largest = 0
    let began = ContinuousClock.now
    for minute in 1...max(1, minutes) {
      for second in 0..<60 { try await soak.pass(second) }
      var difference = try await soak.difference()
      for _ in 0..<1_000 where difference != nil {
        try await Task.sleep(for: .milliseconds(10))
        difference = try await soak.difference()
      }
      if let difference = failure.withLock(\.self) ?? difference {
        return ["minute \(minute): \(difference)"]
      }
      let memory = max(0, residentBytes() - start)
      largest = max(largest, memory)
      if minute < 5 || minute % 5 == 0 {
        say(
          "minute \(minute) after \(Int((ContinuousClock.now - began) / .seconds(1))) s: "
            + "\(memory >> 20) MB more than an empty process, "
            + "\(allocated_bytes() >> 20) MB allocated, \(soak.jumps) jumps, "
            + "\(feed.value.items.count) rows of \(feed.value.state.total?.text ?? "unknown")")
      }
    }
    if largest <= memoryLimit { return [] }
    return ["the window needed \(largest >> 20) MB of memory"]
  }

  private mutating func pass(_ second: Int) async throws {
    for _ in 0..<Self.commitsPerSecond { try await write() }
    if second % 10 == 9 {
      jumps += 1
      let row = Int.random(in: 0..<Self.rows, using: &random)
      await feed.load(rowAt: row)
      if let item = feed.value.items.randomElement(using: &random) { place = item.time }
    }
    // A screen of rows below the place, which the feed has loaded or loads now.
    let items = feed.value.items
    guard let top = items.firstIndex(where: { $0.time <= place }) else {
      await feed.loadNext()
      return
    }
    let screen = items[top..<min(top + 20, items.endIndex)]
    for item in screen { feed.willDisplay(item) }
    if let last = screen.last { place = last.time }
  }

  /// Changes rows in one transaction: texts, times, new rows and deletions.
  private mutating func write() async throws {
    let (first, place) = (lastID + 1, place)
    lastID += Self.changesPerCommit
    random = try await pool.write { [random] db in
      var random = random
      for id in first..<(first + Self.changesPerCommit) {
        let isNear = random.oneIn(2)
        let time =
          isNear
          ? place + .random(in: -1_000...1_000, using: &random)
          : .random(in: 0...(Self.rows * 10), using: &random)
        let row = "(SELECT id FROM quake WHERE time <= \(time) ORDER BY time DESC, id DESC LIMIT 1)"
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          try db.execute(sql: "INSERT INTO quake VALUES (\(id), \(time), 'new \(id)')")
        case 1: try db.execute(sql: "DELETE FROM quake WHERE id = \(row)")
        case 2: try db.execute(sql: "UPDATE quake SET time = time + 11 WHERE id = \(row)")
        default: try db.execute(sql: "UPDATE quake SET place = 'text \(id)' WHERE id = \(row)")
        }
      }
      return random
    }
  }

  /// Returns what differs between the loaded stretches and the table.
  ///
  /// Nothing does soon after the last commit, as the feed follows the table.
  private func difference() async throws -> String? {
    let stretches = feed.value.rows.split { $0.gap != nil }.map { $0.compactMap(\.item) }
    if stretches.allSatisfy(\.isEmpty) { return "no rows are shown" }
    let count = try await source.count()
    if let total = feed.value.state.total, case .exact(let shown) = total, shown != count {
      return "\(shown) rows, \(count) in the table"
    }
    for stretch in stretches {
      guard let first = stretch.first, let last = stretch.last else { continue }
      let stored = try await pool.read { db in
        try Quake.fetchAll(
          db,
          sql: """
            SELECT * FROM quake WHERE (time, id) <= (?, ?) AND (time, id) >= (?, ?)
            ORDER BY time DESC, id DESC
            """, arguments: [first.time, first.id, last.time, last.id])
      }
      if let index = zip(stored, stretch).map(!=).firstIndex(of: true) {
        return "\(stretch[index]) is shown, \(stored[index]) is in the table"
      }
      if stored.count != stretch.count {
        return "\(stretch.count) rows are shown where the table has \(stored.count)"
      }
    }
    return nil
  }
}

/// The memory of the process that is in use, in bytes.
private func residentBytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}
