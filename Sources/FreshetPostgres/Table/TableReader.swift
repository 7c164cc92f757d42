#if Postgres
  internal import Foundation
  internal import Freshet
  internal import FreshetLists

  /// Reads the rows of one query, and knows which of them the query was told of, in which version.
  struct TableReader<Item: ListItem & Decodable>: Sendable {
    private static var pageCount: Int { 1_000 }
    private static var versionCount: Int { 20_000 }

    private let query: DataStoreQuery<Item, PostgresRequest>
    private var told = ToldRows<BinaryText, Item>()
    private var versions: [BinaryText: String] = [:]
    private var invalid = InvalidRows<BinaryText>()
    /// What the table was when they were noted.
    private var tableVersion: TableVersion?

    init(_ query: DataStoreQuery<Item, PostgresRequest>) { self.query = query }

    /// Tells of all rows, page by page.
    mutating func load(_ table: PostgresTable, _ connection: PostgresConnection) async throws {
      tableVersion = table.version
      let decoder = ItemCoding.decoder
      let request = query.request
      var last: String?
      repeat {
        let rows = try await connection.run(
          table.page(of: request, isFirst: last == nil, limit: Self.pageCount),
          request.arguments + (last.map { [$0] } ?? []))
        var items: [Item] = []
        for row in rows {
          guard let key = row[0].map({ BinaryText($0) }) else { continue }
          versions[key] = row[1]
          guard let item = item(of: row, key, table, decoder) else { continue }
          told.insert(item, for: key)
          items.append(item)
        }
        last = rows.count < Self.pageCount ? nil : rows.last?[0]
        query.enqueue(items, as: .insert)
        tellInvalid(table)
        let total = request == .all ? table.count.map { max($0, told.count) } : nil
        if last != nil { query.report(completed: told.count, of: total) }
        try Task.checkCancellation()
      } while last != nil
    }

    /// Tells of rows that the server said have changed.
    mutating func follow(
      _ keys: ChangedKeys.Keys, _ table: PostgresTable, _ connection: PostgresConnection
    ) async throws {
      guard case .some(let keys) = keys, table.version == tableVersion else {
        return try await catchUp(table, connection)
      }
      do {
        try await lookUp(keys, table, connection)
      } catch let error as PostgresError where error.isAboutValues {
        // Anybody may notify: what is no key of this table says that any row may have changed.
        try await catchUp(table, connection)
      }
    }

    /// Tells what changed while nobody listened: compares the versions of all rows, and reads those
    /// that differ; all of them where the table is another one.
    mutating func catchUp(_ table: PostgresTable, _ connection: PostgresConnection) async throws {
      let isAltered = table.version != tableVersion
      if isAltered { versions = versions.mapValues { _ in "" } }
      let request = query.request
      var missing = Set(versions.keys)
      var changed = told.uncovered
      var last: String?
      repeat {
        let rows = try await connection.run(
          table.versions(of: request, isFirst: last == nil, limit: Self.versionCount),
          request.arguments + (last.map { [$0] } ?? []))
        for row in rows {
          guard let key = row[0].map({ BinaryText($0) }) else { continue }
          missing.remove(key)
          if versions[key] != row[1] { changed.insert(key) }
        }
        last = rows.count < Self.versionCount ? nil : rows.last?[0]
        try Task.checkCancellation()
      } while last != nil
      try await lookUp(changed.union(missing), table, connection, isAltered: isAltered)
      tableVersion = table.version
    }

    /// Tells of rows that changed, or went.
    ///
    /// - Throws: why the first row does not decode, where the table was altered and no row does:
    ///   what is shown stays.
    mutating func lookUp(
      _ keys: Set<BinaryText>, _ table: PostgresTable, _ connection: PostgresConnection,
      isAltered: Bool = false
    ) async throws {
      let decoder = ItemCoding.decoder
      let before = invalid
      var found: [(key: BinaryText, item: Item)] = []
      var others: [Item] = []
      var asked: Set<BinaryText> = []
      // Noted once the query is told: where the connection is lost before that, they differ still.
      var foundVersions: [BinaryText: String] = [:]
      var rest = Array(keys)[...]
      while !rest.isEmpty {
        let array = PostgresTable.array(rest.prefix(Self.pageCount).map(\.text))
        rest = rest.dropFirst(Self.pageCount)
        let rows = try await connection.run(
          table.rows(for: query.request), query.request.arguments + [array])
        for row in rows {
          guard let key = row[0].map({ BinaryText($0) }) else { continue }
          asked.insert(key)
          invalid[key] = nil
          if row[3] == "t" {
            if let item = item(of: row, key, table, decoder) { found.append((key, item)) }
            foundVersions[key] = row[1]
          } else if let item = try? table.item(row, decoder) as Item? {
            others.append(item)
          }
        }
      }
      if isAltered, found.isEmpty, told.count > 0, let error = invalid.first {
        invalid = before
        throw error
      }
      for key in asked { versions[key] = foundVersions[key] }
      query.enqueue(told.changes(of: asked, found: found, others: others))
      tellInvalid(table)
      let uncovered = told.uncovered.subtracting(keys)
      if !uncovered.isEmpty { try await lookUp(uncovered, table, connection) }
    }

    private mutating func tellInvalid(_ table: PostgresTable) {
      invalid.tell(query, covered: told.covered) {
        PostgresError.repeatedID(table: table.name, key: $0.text)
      }
    }

    /// The item of a row that is asked for; `nil` where it does not decode (rule S2).
    private mutating func item(
      of row: [String?], _ key: BinaryText, _ table: PostgresTable, _ decoder: JSONDecoder
    ) -> Item? {
      do {
        return try table.item(row, decoder)
      } catch {
        invalid[key] = error
        return nil
      }
    }
  }

  extension PostgresTable {
    /// The item of a row: its key, its version, its JSON.
    func item<Item: Decodable>(_ row: [String?], _ decoder: JSONDecoder) throws -> Item? {
      guard let json = row[2] else { return nil }
      do {
        return try decoder.decode(Item.self, from: Data(json.utf8))
      } catch {
        throw PostgresError.row(table: name, key: row[0] ?? "", reason: ItemCoding.reason(error))
      }
    }
  }
#endif
