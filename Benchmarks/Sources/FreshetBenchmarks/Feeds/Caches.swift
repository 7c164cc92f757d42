import Foundation
import Freshet
import GRDB

/// What survives a relaunch: a feed in files, one file of JSON, and a table of a database, filled
/// by pages of 50 as scrolling brings them.
func caches() async throws -> [Figure] {
  var table = Table(
    "On disk",
    """
    All rows came in pages of 50. Saved means that the file system has it, as none of the three syncs. \
    The first screen and all rows are read by an app that was just launched. One file of JSON is written and \
    read as a whole; the database is SQLite through GRDB, a row of JSON for each row.
    """, ["Freshet", "one file of JSON", "SQLite"])
  for count in [1_000, 10_000, 100_000, 1_000_000] { try await measure(count, &table) }
  return table.figures
}

private func measure(_ count: Int, _ table: inout Table) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  defer { try? FileManager.default.removeItem(at: folder) }
  // A cache of its own for each feed, as in an app that was just launched.
  let directory = CacheDirectory(folder)
  var choice: FeedCacheChoice<Row> { .file("rows", in: directory) }
  var file = JSONFile(rows: rows(0..<count), url: folder.appending(path: "rows.json"))
  let database = RowDatabase(path: folder.appending(path: "rows.sqlite").path)
  await reopened(choice, filledUpTo: count).flush()
  try file.save()
  try database.open().add(file.rows)

  let rounds = count > 10_000 ? 3 : 9
  // They take turns, so that none has the quieter machine.
  var times: [String: [[Duration]]] = [:]
  func turn(
    _ workload: String, _ works: [() async throws -> Void], repeats: [Int] = [1, 1, 1]
  ) async throws {
    for (index, work) in works.enumerated() {
      let count = repeats[index]
      let time =
        try await median(rounds: 1, .waiting) {
          for _ in 0..<count { try await work() }
        } / count
      times[workload, default: Array(repeating: [], count: works.count)][index].append(time)
    }
  }
  for _ in 0..<rounds {
    try await turn(
      "the first screen",
      [
        {
          let feed = Feed<Row>(cache: choice) { (_: PageRequest<Int>) in Page([], next: nil) }
          feed.loadCacheSynchronously()
          check(feed.value.items.count >= 50)
        }, { try check(file.load().count == count) },
        { try check(database.open().load(limit: 50).count == 50) },
      ])
    try await turn(
      "all rows",
      [
        {
          let feed = Feed<Row>(cache: choice) { (_: PageRequest<Int>) in Page([], next: nil) }
          await feed.loadCache()
          check(feed.value.items.count == count)
        }, { try check(file.load().count == count) },
        { try check(database.open().load(limit: .max).count == count) },
      ])
  }
  // The same rows are edited, and the same pages come.
  let feed = await reopened(choice, filledUpTo: count)
  let connection = try database.open()
  for round in 0..<rounds {
    var edits = 0
    func edited() -> Row {
      edits += 1
      var row = Row((round * 100 + edits) * 7_919 % count)
      row.author = "author \(round)"
      return row
    }
    // Many in a row: what the others left of the machine's caches takes longer than one edit.
    try await turn(
      "an edit is saved",
      [
        {
          feed.receive(.upsert(edited()))
          await feed.flush()
        }, { try file.update(edited()) }, { try connection.update(edited()) },
      ], repeats: [30, 1, 30])
    let page = rows((count + round * 50)..<(count + round * 50 + 50))
    try await turn(
      "a page of 50 is saved",
      [
        {
          _ = await feed.loadNext()
          await feed.flush()
        }, { try file.add(page) }, { try connection.add(page) },
      ])
  }
  for workload in ["the first screen", "all rows", "an edit is saved", "a page of 50 is saved"] {
    let medians = (times[workload] ?? []).map { $0.sorted()[rounds / 2] }
    table.add(
      workload, rows: count, Array(zip(["Freshet", "one file of JSON", "SQLite"], medians)))
  }
}

private func check(_ isAsExpected: Bool) {
  precondition(isAsExpected, "not all rows were read")
}

/// A feed with all rows that are stored, or so many as it asks for.
private func reopened(_ choice: FeedCacheChoice<Row>, filledUpTo count: Int) async -> Feed<Row> {
  let feed = Feed<Row>(cache: choice, configuration: FeedConfiguration(pageSize: 50)) {
    (request: PageRequest<Int>) in
    let start = request.key ?? 0
    return Page(rows(start..<(start + 50)), next: start + 50)
  }
  await feed.loadCache()
  while feed.value.items.count < count { _ = await feed.loadNext() }
  return feed
}

/// All rows in one file.
private struct JSONFile {
  var rows: [Row]
  let url: URL

  func save() throws { try JSONEncoder().encode(rows).write(to: url, options: .atomic) }

  func load() throws -> [Row] { try JSONDecoder().decode([Row].self, from: Data(contentsOf: url)) }

  mutating func update(_ row: Row) throws {
    if let index = rows.firstIndex(where: { $0.id == row.id }) { rows[index] = row }
    try save()
  }

  mutating func add(_ page: [Row]) throws {
    rows += page
    try save()
  }
}

/// A row of JSON for each row.
private struct RowDatabase {
  let path: String

  func open() throws -> Connection { try Connection(path) }

  struct Connection {
    private let queue: DatabaseQueue

    init(_ path: String) throws {
      var configuration = Configuration()
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA synchronous = OFF")
      }
      queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS list (place INTEGER PRIMARY KEY, id TEXT UNIQUE, row BLOB)
            """)
      }
    }

    func load(limit: Int) throws -> [Row] {
      let decoder = JSONDecoder()
      return try queue.read { database in
        let texts = try Data.fetchAll(
          database, sql: "SELECT row FROM list ORDER BY place LIMIT ?", arguments: [limit])
        return try texts.map { try decoder.decode(Row.self, from: $0) }
      }
    }

    func add(_ page: [Row]) throws {
      let encoder = JSONEncoder()
      try queue.write { database in
        for row in page {
          try database.execute(
            sql: "INSERT INTO list (id, row) VALUES (?, ?)",
            arguments: [row.id, encoder.encode(row)])
        }
      }
    }

    func update(_ row: Row) throws {
      let data = try JSONEncoder().encode(row)
      try queue.write { database in
        try database.execute(
          sql: "UPDATE list SET row = ? WHERE id = ?", arguments: [data, row.id])
      }
    }
  }
}
