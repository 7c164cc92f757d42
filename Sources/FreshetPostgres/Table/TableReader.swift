#if Postgres
  internal import Foundation
  internal import Freshet
  internal import FreshetLists

  /// The error that rows on screen do not decode and that the table has changed.
  ///
  /// The table has to be read again before these rows are removed.
  struct TableAltered: Error {}

  /// A reader of one query's rows, with a record of the rows and versions that the query has.
  struct TableReader<Item: ListItem & Decodable>: Sendable {
    private static var pageCount: Int { 1_000 }
    private static var versionCount: Int { 20_000 }

    private let query: DataStoreQuery<Item, PostgresRequest>
    private let transactions: FeedTransactions<Item>
    private var record = DeliveryRecord<BinaryText, Item>()
    private var versions: [BinaryText: RowVersion] = [:]
    private var invalid = InvalidRows<BinaryText>()
    /// The items that the store wrote and that were not looked up yet.
    private var unverified: PendingLookups<Item.ID>.Keys = [:]
    /// The version of the table when the rows' versions were recorded.
    private var tableVersion: TableVersion?
    /// The reason why no row decodes since the table was altered, and the table's version since.
    private var unreadable: (version: TableVersion?, error: any Error)?

    /// What the server has of a row.
    private struct RowVersion {
      /// The transaction that wrote it.
      let number: String?
      /// The hash of its contents.
      let contents: Int
      /// Whether the table was altered since, so that the row has to be read again.
      var isOutdated = false

      /// Takes it from a row of the server's, which consists of key, version and JSON.
      init(_ row: [String?]) { (number, contents) = (row[1], row[2].hashValue) }

      /// Whether no transaction wrote the row since, and it has the same contents.
      func isSame(as other: RowVersion?) -> Bool {
        number == other?.number && contents == other?.contents
      }
    }

    init(_ query: DataStoreQuery<Item, PostgresRequest>, _ transactions: FeedTransactions<Item>) {
      (self.query, self.transactions) = (query, transactions)
    }

    /// Reports all rows, page by page.
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
          versions[key] = RowVersion(row)
          guard let item = item(of: row, key, table, decoder) else { continue }
          record.insert(item, for: key)
          items.append(item)
        }
        last = rows.count < Self.pageCount ? nil : rows.last?[0]
        query.enqueue(items, as: .insert)
        reportInvalid(table)
        let total = request == .all ? table.count.map { max($0, record.count) } : nil
        if last != nil { query.report(completed: record.count, of: total) }
        try Task.checkCancellation()
      } while last != nil
      if !unverified.isEmpty { try await lookUp([], table, connection) }
    }

    /// Reports rows that the server notified as changed.
    mutating func follow(
      _ keys: ChangedKeys.Keys, _ table: PostgresTable, _ connection: PostgresConnection
    ) async throws {
      guard case .some(let keys) = keys, table.version == tableVersion else {
        return try await catchUp(table, connection)
      }
      do {
        try await lookUp(keys, table, connection)
      } catch let error as PostgresError where error.isAboutValues {
        // Any client may notify: a text that is no key of this table means that any row may have
        // changed.
        try await catchUp(table, connection)
      }
    }

    /// Reports changes that were made while the connection did not listen.
    ///
    /// It compares the versions of all rows, and reads those that differ. If the table changed, it
    /// reads all rows.
    mutating func catchUp(_ table: PostgresTable, _ connection: PostgresConnection) async throws {
      let isAltered = table.version != tableVersion
      if isAltered, unreadable?.version != table.version || unreadable == nil {
        unreadable = nil
        for key in versions.keys { versions[key]?.isOutdated = true }
      }
      let request = query.request
      var missing = Set(versions.keys)
      var changed = record.uncovered
      var last: String?
      repeat {
        let rows = try await connection.run(
          table.versions(of: request, isFirst: last == nil, limit: Self.versionCount),
          request.arguments + (last.map { [$0] } ?? []))
        for row in rows {
          guard let key = row[0].map({ BinaryText($0) }) else { continue }
          missing.remove(key)
          let known = versions[key]
          if known?.number != row[1] || known?.isOutdated ?? true { changed.insert(key) }
        }
        last = rows.count < Self.versionCount ? nil : rows.last?[0]
        try Task.checkCancellation()
      } while last != nil
      if isAltered {
        let isUnreadable = unreadable != nil
        do {
          try await lookUpAltered(changed.union(missing), table, connection)
        } catch let error as PostgresError where error.isAboutValues {
          // The key column is of another type by now: no row has such a key.
          var batch = record.changes(of: missing, found: [])
          removeUnverified(&batch)
          query.enqueue(batch)
          for key in missing { (versions[key], invalid[key]) = (nil, nil) }
          try await lookUpAltered(changed.subtracting(missing), table, connection)
        }
        if isUnreadable {
          // One row decodes again, so others may too, although they were not written.
          return try await catchUp(table, connection)
        }
      } else {
        try await lookUp(changed.union(missing), table, connection)
      }
      tableVersion = table.version
    }

    /// Adds written items, which are looked up together with the next rows.
    mutating func note(_ keys: PendingLookups<Item.ID>.Keys) { unverified.merge(keys) { $1 } }

    /// Reports the removal of written items that no row has.
    private mutating func removeUnverified(_ batch: inout ChangeBatch<Item>) {
      for id in unverified.keys where !record.contains(id) { batch.addDeletion(of: id) }
      unverified = [:]
    }

    /// Reports rows that changed or were removed.
    mutating func lookUp(
      _ keys: Set<BinaryText>, _ table: PostgresTable, _ connection: PostgresConnection
    ) async throws {
      var batch = ChangeBatch<Item>()
      var writers: [Item.ID: String] = [:]
      var keys = keys.union(unverified.values)
      for id in unverified.keys { keys.formUnion(record.keys(of: id)) }
      do {
        while !keys.isEmpty {
          let answer = try await ask(for: keys, table, connection)
          keepVersions(answer)
          batch.add(changes(of: answer.asked, in: answer))
          for (_, item) in answer.found { writers[item.id] = answer.writers[item.id] }
          keys = record.uncovered
        }
      } catch {
        // Changes found so far are delivered, and not requested again.
        query.enqueue(batch, of: writers)
        throw error
      }
      removeUnverified(&batch)
      // Reported together with the rows, not after them (rule R5).
      reportInvalid(table)
      query.enqueue(batch, of: writers)
    }

    /// Reports rows that changed or were removed, after the table was altered.
    ///
    /// - Throws: the error of a shown row that does not decode, if no row decodes. Rows that still
    ///   exist stay on screen then.
    private mutating func lookUpAltered(
      _ keys: Set<BinaryText>, _ table: PostgresTable, _ connection: PostgresConnection
    ) async throws {
      let before = invalid
      let answer = try await ask(for: keys, table, connection)
      let failed = invalid.keys.first(where: record.contains(row:))
      if answer.found.isEmpty, let error = failed.flatMap({ invalid[$0] }) ?? unreadable?.error {
        let gone = answer.asked.filter { invalid[$0] == nil }
        query.enqueue(changes(of: gone, in: answer))
        keepVersions(answer)
        invalid = before
        // If no row is left to stay on screen, those that do not decode are counted instead.
        unreadable = record.count == 0 ? nil : (table.version, error)
        if unreadable == nil { return }
        throw error
      }
      unreadable = nil
      keepVersions(answer)
      let batch = changes(of: answer.asked, in: answer)
      reportInvalid(table)
      query.enqueue(batch, of: answer.writers)
      if !record.uncovered.isEmpty || !unverified.isEmpty {
        try await lookUp(record.uncovered, table, connection)
      }
    }

    /// The server's answer about some rows.
    private struct Answer {
      var found: [(key: BinaryText, item: Item)] = []
      /// The feeds that wrote the rows found, by item.
      var writers: [Item.ID: String] = [:]
      /// The items of rows that exist and that the request does not include.
      var others: [Item] = []
      /// The requested keys, and the keys as the server writes them now.
      var asked: Set<BinaryText>
      var versions: [BinaryText: RowVersion] = [:]
      /// The items that the query has in the same version.
      var unchanged: Set<Item.ID> = []
    }

    /// Records an answer about some rows, and returns the changes that the query does not have yet.
    ///
    /// A version that is read again is no change. In an identity map, it could replace a newer one
    /// that another list learned.
    private mutating func changes(
      of keys: some Sequence<BinaryText>, in answer: Answer
    ) -> ChangeBatch<Item> {
      let changes = record.changes(of: keys, found: answer.found, others: answer.others)
      if answer.unchanged.isEmpty { return changes }
      return ChangeBatch(
        changes.all.filter { $0.kind != .update || !answer.unchanged.contains($0.id) })
    }

    /// Requests rows by their keys.
    ///
    /// A row on display that no longer decodes may mean that the table has changed. This is checked
    /// before the row is removed.
    ///
    /// - Throws: `TableAltered`; nothing is kept of the answer then.
    private mutating func ask(
      for keys: Set<BinaryText>, _ table: PostgresTable, _ connection: PostgresConnection
    ) async throws -> Answer {
      let decoder = ItemCoding.decoder
      let before = invalid
      var answer = Answer(asked: keys)
      var rest = Array(keys)[...]
      while !rest.isEmpty {
        let array = PostgresTable.array(rest.prefix(Self.pageCount).map(\.text))
        rest = rest.dropFirst(Self.pageCount)
        let rows = try await connection.run(
          table.rows(for: query.request), query.request.arguments + [array])
        for row in rows {
          guard let key = row[0].map({ BinaryText($0) }) else { continue }
          answer.asked.insert(key)
          invalid[key] = nil
          if row[3] == "t" {
            add(row, key, item(of: row, key, table, decoder), in: table, to: &answer)
          } else if let item = try? table.item(row, decoder) as Item? {
            answer.others.append(item)
          }
        }
      }
      let failed = answer.asked.filter { invalid[$0] != nil }
      if failed.contains(where: record.contains(row:))
        || !failed.isDisjoint(with: unverified.values)
      {
        let now = invalid
        invalid = before
        // The version is read after the rows, so it includes any change that they show.
        let version = try await TableVersion(table.name, on: connection)
        guard version == table.version else { throw TableAltered() }
        invalid = now
      }
      return answer
    }

    /// Adds a row of the request to an answer; its item is `nil` if it does not decode.
    private func add(
      _ row: [String?], _ key: BinaryText, _ item: Item?, in table: PostgresTable,
      to answer: inout Answer
    ) {
      let version = RowVersion(row)
      answer.versions[key] = version
      guard let item else { return }
      answer.found.append((key, item))
      if version.isSame(as: versions[key]), record.shows(item.id, in: key),
        unverified[item.id] == nil
      {
        answer.unchanged.insert(item.id)
      } else {
        answer.unchanged.remove(item.id)
      }
      // The version that was read counts: another one may have been notified.
      answer.writers[item.id] = row[1].flatMap {
        transactions.writer(of: item, in: $0, on: table.version.server)
      }
    }

    /// Records the versions of the rows that the query gets now.
    ///
    /// If the connection is lost before that, they still differ.
    private mutating func keepVersions(_ answer: Answer) {
      for key in answer.asked { versions[key] = answer.versions[key] }
    }

    private mutating func reportInvalid(_ table: PostgresTable) {
      invalid.report(to: query, beside: record) {
        PostgresError.duplicateID(table: table.name, key: $0.text)
      }
    }

    /// Returns the item of a requested row, or `nil` if it does not decode (rule S2).
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
    /// Returns the item of a row, which consists of its key, its version and its JSON.
    func item<Item: Decodable>(_ row: [String?], _ decoder: JSONDecoder) throws -> Item? {
      guard let json = row[2] else { return nil }
      return try ItemCoding.item(json, of: name, key: row[0] ?? "", decoder)
    }
  }
#endif
