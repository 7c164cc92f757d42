#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// An observer that reports changed rows to one query, transaction by transaction.
  ///
  /// GRDB calls it on the queue of the writing connection. A row that it reads there is therefore
  /// newer than anything it reported before.
  final class RowTracker<Item: ListItem & FetchableRecord & TableRecord>: TransactionObserver,
    Sendable
  {
    typealias Query = DataStoreQuery<Item, SQLiteStore<Item>.Request>
    private typealias Changes = RowChanges<Item.ID>

    private struct State {
      var changes = ObservedChanges<Item>()
      /// The version of the database when rows were last read.
      var version: DatabaseVersion?
      var rows = QueryRows<Item>()
      /// The reason why no row decodes since the schema was altered, and the version at that time.
      var unreadable: (version: DatabaseVersion, error: any Error)?
      var hasLoaded = false
      var hasStopped = false
    }

    private let query: Query
    private let work: RowDecoding<Item>
    private let file: DatabaseFile
    private let fail: @Sendable (any Error) -> Void
    private let table = Item.databaseTableName
    private let state = Locked(State())

    init(
      _ query: Query, _ work: RowDecoding<Item>, of file: DatabaseFile,
      fail: @escaping @Sendable (any Error) -> Void
    ) {
      self.query = query
      self.work = work
      self.file = file
      self.fail = fail
    }

    // MARK: - Running

    /// Starts to observe transactions.
    func begin(_ db: Database) throws {
      db.clearSchemaCache()
      let version = try DatabaseVersion(db)
      let reader = try RequestReader(query.request, db)
      state.withLock { state in
        state.version = version
        state.changes.begin(reader, db)
      }
      db.add(transactionObserver: self)
    }

    /// Reports the existing rows to the query.
    ///
    /// - Returns: the rows, for `remember(_:)`.
    func load(_ db: Database) throws -> LoadedRows<Item> {
      var loaded = LoadedRows<Item>()
      guard let reader = state.withLock({ $0.changes.reader }) else { return loaded }
      var rows = QueryRows<Item>()
      func note(_ rowID: Int64) {
        if let chunk = loaded.note(rowID) { query.enqueue(chunk, as: .insert) }
        if loaded.isTold { query.report(completed: loaded.rowIDs.count, of: nil) }
      }
      if let singleRows = reader.rows {
        try singleRows.fetchAll(db) { rowID, row, key in
          do {
            try work.append(row, &loaded.items)
          } catch {
            rows.invalid[rowID] = RowFailure.error(error, table: table, rowID: rowID)
            return
          }
          // This depends on the schema, so the rows of the first chunk are proof enough.
          if loaded.areFew, let item = loaded.items.last, !QueryRows.isID(key(), of: item) {
            rows.isKeyed = false
          }
          note(rowID)
        }
      } else {
        for (key, item) in try rows.fetchAll(reader, db) {
          loaded.items.append(item)
          note(key)
        }
      }
      query.enqueue(loaded.endChunk(), as: .insert)
      reportInvalid(&rows)
      state.withLock { [rows] in $0.rows = rows }
      return loaded
    }

    /// Records the reported rows, while no caller waits for it.
    func remember(_ loaded: LoadedRows<Item>) {
      let record = work.record(loaded.rowIDs, loaded.chunks)
      // No other code reads these rows before `catchUp(_:)`.
      var rows = state.withLock { $0.rows }
      rows.record = record
      reportInvalid(&rows)
      state.withLock { [rows] in $0.rows = rows }
    }

    /// Reports commits made while the rows were read, and from now on every commit.
    func catchUp(_ db: Database) {
      state.withLock { $0.hasLoaded = true }
      findUnreported(db)
      attend(db)
    }

    /// Whether a committed change is not reported yet.
    var hasNews: Bool { state.withLock { !$0.changes.committed.isEmpty } }

    func stop() { state.withLock { $0.hasStopped = true } }

    // MARK: - External changes

    /// Checks whether another connection wrote.
    func check(_ db: Database) {
      // Changes of an open transaction must not be reported before they are committed.
      guard !db.isInsideTransaction else { return }
      findUnreported(db)
      attend(db, checksFile: true)
    }

    /// Reads all rows again.
    func refresh(_ db: Database) {
      state.withLock { $0.changes.committed.isUnknown = true }
      check(db)
    }

    /// Records items that the store wrote in the open transaction.
    ///
    /// - Parameter feed: the feed for which it wrote them; `nil` if it was none.
    func note(_ ids: [Item.ID], of feed: String?) {
      state.withLock { state in
        state.changes.pending.written.formUnion(ids)
        state.changes.pending.feed = feed
      }
    }

    // MARK: - Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      state.withLock { $0.changes.observes(kind) }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      state.withLock { $0.changes.note(event) }
    }

    func databaseDidChange() { state.withLock { $0.changes.pending.isUnknown = true } }

    func databaseDidRollback(_ db: Database) {
      state.withLock { $0.changes.pending = Changes() }
    }

    func databaseDidCommit(_ db: Database) {
      state.withLock { $0.changes.commit(db) }
      attend(db)
    }

    private func findUnreported(_ db: Database) {
      state.withLock { $0.changes.findUnreported(db) }
    }

    // MARK: - Reporting

    /// Reports pending changes; an error that may pass is followed by another attempt later.
    private func attend(_ db: Database, checksFile: Bool = false) {
      let (isRunning, unreadable) = state.withLock {
        ($0.hasLoaded && !$0.hasStopped, $0.unreadable?.version)
      }
      guard isRunning else { return }
      // While no row decodes, commits are held back until the next check or another schema. Reading
      // all rows at each commit would hold up the writer.
      if let unreadable, !checksFile, (try? DatabaseVersion(db)) == unreadable { return }
      do {
        if checksFile || query.interruption != nil { try file.check() }
        try db.withSnapshot { try tell(db) }
        if query.interruption != nil { query.interruption = nil }
      } catch  where Self.mayPass(error) {
        // An error is reported once, however often the request is tried again.
        if query.interruption.map({ "\($0)" }) != "\(error)" { query.interruption = error }
      } catch {
        fail(error)
      }
    }

    /// Returns whether the request may succeed later.
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
      // Both are taken out, so that changing them does not copy them. No other code reads them
      // meanwhile: all of this happens on the one queue that writes.
      var (changes, rows) = (Changes(), QueryRows<Item>())
      var (reader, last, unreadable) = state.withLock { state in
        swap(&changes, &state.changes.committed)
        swap(&rows, &state.rows)
        return (state.changes.reader, state.version, state.unreadable)
      }
      defer { state.withLock { swap(&rows, &$0.rows) } }
      var batch = ChangeBatch<Item>()
      do {
        let version = try DatabaseVersion(db)
        if let unreadable, unreadable.version == version, changes.isEmpty { throw unreadable.error }
        let isAltered = version.schemas != last?.schemas
        if isAltered {
          db.clearSchemaCache()
          reader = try RequestReader(query.request, db)
        }
        changes.isUnknown = changes.isUnknown || version != last
        guard let reader, !changes.isEmpty else { return }
        if let error = try rows.read(changes, reader, db, isAltered: isAltered, &batch) {
          state.withLock { $0.unreadable = (version, error) }
          // Once rows decode again, all of them are read.
          changes = Changes()
          throw error
        }
        state.withLock { ($0.changes.reader, $0.version, $0.unreadable) = (reader, version, nil) }
        // Reported together with the rows, not after them (rule R5).
        reportInvalid(&rows)
        report(batch, changes)
      } catch {
        // Changes found so far are delivered now, as they are not looked up again.
        query.enqueue(batch)
        if !changes.isEmpty {
          changes.isUnknown = true
          state.withLock { [changes] in $0.changes.committed.add(changes) }
        }
        throw error
      }
    }

    /// Reports changes, as those of a feed if no other code wrote these rows since the last report.
    private func report(_ batch: ChangeBatch<Item>, _ changes: Changes) {
      guard let feed = changes.feed, !changes.isUnknown else { return query.enqueue(batch) }
      let all = batch.all
      // A trigger may have changed other rows.
      let others = all.filter { !changes.written.contains($0.id) }
      if others.isEmpty { return query.enqueue(batch, of: feed) }
      query.enqueue(ChangeBatch(others))
      query.enqueue(ChangeBatch(all.filter { changes.written.contains($0.id) }), of: feed)
    }

    private func reportInvalid(_ rows: inout QueryRows<Item>) {
      let isKeyed = state.withLock { $0.changes.reader?.rows != nil }
      rows.invalid.report(to: query, beside: rows.record) {
        SQLiteStoreError.duplicateID(table: table, rowID: isKeyed ? $0 : nil)
      }
    }
  }
#endif
