#if SQLite
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// A table of SQLite, of records that GRDB fetches.
  ///
  /// A query is told which rows changed by watching transactions: it does not fetch the table
  /// again. It works on the app's own `DatabaseQueue` or `DatabasePool`, whoever writes to it: this
  /// store, a record, or SQL.
  ///
  /// ```swift
  /// let store = SQLiteStore(database, Quake.self)
  /// let results = ResultsController(store: store, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
  /// ```
  ///
  /// An item's id is the primary key of its row.
  ///
  /// Others may write to the same file: another process, another pool. SQLite does not tell of
  /// that, but it says when asked whether anybody did, which costs microseconds. While a query runs
  /// it is asked every second, and at each commit; then the rows are read again, and what differs
  /// is told. A widget or an extension that wrote can say so at once: `refresh()`.
  public final class SQLiteStore<Item: ListItem & FetchableRecord & TableRecord>: DataStore {
    let database: any DatabaseWriter
    let file: DatabaseFile
    private let work: RowWork<Item>
    private let interval: Duration?
    private let clock: any Clock<Duration>
    /// The queries that run.
    private let trackers = Locked<[ObjectIdentifier: RowTracker<Item>]>([:])

    /// Creates a store over a table of an open database.
    ///
    /// - Parameters:
    ///   - database: the app's own queue or pool.
    ///   - type: the items' type.
    ///   - interval: how often to ask whether another process or connection wrote, while a query
    ///     runs; `nil` for a database that nobody else writes to, or where `refresh()` is called.
    ///     At most a hundred times a second.
    ///   - clock: what measures that.
    @inlinable
    public convenience init(
      _ database: some DatabaseWriter, _ type: Item.Type = Item.self,
      checkingEvery interval: Duration? = .seconds(1),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.init(database, RowWork(), checkingEvery: interval, clock: clock)
    }

    @usableFromInline
    init(
      _ database: any DatabaseWriter, _ work: RowWork<Item>, checkingEvery interval: Duration?,
      clock: any Clock<Duration>
    ) {
      self.database = database
      file = DatabaseFile(of: database)
      self.work = work
      self.interval = interval.map { max($0, .milliseconds(10)) }
      self.clock = clock
    }

    /// Enqueues the rows, in the order of the request, and until the task is cancelled, what
    /// changes.
    ///
    /// Rows are read in one transaction; in a `DatabasePool` others write meanwhile. While the
    /// table is gone, or another process keeps the database to itself, the query's `interruption`
    /// says so.
    ///
    /// A row that does not decode is left out until it does, and the results' `invalidItem` says
    /// why (rule S2). SQLite converts where it can: a text in place of a number reads as zero.
    ///
    /// - Throws: `SQLiteStoreError`, or what GRDB throws.
    public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
      let failures = AsyncThrowingStream<Never, any Error>.makeStream()
      let tracker = RowTracker(query, work, of: file) { failures.continuation.finish(throwing: $0) }
      trackers.withLock { $0[ObjectIdentifier(tracker)] = tracker }
      defer {
        trackers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(tracker)) }
        tracker.stop()
        database.asyncWriteWithoutTransaction { $0.remove(transactionObserver: tracker) }
      }
      try await database.writeWithoutTransaction { try tracker.begin($0) }
      let loaded = try await database.read { db in
        try db.withSnapshot { try tracker.load(db) }
      }
      // What was committed while they were read is of the initial results, too.
      let hasNews = tracker.hasNews
      if !hasNews { query.finishInitialResults() }
      tracker.remember(loaded)
      try await database.writeWithoutTransaction { tracker.catchUp($0) }
      if hasNews { query.finishInitialResults() }
      try await withThrowingTaskGroup { group in
        group.addTask { for try await _ in failures.stream {} }
        if interval != nil { group.addTask { try await self.check(tracker) } }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    /// Reads the rows of every running query again, and tells what differs.
    ///
    /// It is right after any write that is not told, and never needed for what GRDB writes on the
    /// same queue or pool.
    ///
    /// - Throws: where the database cannot be reached. A query whose rows cannot be read fails by
    ///   itself.
    public func refresh() async throws {
      try await database.writeWithoutTransaction { [self] db in
        for tracker in running { tracker.refresh(db) }
      }
    }

    /// Asks again and again whether another connection wrote.
    private func check(_ tracker: RowTracker<Item>) async throws {
      guard let interval else { return }
      while true {
        try await clock.sleep(for: interval)
        // Where the database is out of reach, the next time may do.
        try? await database.writeWithoutTransaction { tracker.check($0) }
      }
    }

    /// The running queries are told of these, even if they do not ask for them: a draft may show
    /// them.
    func note(_ changes: ChangeBatch<Item>) {
      let ids = changes.all.map(\.id)
      for tracker in running { tracker.note(ids) }
    }

    private var running: [RowTracker<Item>] { trackers.withLock { Array($0.values) } }
  }
#endif
