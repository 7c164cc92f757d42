import Foundation
import Freshet
import GRDB

/// An edit until it is on the disk and on the screen.
func outboxes() async throws -> [Figure] {
  var table = Table(
    "The outbox",
    """
    A mutation of a row in a feed of 100,000, beside mutations that wait: from the call until it is synced to the \
    disk and on screen. One file of JSON is written and synced as a whole; the database is SQLite through GRDB, in WAL \
    mode with `synchronous = FULL`. These two show nothing.
    """, ["Freshet", "one file of JSON", "SQLite"])
  for waiting in [0, 1_000] { try await measure(waiting, &table) }
  return table.figures
}

/// Sets the author of a row.
private struct SetAuthor: Mutation {
  var target: String
  var author: String
  func edit() -> ItemEdit<Row> { .update { [author] in $0.author = author } }
}

private func measure(_ waiting: Int, _ table: inout Table) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "freshet-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let count = 100_000
  let feed = await loaded(count, identity: nil)
  let outbox = Outbox(.file("outbox", in: folder), limit: 1_000_000, isPaused: true) {
    Sender(SetAuthor.self) { _, _ in }
  }
  outbox.attach(feed)
  var mutations: [SetAuthor] = []
  var round = 0
  func next() -> SetAuthor {
    round += 1
    return SetAuthor(target: Row(round &* 7_919 % count).id, author: "author \(round)")
  }
  let file = folder.appending(path: "mutations.json")
  let database = try database(at: folder.appending(path: "mutations.sqlite"))
  func write(_ mutation: SetAuthor) throws {
    mutations.append(mutation)
    try JSONEncoder().encode(mutations).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    try handle.synchronize()
    try handle.close()
  }
  func insert(_ mutation: SetAuthor) throws {
    let data = try JSONEncoder().encode(mutation)
    try database.write {
      try $0.execute(sql: "INSERT INTO mutations (data) VALUES (?)", arguments: [data])
    }
  }
  for _ in 0..<waiting {
    let mutation = next()
    try await outbox.perform(mutation)
    mutations.append(mutation)
    try insert(mutation)
  }
  // They take turns, so that none has the quieter machine.
  var times: [[Duration]] = [[], [], []]
  for _ in 0..<25 {
    let works: [() async throws -> Void] = [
      {
        let mutation = next()
        try await outbox.perform(mutation)
        let index = (round &* 7_919) % count
        precondition(feed.value.items[index].author == mutation.author, "it is not on screen")
      }, { try write(next()) }, { try insert(next()) },
    ]
    for (index, work) in works.enumerated() {
      times[index].append(try await median(rounds: 1, .waiting, work))
    }
  }
  let medians = times.map { $0.sorted()[$0.count / 2] }
  table.add(
    waiting == 0 ? "an edit" : "an edit, beside 1,000 that wait", rows: count,
    Array(zip(["Freshet", "one file of JSON", "SQLite"], medians)))
}

private func database(at url: URL) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
  let pool = try DatabasePool(path: url.path, configuration: configuration)
  try pool.write {
    try $0.execute(sql: "CREATE TABLE mutations (id INTEGER PRIMARY KEY, data BLOB)")
  }
  return pool
}
