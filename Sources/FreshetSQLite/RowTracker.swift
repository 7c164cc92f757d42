#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// Tells one query which rows change, transaction by transaction.
  ///
  /// GRDB calls it on the queue of the connection that writes, so what it looks up there is newer
  /// than whatever it told before.
  final class RowTracker<Item: ListItem & FetchableRecord & TableRecord>: TransactionObserver,
    Sendable
  {
    typealias Query = DataStoreQuery<Item, SQLiteStore<Item>.Request>
    private typealias Changes = RowChanges<Item.ID>

    /// What is known of the rows.
    private struct Known {
      var told = ToldRows<Int64, Item>()
      /// Whether the value that keeps rows apart was the items' id in every row so far.
      var isKeyed = true
      var invalid = InvalidRows<Int64>()
    }

    private struct State {
      var reader: RequestReader<Item>?
      /// What the tables were when rows were read last.
      var version: DatabaseVersion?
      /// What the open transaction changed.
      var pending = Changes()
      /// What is committed and not told yet.
      var committed = Changes()
      var known = Known()
      var hasLoaded = false
      var hasStopped = false
    }

    private let query: Query
    private let work: RowWork<Item>
    private let file: DatabaseFile
    private let fail: @Sendable (any Error) -> Void
    private let table = Item.databaseTableName
    private let state = Locked(State())

    init(
      _ query: Query, _ work: RowWork<Item>, of file: DatabaseFile,
      fail: @escaping @Sendable (any Error) -> Void
    ) {
      self.query = query
      self.work = work
      self.file = file
      self.fail = fail
    }

    // MARK: - Running

    /// Starts to watch transactions.
    func begin(_ db: Database) throws {
      db.clearSchemaCache()
      let version = try DatabaseVersion(db)
      let reader = try RequestReader(query.request, db)
      state.withLock { ($0.version, $0.reader) = (version, reader) }
      db.add(transactionObserver: self)
    }

    /// Tells of the rows that there are.
    ///
    /// - Returns: the rows, for `remember(_:)`.
    func load(_ db: Database) throws -> LoadedRows<Item> {
      var loaded = LoadedRows<Item>()
      guard let reader = state.withLock({ $0.reader }) else { return loaded }
      var known = Known()
      func note(_ rowID: Int64) {
        if let chunk = loaded.note(rowID) { query.enqueue(chunk, as: .insert) }
        if loaded.isTold { query.report(completed: loaded.rowIDs.count, of: nil) }
      }
      if let rows = reader.rows {
        try rows.fetchAll(db) { rowID, row, key in
          do {
            try work.append(row, &loaded.items)
          } catch {
            known.invalid[rowID] = RowFailure.error(error, table: table, rowID: rowID)
            return
          }
          // It is a matter of the schema: many rows are proof enough.
          if loaded.areFew, let item = loaded.items.last, !Self.isID(key(), of: item) {
            known.isKeyed = false
          }
          note(rowID)
        }
      } else {
        for (key, item) in try fetchAll(reader, &known.invalid, db) {
          loaded.items.append(item)
          note(key)
        }
      }
      query.enqueue(loaded.endChunk(), as: .insert)
      tellInvalid(&known)
      state.withLock { [known] in $0.known = known }
      return loaded
    }

    /// Remembers the rows that were told, while nobody waits for it.
    func remember(_ loaded: LoadedRows<Item>) {
      let told = work.told(loaded.rowIDs, loaded.chunks)
      state.withLock { state in
        state.known.told = told
        if !told.covered.isEmpty { tellInvalid(&state.known) }
      }
    }

    /// Tells of what was committed while the rows were read, and from now on at every commit.
    func catchUp(_ db: Database) {
      state.withLock { $0.hasLoaded = true }
      attend(db)
    }

    /// Whether something was committed that is not told yet.
    var hasNews: Bool { state.withLock { !$0.committed.isEmpty } }

    func stop() { state.withLock { $0.hasStopped = true } }

    // MARK: - What others say

    /// Looks whether another connection wrote.
    func check(_ db: Database) {
      // What an open transaction did is not to be told before it is committed.
      guard !db.isInsideTransaction else { return }
      attend(db, checksFile: true)
    }

    /// Reads all rows again.
    func refresh(_ db: Database) {
      state.withLock { $0.committed.isUnknown = true }
      check(db)
    }

    /// The store wrote these items, in the open transaction.
    func note(_ ids: [Item.ID]) { state.withLock { $0.pending.written.formUnion(ids) } }

    // MARK: - Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      state.withLock { state in
        guard let reader = state.reader else { return false }
        guard let rows = reader.rows, isOwn(kind.tableName) else {
          // Which rows changed would not help. Any change of the table counts, of columns that are
          // not read too: other rows may have to go for it, and of some tables SQLite tells no
          // more.
          if reader.reads(kind.tableName) { state.pending.isUnknown = true }
          return false
        }
        if case .update(_, let columns) = kind, rows.shape.mayDisplace(byUpdating: columns) {
          state.pending.mayHaveDisplaced = true
          return true
        }
        if case .update = kind, rows.shape.computesColumns { return true }
        return reader.region.isModified(byEventsOfKind: kind)
      }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      let (isOwn, rowID, kind) = (isOwn(event.tableName), event.rowID, event.kind)
      state.withLock { state in
        if isOwn { state.pending.add(rowID, kind) } else { state.pending.isUnknown = true }
      }
    }

    func databaseDidChange() { state.withLock { $0.pending.isUnknown = true } }

    func databaseDidRollback(_ db: Database) { state.withLock { $0.pending = Changes() } }

    func databaseDidCommit(_ db: Database) {
      state.withLock { state in
        state.committed.add(state.pending)
        state.pending = Changes()
      }
      attend(db)
    }

    private func isOwn(_ name: String) -> Bool { name.lowercased() == table.lowercased() }

    // MARK: - Telling

    /// Tells what there is to tell; what may pass is tried again at the next occasion.
    private func attend(_ db: Database, checksFile: Bool = false) {
      guard state.withLock({ $0.hasLoaded && !$0.hasStopped }) else { return }
      do {
        if checksFile || query.interruption != nil { try file.check() }
        try tell(db)
        if query.interruption != nil { query.interruption = nil }
      } catch  where Self.mayPass(error) {
        // Said once, however often it is tried.
        if query.interruption.map({ "\($0)" }) != "\(error)" { query.interruption = error }
      } catch {
        fail(error)
      }
    }

    /// Whether the request may succeed later.
    ///
    /// It succeeded once, so an SQL error means that a table or column is missing and may return.
    private static func mayPass(_ error: any Error) -> Bool {
      switch error {
      case SQLiteStoreError.noTable, SQLiteStoreError.noFile, SQLiteStoreError.row,
        DatabaseError.SQLITE_ERROR, DatabaseError.SQLITE_SCHEMA:
        true
      case DatabaseError.SQLITE_BUSY, DatabaseError.SQLITE_LOCKED, DatabaseError.SQLITE_INTERRUPT,
        DatabaseError.SQLITE_ABORT:
        true
      default: false
      }
    }

    private func tell(_ db: Database) throws {
      // Taken out, so that it is not copied for the change. Nobody else looks meanwhile: all of
      // this happens on the one queue that writes.
      var (changes, known) = (Changes(), Known())
      var (reader, last) = state.withLock { state in
        swap(&changes, &state.committed)
        swap(&known, &state.known)
        return (state.reader, state.version)
      }
      defer { state.withLock { swap(&known, &$0.known) } }
      do {
        let version = try DatabaseVersion(db)
        let isAltered = version.schemas != last?.schemas
        if isAltered {
          db.clearSchemaCache()
          reader = try RequestReader(query.request, db)
        }
        changes.isUnknown = changes.isUnknown || version != last
        guard let reader, !changes.isEmpty else { return }
        let batch = try read(changes, reader, &known, db, isAltered: isAltered)
        state.withLock { ($0.reader, $0.version) = (reader, version) }
        tellInvalid(&known)
        query.enqueue(batch)
      } catch {
        changes.isUnknown = true
        state.withLock { $0.committed.add(changes) }
        throw error
      }
    }

    private func tellInvalid(_ known: inout Known) {
      known.invalid.tell(query, covered: known.told.covered) {
        SQLiteStoreError.repeatedID(table: table, rowID: $0)
      }
    }

    /// Reads what changed.
    ///
    /// - Throws: why the first row does not decode, where the schema was altered and no row does:
    ///   what is shown stays.
    private func read(
      _ changes: Changes, _ reader: RequestReader<Item>, _ known: inout Known, _ db: Database,
      isAltered: Bool
    ) throws -> ChangeBatch<Item> {
      var batch: ChangeBatch<Item>
      if let rows = reader.rows, !changes.isUnknown {
        var found: [(key: Int64, item: Item)] = []
        func take(_ rowID: Int64, _ row: Row, _ key: () -> DatabaseValue?) {
          do {
            let item = try Item(row: row)
            if !Self.isID(key(), of: item) { known.isKeyed = false }
            found.append((rowID, item))
          } catch {
            known.invalid[rowID] = RowFailure.error(error, table: table, rowID: rowID)
          }
        }
        for rowID in changes.rowIDs { known.invalid[rowID] = nil }
        try rows.fetch(changes.rowIDs, db, take)
        let displaced = try displaced(changes, rows, known, db)
        try rows.fetch(displaced.subtracting(changes.rowIDs), db, take)
        batch = known.told.changes(of: changes.rowIDs.union(displaced), found: found)
        while !known.told.uncovered.isEmpty {
          let uncovered = known.told.uncovered
          found = []
          try rows.fetch(uncovered, db, take)
          batch.add(known.told.changes(of: uncovered, found: found))
        }
      } else {
        var invalid = known.invalid
        let found = try fetchAll(reader, &invalid, db)
        if isAltered, found.isEmpty, known.told.count > 0, let error = invalid.first { throw error }
        known.invalid = invalid
        batch = known.told.changes(of: nil as Set<Int64>?, found: found)
      }
      for id in changes.written where known.told.key(of: id) == nil { batch.addDeletion(of: id) }
      return batch
    }

    /// Reads all rows, but for those that do not decode (rule S2).
    private func fetchAll(
      _ reader: RequestReader<Item>, _ invalid: inout InvalidRows<Int64>, _ db: Database
    ) throws -> [(key: Int64, item: Item)] {
      invalid.removeAll()
      var found: [(key: Int64, item: Item)] = []
      try reader.fetchAll(db) { key, row in
        do {
          found.append((key, try Item(row: row)))
        } catch {
          invalid[key] = RowFailure.error(error, table: table, rowID: key)
        }
      }
      return found
    }

    /// Rows that went without a word, because others took their place.
    private func displaced(
      _ changes: Changes, _ rows: SingleRows<Item>, _ known: Known, _ db: Database
    ) throws -> Set<Int64> {
      let hasInsertions = rows.shape.isUnique && !changes.inserted.isEmpty
      guard hasInsertions || changes.mayHaveDisplaced else { return [] }
      if known.isKeyed, !changes.mayHaveDisplaced,
        let keys = try rows.keys(of: changes.inserted, db),
        keys.count == changes.inserted.count
      {
        // Each row that came is there, and can only have displaced the one that had its id.
        return Set(
          keys.compactMap { rowID, key in
            Self.id(key).flatMap { known.told.key(of: $0) }.flatMap { $0 == rowID ? nil : $0 }
          })
      }
      return try rows.missing(of: known.told.rowKeys, db)
    }

    /// Whether the value that keeps rows apart, if there is one, is the item's id.
    private static func isID(_ key: DatabaseValue?, of item: Item) -> Bool {
      key.map { id($0) == item.id } ?? true
    }

    private static func id(_ value: DatabaseValue) -> Item.ID? {
      (Item.ID.self as? any DatabaseValueConvertible.Type)?.fromDatabaseValue(value) as? Item.ID
    }
  }
#endif
