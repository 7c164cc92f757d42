#if Postgres
  public import Foundation
  public import Freshet

  // Notes of feeds are stored in a separate table, which `install()` creates.
  extension PostgresStore: FeedStore where Item.ID: Codable {
    /// Saves and deletes rows and notes in one statement.
    ///
    /// Running queries find out by the number of its transaction which rows the feed wrote.
    ///
    /// - Throws: `PostgresError`; after `lost` it is unknown whether the changes were made.
    public func write(
      _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
    ) async throws {
      let kept = notes.compactMapValues { $0?.base64EncodedString() }
      let dropped = notes.keys.filter { kept[$0] == nil }
      try await write(
        changes, of: feed,
        noteArguments: [noteKey(feed), try json(kept), PostgresTable.array(dropped)])
    }

    /// Returns the notes of a feed, by name.
    ///
    /// - Throws: `PostgresError`.
    public func notes(of feed: String) async throws -> [String: Data] {
      let (connection, table) = try await link.connectionToNotes()
      let rows = try await connection.run(
        "SELECT name, pg_catalog.encode(value, 'base64') FROM \(table.name) WHERE feed = $1",
        [noteKey(feed)])
      var notes: [String: Data] = [:]
      for row in rows {
        guard let name = row[0], let value = row[1] else { continue }
        notes[name] = Data(base64Encoded: value, options: .ignoreUnknownCharacters)
      }
      return notes
    }

    /// Returns the rows with these keys, except those that do not decode.
    ///
    /// - Throws: `PostgresError`.
    public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
      let (connection, table) = try await link.connection(key: key)
      let rows = try await connection.run(table.rowsByKey, [try json(ids.map { [key: $0] })])
      let decoder = ItemCoding.decoder
      return rows.compactMap { try? table.item($0, decoder) }
    }

    private func noteKey(_ feed: String) -> String { "\(table)/\(feed)" }
  }
#endif
