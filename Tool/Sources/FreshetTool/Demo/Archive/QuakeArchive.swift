import Foundation
import GRDB

/// The database with the archive, which is created when it is first needed.
actor QuakeArchive {
  private let file: URL
  private let count: Int
  private let recorded: [ServedQuake]
  private var opening: Task<DatabasePool, any Error>?

  /// Creates an archive that is not open yet.
  ///
  /// - Parameters:
  ///   - file: its database; its folder and the file need not exist.
  ///   - count: the number of quakes in a new archive.
  ///   - recorded: the quakes that repeat in it, oldest first.
  init(at file: URL, count: Int = 1_000_000, repeating recorded: [ServedQuake]) {
    (self.file, self.count, self.recorded) = (file, count, recorded)
  }

  /// Opens the database; the first call creates it, in a few seconds.
  func open() async throws -> DatabasePool {
    let task =
      opening
      ?? Task { @concurrent [file, count, recorded] in
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let pool = try DatabasePool(path: file.path)
        try await pool.write { try Self.fill($0, count, repeating: recorded) }
        return pool
      }
    opening = task
    do { return try await task.value } catch {
      if opening == task { opening = nil }
      throw error
    }
  }

  /// Creates the table, with a quake every 40 minutes or so, unless it is there.
  private static func fill(
    _ db: Database, _ count: Int, repeating recorded: [ServedQuake]
  ) throws {
    guard let newest = recorded.last, try !db.tableExists(ArchivedQuake.databaseTableName) else {
      return
    }
    try db.execute(
      sql: """
        CREATE TEMPORARY TABLE recorded (
          number INTEGER PRIMARY KEY, magnitude REAL, place TEXT, depth REAL);
        CREATE TABLE quake (
          id INTEGER PRIMARY KEY, time INTEGER NOT NULL, magnitude REAL NOT NULL,
          place TEXT NOT NULL, depth REAL NOT NULL)
        """)
    for (number, quake) in recorded.reversed().enumerated() {
      try db.execute(
        sql: "INSERT INTO recorded VALUES (?, ?, ?, ?)",
        arguments: [number, quake.magnitude, quake.place, quake.depth])
    }
    try db.execute(
      sql: """
        WITH RECURSIVE row (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM row WHERE n < :count - 1)
        INSERT INTO quake
        SELECT n + 1, :newest - n * 2400000 - n * 7919 % 2399 * 1000, magnitude, place, depth
        FROM row JOIN recorded ON number = n % :recorded
        """,
      arguments: ["count": count, "newest": newest.time, "recorded": recorded.count])
    // With its statistics, SQLite also knows about how many rows there are.
    try db.execute(
      sql: "CREATE INDEX quake_time ON quake (time, id); DROP TABLE recorded; ANALYZE quake")
  }
}
