#if SQLite
  public import Foundation
  public import Freshet
  public import GRDB

  // Notes of feeds are stored in a separate table, which is created with the first note.
  extension SQLiteStore: FeedStore
  where
    Item: MutablePersistableRecord, Item.ID: DatabaseValueConvertible & Codable
  {
    /// Saves and deletes records and notes in one transaction.
    ///
    /// - Throws: the errors of `write(_:)`; nothing is written then.
    public func write(
      _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
    ) async throws {
      let key = try Self.key(feed)
      try await database.writeWithoutTransaction { db in
        // A new table changes the schema, so that no row is attributed: it is not part of the step.
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS freshet_note (
              feed TEXT NOT NULL, name TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (feed, name)
            ) WITHOUT ROWID
            """)
        try db.inTransaction {
          try self.perform(changes, of: feed, in: db)
          for (name, value) in notes {
            if let value {
              try db.execute(
                sql: "INSERT OR REPLACE INTO freshet_note VALUES (?, ?, ?)",
                arguments: [key, name, value])
            } else {
              try db.execute(
                sql: "DELETE FROM freshet_note WHERE feed = ? AND name = ?",
                arguments: [key, name])
            }
          }
          return .commit
        }
      }
    }

    /// Returns the notes of a feed, by name.
    ///
    /// - Throws: errors of GRDB.
    public func notes(of feed: String) async throws -> [String: Data] {
      let feed = try Self.key(feed)
      return try await database.read { db in
        guard try db.tableExists("freshet_note") else { return [:] }
        let rows = try Row.fetchAll(
          db, sql: "SELECT name, value FROM freshet_note WHERE feed = ?",
          arguments: [feed])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"], $0["value"]) })
      }
    }

    /// Returns the records with these primary keys, except those that do not decode.
    ///
    /// - Throws: errors of GRDB.
    public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
      try await database.read { db in
        var (items, rest) = ([Item](), ids.filter { !$0.databaseValue.hasNUL }[...])
        while !rest.isEmpty {
          let rows = try Row.fetchAll(db, Item.filter(ids: rest.prefix(500)))
          items += rows.compactMap { try? Item(row: $0) }
          rest = rest.dropFirst(500)
        }
        return items
      }
    }

    private static func key(_ feed: String) throws -> String {
      let key = "\(Item.databaseTableName)/\(feed)"
      guard !key.databaseValue.hasNUL else {
        throw SQLiteStoreError.nul(column: "feed", table: "freshet_note")
      }
      return key
    }
  }
#endif
