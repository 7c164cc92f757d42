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
      var listeners: [Int: @Sendable () -> Void] = [:]
      var lastListener = 0
    }

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
    ///   - keyset: makes the reader of the request's rows.
    func pages(
      in windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database,
      _ keyset: () throws -> KeysetReader<Item>
    ) throws -> [[Page<Item, KeysetKey>]] {
      do { return try read(windows, ofSize: size, limit: limit, db, keyset) } catch {
        // The next check reports a change, so that this is repeated.
        state.withLock { $0.reported = nil }
        throw error
      }
    }

    private func read(
      _ windows: [PageWindow<KeysetKey>], ofSize size: Int, limit: Int, _ db: Database,
      _ keyset: () throws -> KeysetReader<Item>
    ) throws -> [[Page<Item, KeysetKey>]] {
      try begin(db)
      let isChanged = try noteChanges(db)
      let (reader, log, answers) = state.withLock { ($0.changes.reader?.rows, $0.log, $0.answers) }
      let keyset = try keyset()
      let unchanged = try reader.map { rows in
        try UnchangedWindows(rows, keyset, db).indices(of: windows, answers, log)
      }
      var pages = try windows.enumerated().map { index, window -> [Page<Item, KeysetKey>] in
        if unchanged?.contains(index) == true {
          state.withLock { $0.answers.keep(window, at: log.number) }
          return [.unchanged]
        }
        var start = window.start
        let parts = try keyset.pages(in: window, ofSize: size, limit: limit, rowID: reader?.rowID)
        return parts.map { part in
          var page = part.page
          if reader != nil {
            let answer = WindowAnswers.Answer(
              window: PageWindow(start: start, end: page.next), rowIDs: part.rowIDs,
              number: log.number)
            page.validator = state.withLock { $0.answers.add(answer) }
          }
          start = page.next
          return page
        }
      }
      if isChanged, let first = windows.first, first.start == nil {
        pages[0][0].total = try keyset.total()
      }
      return pages
    }

    /// Moves the committed changes into the log.
    ///
    /// - Returns: whether there are any.
    private func noteChanges(_ db: Database) throws -> Bool {
      let version = try DatabaseVersion(db)
      let last = state.withLock { $0.version }
      var reader: RequestReader<Item>?
      if last?.schemas != version.schemas {
        db.clearSchemaCache()
        reader = try RequestReader(request, db)
      }
      return state.withLock { state in
        if let reader { state.changes.reader = reader }
        state.changes.findUnreported(db)
        let changes = state.changes.committed
        state.changes.committed = RowChanges()
        let isKnown = last == version && !changes.isUnknown
        state.version = version
        if isKnown, changes.isEmpty { return false }
        let isUnique = state.changes.reader?.rows?.shape.isUnique ?? true
        state.log.add(
          isKnown
            ? ChangeLog.Changes(
              rowIDs: changes.rowIDs,
              mayHaveDisplaced: changes.mayHaveDisplaced || isUnique && !changes.inserted.isEmpty)
            : nil)
        return true
      }
    }
  }
#endif
