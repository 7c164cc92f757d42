import GRDB

extension DatabaseWriter {
  /// Revises quakes of the archive, adds some anywhere in it, and removes others.
  ///
  /// - Parameter seen: the ids of quakes to revise; others are revised, too.
  func changeArchive(_ seen: [Int]) async throws {
    try await write { db in
      guard let last = try Int.fetchOne(db, sql: "SELECT max(id) FROM quake") else { return }
      func anywhere() -> Int { Int.random(in: 1...last) }
      for id in seen + (0..<18).map({ _ in anywhere() }) {
        try db.execute(
          sql: """
            UPDATE quake SET magnitude = 4 + (CAST(round(magnitude * 10) AS INTEGER) - 39) % 30 / 10.0
            WHERE id = ?
            """, arguments: [id])
      }
      for _ in 0..<2 {
        try db.execute(
          sql: """
            INSERT INTO quake (time, magnitude, place, depth)
            SELECT time + 1 + ?, magnitude, place, depth FROM quake
            WHERE id >= ? ORDER BY id LIMIT 1
            """, arguments: [Int.random(in: 0..<600_000), anywhere()])
        try db.execute(
          sql: "DELETE FROM quake WHERE id = (SELECT min(id) FROM quake WHERE id >= ?)",
          arguments: [anywhere()])
      }
    }
  }
}
