import Foundation
import Freshet
import FreshetSQLite
import GRDB

/// A row of a large table.
private struct Entry: ListItem, Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "entry"
  let id: Int
  var time: Int
  var title: String
}

/// Feeds of a part of a large table, against observing the same rows by a query of GRDB.
func windows() async throws -> [Figure] {
  var table = Table(
    "A window of a large table",
    """
    50 rows in the middle of a table of SQLite, from a write until they are shown again with the exact changes: what \
    the process computes, medians in milliseconds. `ValueObservation` fetches them by `LIMIT` and `OFFSET`, and \
    Heckel's algorithm compares them. The write alone is a part of both.
    """, ["Freshet", "`ValueObservation`", "the write alone"])
  for count in [10_000, 1_000_000] { try await follow(a: count, &table) }
  return table.figures
}

private func follow(a count: Int, _ table: inout Table) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let pool = try DatabasePool(path: folder.appending(path: "entries.sqlite").path)
  try await pool.write { db in
    try db.execute(
      sql: """
        CREATE TABLE entry (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, title TEXT NOT NULL);
        WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < \(count))
        INSERT INTO entry SELECT n, n * 10, 'M 4.5 - ' || n || ' km N of Masohi, Indonesia' FROM n;
        CREATE INDEX entry_time ON entry (time, id)
        """)
  }
  let middle = count / 2
  let source = SQLiteFeedSource(pool, Entry.self, sortedBy: [.ascending("time")])
  let key = try await source.key(ofRowAt: middle)
  func loaded() async -> Feed<Entry> {
    let feed = Feed(
      source, startingAt: key, configuration: FeedConfiguration(pageSize: 50, prefetchDistance: 0))
    await feed.refresh()
    return feed
  }
  @Sendable func fetched(_ db: Database) throws -> [Entry] {
    try Entry.order(Column("time"), Column("id")).limit(50, offset: middle).fetchAll(db)
  }
  let ours = try await median { _ = await loaded() }
  let theirs = try await median { _ = try await pool.read(fetched) }
  table.add("the first rows", rows: count, [("Freshet", ours), ("`ValueObservation`", theirs)])

  var round = 0
  func write(_ isInside: Bool) async throws {
    round += 1
    try await pool.write { [round] db in
      // The first rows are far from the window.
      let id = isInside ? middle + 2 + round * 7 % 40 : 1 + round % 1_000
      try db.execute(sql: "UPDATE entry SET time = time + 11 WHERE id = ?", arguments: [id])
    }
  }
  let changes = [("a change in it", true), ("a change elsewhere", false)]
  let observation = ValueObservation.tracking { try fetched($0) }
  // What the process computes does not grow while it sleeps.
  let first = await Follower(loaded(), source)
  var alone: [Duration] = []
  for (name, isInside) in changes {
    alone.append(try await median(rounds: 41) { try await write(isInside) })
    let ours = try await median(rounds: 41) {
      try await write(isInside)
      try await Task.sleep(for: .milliseconds(10))
    }
    try await first.check(pool)
    var values = observation.values(in: pool).makeAsyncIterator()
    var shown = try await values.next() ?? []
    let theirs = try await median(rounds: 41) {
      try await write(isInside)
      let fetched = try await values.next() ?? []
      _ = HeckelDifference(from: shown, to: fetched)
      shown = fetched
    }
    table.add(
      name, rows: count,
      [("Freshet", ours), ("`ValueObservation`", theirs), ("the write alone", alone.last)])
  }
  var followers = [first]
  for _ in 1..<200 { await followers.append(Follower(loaded(), source)) }
  for ((name, isInside), alone) in zip(changes, alone) {
    let all = try await median {
      try await write(isInside)
      try await Task.sleep(for: .milliseconds(400))
    }
    for follower in followers { try await follower.check(pool) }
    table.add(
      "\(name), in 200 windows", rows: count,
      [("Freshet", all), ("`ValueObservation`", nil), ("the write alone", alone)])
  }
  for follower in followers { follower.task.cancel() }
}

/// A feed that follows the table.
private struct Follower {
  let feed: Feed<Entry>
  let task: Task<Void, any Error>

  init(_ feed: Feed<Entry>, _ source: SQLiteFeedSource<Entry>) async {
    self.feed = feed
    task = Task { try await feed.follow(source.changes(checkingEvery: nil)) }
    // The second refresh after a page learns what can be left out later.
    for _ in 0..<2 { await feed.refresh() }
  }

  /// Checks that the feed shows the rows of its window as they are now.
  func check(_ pool: DatabasePool) async throws {
    let items = feed.value.items
    guard items.count > 40, let first = items.first, let last = items.last else { fatalError() }
    let rows = try await pool.read { db in
      try Entry.filter(Column("time") >= first.time && Column("time") <= last.time)
        .order(Column("time"), Column("id")).fetchAll(db)
    }
    precondition(rows == Array(items))
  }
}
