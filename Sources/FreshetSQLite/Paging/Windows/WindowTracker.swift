#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// An observer of a table whose windows are read again after changes.
  ///
  /// All of it happens on the queue of the writing connection: each commit is reported before the
  /// next statement. A window is read again if one of its rows changed, or if a changed row is now
  /// in it.
  final class WindowTracker<Item: ListItem & FetchableRecord & TableRecord>: TransactionObserver,
    Sendable
  {
    private struct State {
      var changes = ObservedChanges<Item>()
      /// The version of the database when windows were last read.
      var version: DatabaseVersion?
      /// The version that the listeners know of.
      var reported: DatabaseVersion?
      var log = ChangeLog()
      var answers = WindowAnswers()
      /// The order of the table's rows, as the table was when windows were last read.
      var order: TableOrder?
      var caches = Caches()
      var listeners: [Int: @Sendable () -> Void] = [:]
      var lastListener = 0
    }

    /// The values that are kept between reads.
    private struct Caches {
      var queries = WindowCache<WindowQuery>()
      var bounds = WindowCache<WindowBounds>()
      var decoded = DecodedRowCache<Item>()
    }

    /// The name of a column to sort by, among those of the request.
    static func sortName(_ index: Int) -> String { "freshet_sort\(index)" }

    private let request: SQLiteStore<Item>.Request
    private let state = Locked(State())

    init(_ request: SQLiteStore<Item>.Request) { self.request = request }

    // MARK: - Listeners

    /// Calls a closure after each commit that may have changed rows of the request.
    ///
    /// - Returns: a number, for `remove(_:)`.
    func add(_ listener: @escaping @Sendable () -> Void) -> Int {
      state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = listener
        return state.lastListener
      }
    }

    func remove(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

    private func notify() {
      for listener in state.withLock({ Array($0.listeners.values) }) { listener() }
    }

    /// Looks for commits of other connections, and begins to observe if that is not done.
    func check(_ db: Database) throws {
      try begin(db)
      let version = try DatabaseVersion(db)
      let isNew = state.withLock { state in
        defer { state.reported = version }
        return state.reported != version
      }
      if isNew { notify() }
    }

    private func begin(_ db: Database) throws {
      if state.withLock({ $0.changes.reader != nil }) { return }
      db.clearSchemaCache()
      let reader = try RequestReader(request, db)
      state.withLock { $0.changes.begin(reader, db) }
      db.add(transactionObserver: self)
    }

    // MARK: - Transactions

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
      state.withLock { $0.changes.observes(kind) }
    }

    func databaseDidChange(with event: DatabaseEvent) {
      state.withLock { state in
        if state.changes.pending.isUnknown { return }
        state.changes.note(event)
        state.changes.pending.forgetRows(beyond: ChangeLog.limit)
      }
    }

    func databaseDidChange() { state.withLock { $0.changes.pending.isUnknown = true } }

    func databaseDidRollback(_ db: Database) {
      state.withLock { $0.changes.pending = RowChanges() }
    }

    func databaseDidCommit(_ db: Database) {
      let version = try? DatabaseVersion(db)
      let isNew = state.withLock { state in
        let isChanged = !state.changes.pending.isEmpty
        state.changes.commit(db)
        state.changes.committed.forgetRows(beyond: ChangeLog.limit)
        defer { state.reported = version }
        return isChanged || state.reported != version
      }
      if isNew { notify() }
    }

    // MARK: - Reading

    /// Reads windows, or finds them unchanged.
    ///
    /// - Parameters:
    ///   - size: the number of rows of a page, if a window is divided.
    ///   - limit: the number of rows after which an answer is cut off.
    ///   - keyset: makes the reader of the request's rows; it is given the order, if it is known.
    func pages(
      in windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database,
      _ keyset: (TableOrder?) throws -> KeysetReader<Item>
    ) throws -> [[Page<Item, KeysetKey>]] {
      do { return try read(windows, ofSize: size, limit: limit, db, keyset) } catch {
        // The next check reports a change, so that this is repeated.
        state.withLock { $0.reported = nil }
        throw error
      }
    }

    private func read(
      _ windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database,
      _ keyset: (TableOrder?) throws -> KeysetReader<Item>
    ) throws -> [[Page<Item, KeysetKey>]] {
      try begin(db)
      let version = try DatabaseVersion(db)
      let keyset = try reader(version, db, keyset)
      let isChanged = try noteChanges(version, keyset, db)
      let (rows, log, answers) = state.withLock { ($0.changes.reader?.rows, $0.log, $0.answers) }
      var caches = state.withLock { state in
        defer { state.caches = Caches() }
        return state.caches
      }
      // What a transaction reads before it ends may be rolled back.
      defer { if !db.isInsideTransaction { state.withLock { $0.caches = caches } } }
      let unchanged = try rows.map { rows in
        try UnchangedWindows(rows, keyset, db).indices(of: windows, answers, log, &caches.bounds)
      }
      var pages = try windows.enumerated().map { index, window -> [Page<Item, KeysetKey>] in
        guard let rows else { return try keyset.pages(in: window, ofSize: size, limit: limit) }
        if unchanged?.contains(index) == true {
          state.withLock { $0.answers.keep(window, at: log.number) }
          return [.unchanged]
        }
        let query = try caches.queries.value(window) {
          try keyset.query(of: window, limit: limit, rowID: rows.rowID)
        }
        var start = window.start
        return try keyset.pages(in: window, query, ofSize: size, limit: limit, &caches.decoded)
          .map { part in
            var page = part.page
            let answer = WindowAnswers.Answer(
              window: PageWindow(start: start, end: page.next), rowIDs: part.rowIDs,
              number: log.number)
            page.validator = state.withLock { $0.answers.add(answer) }
            start = page.next
            return page
          }
      }
      if isChanged, let first = windows.first, first.start == nil {
        pages[0][0].total = try keyset.total()
      }
      return pages
    }

    /// Returns the reader of the request's rows, for the tables as they are now.
    private func reader(
      _ version: DatabaseVersion, _ db: Database,
      _ keyset: (TableOrder?) throws -> KeysetReader<Item>
    ) throws -> KeysetReader<Item> {
      let (last, order) = state.withLock { ($0.version, $0.order) }
      if last?.schemas == version.schemas { return try keyset(order) }
      db.clearSchemaCache()
      let (reader, keyset) = (try RequestReader(request, db), try keyset(nil))
      state.withLock { state in
        state.changes.reader = reader
        (state.order, state.caches) = (keyset.order, Caches())
      }
      return keyset
    }

    /// Moves the committed changes into the log.
    ///
    /// - Returns: whether there are any.
    private func noteChanges(
      _ version: DatabaseVersion, _ keyset: KeysetReader<Item>, _ db: Database
    ) throws -> Bool {
      let (rows, changes, isKnown) = state.withLock { state in
        state.changes.findUnreported(db)
        let changes = state.changes.committed
        state.changes.committed = RowChanges()
        let isKnown = state.version == version && !changes.isUnknown
        state.version = version
        if isKnown { state.caches.decoded.forget(changes.rowIDs) } else { state.caches = Caches() }
        return (state.changes.reader?.rows, changes, isKnown)
      }
      if isKnown, changes.isEmpty { return false }
      // Without positions, a query finds the windows that have the rows.
      let positions = isKnown ? try? rows?.positions(of: changes.rowIDs, keyset, db) : nil
      state.withLock { state in
        state.log.add(
          isKnown
            ? ChangeLog.Changes(
              rowIDs: changes.rowIDs, positions: positions,
              mayHaveDisplaced: changes.mayHaveDisplaced
                || (rows?.shape.isUnique ?? true) && !changes.inserted.isEmpty)
            : nil)
      }
      return true
    }
  }

  extension RowLookup {
    /// Returns the positions of those of the given rows that the request has.
    ///
    /// - Returns: `nil` if there are many rows.
    fileprivate func positions(
      of rowIDs: Set<Int64>, _ keyset: KeysetReader<Item>, _ db: Database
    ) throws -> [Int64: ColumnValues]? {
      guard rowIDs.count <= ChangeLog.Changes.positionLimit else { return nil }
      var positions: [Int64: ColumnValues] = [:]
      try fetch(rowIDs, db) { rowID, row, _ in
        positions[rowID] = keyset.values(ofRow: rowID) { row[WindowTracker<Item>.sortName($0)] }
      }
      return positions
    }
  }
#endif
