#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// The rows of one query as they were read last, and what is read of them where some change.
  struct QueryRows<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    var record = DeliveryRecord<Int64, Item>()
    /// Whether the value that keeps rows apart was the items' id in every row so far.
    var isKeyed = true
    var invalid = InvalidRows<Int64>()
    private let table = Item.databaseTableName

    /// Reads what changed.
    ///
    /// - Parameter batch: gets what changed, also where something is thrown half-way.
    /// - Returns: why a row that is shown does not decode, where the schema was altered and none
    ///   does: those that are there still stay.
    mutating func read(
      _ changes: RowChanges<Item.ID>, _ reader: RequestReader<Item>, _ db: Database,
      isAltered: Bool, _ batch: inout ChangeBatch<Item>
    ) throws -> (any Error)? {
      var failure: (any Error)?
      if let rows = reader.rows, !changes.isUnknown {
        try readChanged(changes, rows, db, &batch)
      } else {
        failure = try readAll(reader, db, isAltered: isAltered, &batch)
      }
      for id in changes.written where !record.contains(id) { batch.addDeletion(of: id) }
      return failure
    }

    private mutating func readChanged(
      _ changes: RowChanges<Item.ID>, _ rows: SingleRows<Item>, _ db: Database,
      _ batch: inout ChangeBatch<Item>
    ) throws {
      var found: [(key: Int64, item: Item)] = []
      func take(_ rowID: Int64, _ row: Row, _ key: () -> DatabaseValue?) {
        do {
          let item = try Item(row: row)
          if !Self.isID(key(), of: item) { isKeyed = false }
          found.append((rowID, item))
        } catch {
          invalid[rowID] = RowFailure.error(error, table: table, rowID: rowID)
        }
      }
      let displaced = try displaced(changes, rows, db)
      for rowID in changes.rowIDs.union(displaced) { invalid[rowID] = nil }
      try rows.fetch(changes.rowIDs, db, take)
      try rows.fetch(displaced.subtracting(changes.rowIDs), db, take)
      batch.add(record.changes(of: changes.rowIDs.union(displaced), found: found))
      var uncovered = record.uncovered
      while !uncovered.isEmpty {
        found = []
        try rows.fetch(uncovered, db, take)
        batch.add(record.changes(of: uncovered, found: found))
        uncovered = record.uncovered
      }
    }

    private mutating func readAll(
      _ reader: RequestReader<Item>, _ db: Database, isAltered: Bool,
      _ batch: inout ChangeBatch<Item>
    ) throws -> (any Error)? {
      let before = invalid
      let found: [(key: Int64, item: Item)]
      do { found = try fetchAll(reader, db) } catch {
        invalid = before
        throw error
      }
      if isAltered, found.isEmpty, let key = invalid.keys.first(where: record.contains(row:)) {
        let (gone, error) = (Set(record.rowKeys).subtracting(invalid.keys), invalid[key])
        batch.add(record.changes(of: gone, found: found))
        invalid = before
        return error
      }
      batch.add(record.changes(of: nil as Set<Int64>?, found: found))
      return nil
    }

    /// Reads all rows, but for those that do not decode (rule S2), and those that repeat an item
    /// where nothing tells rows apart.
    mutating func fetchAll(
      _ reader: RequestReader<Item>, _ db: Database
    ) throws -> [(key: Int64, item: Item)] {
      invalid.removeAll()
      var found: [(key: Int64, item: Item)] = []
      var items: [Item.ID: Item] = [:]
      try reader.fetchAll(db) { key, row in
        do {
          let item = try Item(row: row)
          if reader.rows == nil, items.updateValue(item, forKey: item.id) == item { return }
          found.append((key, item))
        } catch {
          invalid[key] = RowFailure.error(error, table: table, rowID: key)
        }
      }
      return found
    }

    /// Rows that went without a word, because others took their place.
    private func displaced(
      _ changes: RowChanges<Item.ID>, _ rows: SingleRows<Item>, _ db: Database
    ) throws -> Set<Int64> {
      let hasInsertions = rows.shape.isUnique && !changes.inserted.isEmpty
      guard hasInsertions || changes.mayHaveDisplaced else { return [] }
      // Of a row that does not decode nothing is known but that it was there.
      let invalid = Set(invalid.keys)
      if isKeyed, !changes.mayHaveDisplaced,
        let keys = try rows.keys(of: changes.inserted, db),
        keys.count == changes.inserted.count
      {
        // Each row that came is there, and can only have displaced the one that had its id.
        return invalid.union(
          keys.compactMap { rowID, key in
            Self.id(key).map { record.keys(of: $0).subtracting([rowID]) }
          }.joined())
      }
      return invalid.union(try rows.missing(of: record.rowKeys, db))
    }

    /// Whether the value that keeps rows apart, if there is one, is the item's id.
    static func isID(_ key: DatabaseValue?, of item: Item) -> Bool {
      key.map { id($0) == item.id } ?? true
    }

    private static func id(_ value: DatabaseValue) -> Item.ID? {
      (Item.ID.self as? any DatabaseValueConvertible.Type)?.fromDatabaseValue(value) as? Item.ID
    }
  }
#endif
