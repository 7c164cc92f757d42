#if SQLite
  internal import Freshet
  internal import FreshetLists
  internal import GRDB

  /// An observer of a table whose windows are read again after changes.
  ///
  /// All of it happens on the queue of the writing connection, so that a read includes each commit
  /// before it. A window is read again if one of its rows changed, or if a changed row is now in
  /// it.
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
      /// The number of all rows, and that of the last change before it was counted, in the log.
      var total: (rows: RowTotal?, number: Int)?
      /// The order of the table's rows, as the table was when windows were last read.
      var order: TableOrder?
      var caches = Caches()
      var listeners: [Int: Listener] = [:]
      var lastListener = 0
      /// Whether a report to the listeners is enqueued.
      var isReporting = false
    }

    /// The values that are kept between reads.
    private struct Caches {
      var queries = WindowCache<WindowQuery>()
      var bounds = WindowCache<WindowBounds>()
      var decoded = DecodedRowCache<Item>()
    }

    /// The name of a column to sort by, among those of the request.
    static func sortName(_ index: Int) -> String { "freshet_sort\(index)" }

    typealias Listener = @Sendable (FeedEvent<Item>) -> Void
    typealias MakeReader = @Sendable (Database, TableOrder?) throws -> KeysetReader<Item>

    private let request: SQLiteStore<Item>.Request
    private let writer: (any DatabaseWriter)?
    private let makeReader: MakeReader
    private let state = Locked(State())

    /// - Parameters:
    ///   - request: the rows, with the columns of their order.
    ///   - writer: the database; `nil` if it cannot be written.
    ///   - makeReader: makes the reader of the rows; it is given the order, if that is known.
    init(
      _ request: SQLiteStore<Item>.Request, on writer: (any DatabaseWriter)?,
      _ makeReader: @escaping MakeReader
    ) {
      (self.request, self.writer, self.makeReader) = (request, writer, makeReader)
    }

    // MARK: - Listeners

    /// Calls a closure with an event after each commit that may have changed rows of the request.
    ///
    /// - Returns: a number, for `remove(_:)`.
    func add(_ listener: @escaping Listener) -> Int {
      state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = listener
        return state.lastListener
      }
    }

    func remove(_ listener: Int) { state.withLock { $0.listeners[listener] = nil } }

    /// Reports commits to the listeners, once for those that follow each other quickly.
    private func reportSoon() {
      let isFirst = state.withLock { state in
        if state.isReporting || state.listeners.isEmpty { return false }
        state.isReporting = true
        return true
      }
      guard isFirst else { return }
      writer?.asyncWriteWithoutTransaction { self.report($0) }
    }

    /// Reports which windows the commits since the last report do not concern.
    private func report(_ db: Database) {
      state.withLock { $0.isReporting = false }
      // What a transaction reads before it ends may be rolled back.
      let unchanged =
        db.isInsideTransaction ? nil : try? db.withSnapshot { try findUnchanged(db) }
      for listener in state.withLock({ Array($0.listeners.values) }) {
        listener(unchanged.map { .invalidateWindows(except: $0) } ?? .invalidate)
      }
    }

    /// Returns the validators of the windows that have not changed, as far as no query is needed.
    private func findUnchanged(_ db: Database) throws -> Set<String> {
      try begin(db)
      let version = try DatabaseVersion(db)
      let keyset = try reader(version, db)
      try noteChanges(version, keyset, db)
      return try state.withLock { state in
        guard let rows = state.changes.reader?.rows else { return [] }
        let (log, windows) = (state.log, UnchangedWindows(rows, keyset, db))
        // A request with conditions has no total.
        let hasTotal = state.total.map { $0.rows != nil } ?? true
        // Most windows were answered, or found unchanged, by the same read.
        var merged: [Int: ChangeLog.Changes] = [:]
        var bounds = WindowCache<WindowBounds>()
        swap(&bounds, &state.caches.bounds)
        defer { swap(&bounds, &state.caches.bounds) }
        return try state.answers.check(at: log.number) { answer in
          let changes = merged[answer.number] ?? log.changes(since: answer.number)
          // Only a query can show that it is true, and its feed has not asked for that since.
          guard let changes, answer.number > log.number - Self.reportLimit else { return false }
          merged[answer.number] = changes
          answer.isTotalOld = answer.isTotalOld || hasTotal && changes.mayChangeTotal
          return try changes.mayHaveDisplaced ? nil : windows.isUnchanged(answer, changes, &bounds)
        }
      }
    }

    /// The number of changes after which a window that needs a query is no longer considered.
    private static var reportLimit: Int { 100 }

    /// Looks for commits of other connections, and begins to observe if that is not done.
    func check(_ db: Database) throws {
      try begin(db)
      let version = try DatabaseVersion(db)
      let isNew = state.withLock { state in
        defer { state.reported = version }
        return state.reported != version
      }
      if isNew { report(db) }
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
      if isNew { reportSoon() }
    }

    // MARK: - Reading

    /// Reads windows, or finds them unchanged.
    ///
    /// - Parameters:
    ///   - size: the number of rows of a page, if a window is divided.
    ///   - limit: the number of rows after which an answer is cut off.
    func pages(
      in windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database
    ) throws -> [[Page<Item, KeysetKey>]] {
      do { return try read(windows, ofSize: size, limit: limit, db) } catch {
        // The next check reports a change, so that this is repeated.
        state.withLock { $0.reported = nil }
        throw error
      }
    }

    private func read(
      _ windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database
    ) throws -> [[Page<Item, KeysetKey>]] {
      try begin(db)
      let version = try DatabaseVersion(db)
      let keyset = try reader(version, db)
      try noteChanges(version, keyset, db)
      let (rows, log, answers) = state.withLock { ($0.changes.reader?.rows, $0.log, $0.answers) }
      var caches = state.withLock { state in
        defer { state.caches = Caches() }
        return state.caches
      }
      // What a transaction reads before it ends may be rolled back.
      let isFinal = !db.isInsideTransaction
      defer { if isFinal { state.withLock { $0.caches = caches } } }
      let unchanged = try rows.map { rows in
        try UnchangedWindows(rows, keyset, db).indices(of: windows, answers, log, &caches.bounds)
      }
      var pages = try windows.enumerated().map { index, window -> [Page<Item, KeysetKey>] in
        guard let rows else { return try keyset.pages(in: window, ofSize: size, limit: limit) }
        if unchanged?.contains(index) == true {
          if isFinal { state.withLock { $0.answers.keep(window, at: log.number) } }
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
            if isFinal { page.validator = state.withLock { $0.answers.add(answer) } }
            start = page.next
            return page
          }
      }
      if !pages.isEmpty { pages[0][0].total = try total(keyset, log) }
      return pages
    }

    /// Returns the number of all rows, which is counted after changes that may have changed it.
    ///
    /// Each answer has it: a feed that was told of a change after it asked doubts an earlier one.
    private func total(_ keyset: KeysetReader<Item>, _ log: ChangeLog) throws -> RowTotal? {
      if let known = state.withLock({ $0.total }),
        log.changes(since: known.number)?.mayChangeTotal == false
      {
        return known.rows
      }
      let rows = try keyset.total()
      // What a transaction reads before it ends may be rolled back.
      if !keyset.db.isInsideTransaction { state.withLock { $0.total = (rows, log.number) } }
      return rows
    }

    /// Returns the reader of the request's rows, for the tables as they are now.
    private func reader(
      _ version: DatabaseVersion, _ db: Database
    ) throws -> KeysetReader<Item> {
      let (last, order) = state.withLock { ($0.version, $0.order) }
      if last?.schemas == version.schemas { return try makeReader(db, order) }
      db.clearSchemaCache()
      let (reader, keyset) = (try RequestReader(request, db), try makeReader(db, nil))
      state.withLock { state in
        state.changes.reader = reader
        (state.order, state.caches) = (keyset.order, Caches())
      }
      return keyset
    }

    /// Moves the committed changes into the log.
    private func noteChanges(
      _ version: DatabaseVersion, _ keyset: KeysetReader<Item>, _ db: Database
    ) throws {
      let (rows, changes, isKnown) = state.withLock { state in
        state.changes.findUnreported(db)
        let changes = state.changes.committed
        state.changes.committed = RowChanges()
        let isKnown = state.version == version && !changes.isUnknown
        state.version = version
        if isKnown { state.caches.decoded.forget(changes.rowIDs) } else { state.caches = Caches() }
        return (state.changes.reader?.rows, changes, isKnown)
      }
      if isKnown, changes.isEmpty { return }
      // Without positions, a query finds the windows that have the rows.
      let positions = isKnown ? try? rows?.positions(of: changes.rowIDs, keyset, db) : nil
      state.withLock { state in
        state.log.add(
          isKnown
            ? ChangeLog.Changes(
              rowIDs: changes.rowIDs, positions: positions,
              mayHaveDisplaced: changes.mayHaveDisplaced
                || (rows?.shape.isUnique ?? true) && !changes.inserted.isEmpty,
              mayChangeTotal: !changes.inserted.isEmpty || changes.mayHaveDisplaced
                || positions?.count != changes.rowIDs.count)
            : nil)
      }
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
