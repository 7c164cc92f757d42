#if SQLite
  public import Freshet
  internal import FreshetLists
  public import GRDB

  extension SQLiteStore: WritableDataStore
  where Item: MutablePersistableRecord, Item.ID: DatabaseValueConvertible {
    /// Saves and deletes records by their primary keys, in one transaction.
    ///
    /// - Throws: `SQLiteStoreError.noKey` if the primary key does not hold the items' ids. It is
    ///   `.nul` for a text that SQLite would cut, and `.noFile` if the file was deleted or
    ///   replaced. Errors of GRDB are thrown too, for example for a row that breaks a constraint of
    ///   the table. Nothing is written then.
    public func write(_ changes: ChangeBatch<Item>) async throws {
      try await database.write { try self.perform(changes, in: $0) }
    }

    /// - Parameter feed: the feed that writes; `nil` if none does.
    func perform(
      _ changes: ChangeBatch<Item>, of feed: String? = nil, in db: Database
    ) throws {
      try file.check()
      let table = Item.databaseTableName
      let key = try db.primaryKey(table).columns
      // The first item that shows it decides whether the primary key is the id.
      var isKnown = false
      func check(_ isKey: Bool) throws {
        guard isKey else { throw SQLiteStoreError.noKey(table: table) }
        isKnown = true
      }
      for change in changes.all {
        if var item = change.item {
          let values = try item.databaseDictionary
          if let column = values.first(where: { $0.value.hasNUL })?.key {
            throw SQLiteStoreError.nul(column: column, table: table)
          }
          if !isKnown { try check(key.count == 1 && values[key[0]] == item.id.databaseValue) }
          try item.save(db)
        } else if !change.id.databaseValue.hasNUL {
          if !isKnown, let item = try Item.fetchOne(db, id: change.id) {
            try check(item.id == change.id)
          }
          try Item.deleteOne(db, id: change.id)
        }
      }
      note(changes, of: feed)
    }
  }

  extension DatabaseValue {
    /// Whether this is a text that would be cut: SQLite takes texts up to their first NUL.
    var hasNUL: Bool {
      guard case .string(let text) = storage else { return false }
      return text.utf8.contains(0)
    }
  }
#endif
