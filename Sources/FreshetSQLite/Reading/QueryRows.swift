#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// The rows of one query as they were last read, with functions that read changes.
  struct QueryRows<Item: ListItem & FetchableRecord & TableRecord>: Sendable {
    var record = DeliveryRecord<Int64, Item>()
    /// Whether the value in the key column was the item's id in every row so far.
    var isKeyed = true
    var invalid = InvalidRows<Int64>()
    private let table = Item.databaseTableName

    /// Reads the changed rows.
    ///
    /// - Parameter batch: receives the changes, also those found before an error is thrown.
    /// - Returns: the error of a shown row that does not decode, if the schema was altered and no
    ///   row decodes. Rows that still exist stay on screen then.
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
      _ changes: RowChanges<Item.ID>, _ rows: RowLookup<Item>, _ db: Database,
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

    /// Reads all rows, except those that do not decode (rule S2).
    ///
    /// If rows have no key, rows that repeat an item are left out too.
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

    /// Returns the rows that were removed without a report because other rows replaced them.
    private func displaced(
      _ changes: RowChanges<Item.ID>, _ rows: RowLookup<Item>, _ db: Database
    ) throws -> Set<Int64> {
      let hasInsertions = rows.shape.isUnique && !changes.inserted.isEmpty
      guard hasInsertions || changes.mayHaveDisplaced else { return [] }
      // Of a row that does not decode, only its existence is known.
      let invalid = Set(invalid.keys)
      if isKeyed, !changes.mayHaveDisplaced,
        let keys = try rows.keys(of: changes.inserted, db),
        keys.count == changes.inserted.count
      {
        // Each inserted row still exists, and can only have displaced the row that had its id.
        return invalid.union(
          keys.compactMap { rowID, key in
            Self.id(key).map { record.keys(of: $0).subtracting([rowID]) }
          }.joined())
      }
      return invalid.union(try rows.missing(of: record.rowKeys, db))
    }

    /// Returns whether the value in the key column, if there is one, is the item's id.
    static func isID(_ key: DatabaseValue?, of item: Item) -> Bool {
      key.map { id($0) == item.id } ?? true
    }

    private static func id(_ value: DatabaseValue) -> Item.ID? {
      (Item.ID.self as? any DatabaseValueConvertible.Type)?.fromDatabaseValue(value) as? Item.ID
    }
  }
#endif
