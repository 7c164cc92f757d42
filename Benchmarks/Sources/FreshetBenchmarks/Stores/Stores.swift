import Foundation
import Freshet
import FreshetSQLite
import GRDB

/// A row of SQLite.
private struct Quake: ListItem, Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "quake"
  let id: String
  var time: Int
  var title: String

  init(_ number: Int) {
    id = "us\(number)"
    time = number &* 2_654_435_761 & 0xffff_ffff
    title = "M 4.5 - \(number % 300) km N of Masohi, Indonesia"
  }
}

/// Live results of a table, against observing a query of GRDB and comparing what it fetches.
func stores() async throws -> [Figure] {
  var table = Table(
    "Live results of SQLite",
    """
    From a write until the sorted list and the exact changes are there; medians in milliseconds. \
    `ValueObservation` fetches all rows again, and Heckel's algorithm compares them. The write alone is a \
    part of both.
    """, ["Freshet", "`ValueObservation`", "the write alone"])
  for count in [1_000, 10_000, 100_000] {
    for changes in [0, 1, 100] { try await observe(changes, of: count, &table) }
  }
  return table.figures
}

private func observe(_ changes: Int, of count: Int, _ table: inout Table) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let pool = try DatabasePool(path: folder.appending(path: "quakes.sqlite").path)
  try await pool.write { db in
    try SQLiteStore.createTable(like: Quake(0), in: db)
    for number in 0..<count { try Quake(number).insert(db) }
  }
  if changes == 0 {
    let ours = await median(rounds: 3) {
      let results = LiveResults(
        store: SQLiteStore(pool, Quake.self), arrangement: .sorted(by: \.time, .reverse))
      await results.fetch(.all)
    }
    let theirs = try await median(rounds: 3) {
      _ = try await pool.read { db in
        try Quake.order(Column("time").desc, Column("id")).fetchAll(db)
      }
    }
    table.add("load", rows: count, [("Freshet", ours), ("one query", theirs)])
    return
  }
  var round = 0
  func write() async throws {
    round += 1
    try await pool.write { [round] db in
      for change in 0..<changes {
        let id = "us\((change * 7919 + round * 104_729) % count)"
        try db.execute(
          sql: "UPDATE quake SET time = ? WHERE id = ?", arguments: [round * 1_000 + change, id])
      }
    }
  }
  let alone = try await median(.waiting) { try await write() }

  let results = LiveResults(
    store: SQLiteStore(pool, Quake.self), arrangement: .sorted(by: \.time, .reverse),
    window: .zero)
  await results.fetch(.all)
  var updates = results.updates.makeAsyncIterator()
  _ = await updates.next()
  let ours = try await median(.waiting) {
    try await write()
    _ = await updates.next()
  }
  results.stop()

  let observation = ValueObservation.tracking { db in
    try Quake.order(Column("time").desc, Column("id")).fetchAll(db)
  }
  var values = observation.removeDuplicates().values(in: pool).makeAsyncIterator()
  var shown = try await values.next() ?? []
  let theirs = try await median(rounds: 3, .waiting) {
    try await write()
    let fetched = try await values.next() ?? []
    _ = HeckelDifference(from: shown, to: fetched)
    shown = fetched
  }
  table.add(
    changes == 1 ? "one change" : "\(changes) changes", rows: count,
    [("Freshet", ours), ("`ValueObservation`", theirs), ("the write alone", alone)])
}
