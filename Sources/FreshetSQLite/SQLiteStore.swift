#if SQLite
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// A store over a table of SQLite, with records that GRDB fetches.
  ///
  /// A query learns which rows changed by observing transactions: it does not fetch the table
  /// again. It works on the app's own `DatabaseQueue` or `DatabasePool`, whichever code writes to
  /// it: this store, a record, or SQL.
  ///
  /// ```swift
  /// let store = SQLiteStore(database, Quake.self)
  /// let results = ResultsController(store: store, arrangement: .sorted(by: \.time, .reverse))
  /// results.performFetch(.init { $0.filter { _ in Column("magnitude") >= 5 } })
  /// ```
  ///
  /// An item's id is the primary key of its row.
  ///
  /// Another process or another pool may write to the same file. SQLite does not notify of that,
  /// but the store can check for it, which costs microseconds. While a query runs, the store checks
  /// every second, and at each commit. After such a write, the rows are read again and differences
  /// are reported. If a widget or an extension wrote, `refresh()` does this at once.
  public final class SQLiteStore<Item: ListItem & FetchableRecord & TableRecord>: DataStore {
    let database: any DatabaseWriter
    let file: DatabaseFile
    private let work: RowDecoding<Item>
    private let interval: Duration?
    private let clock: any Clock<Duration>
    /// The trackers of the queries that run.
    private let trackers = Locked<[ObjectIdentifier: RowTracker<Item>]>([:])

    /// Creates a store over a table of an open database.
    ///
    /// - Parameters:
    ///   - database: the app's own queue or pool.
    ///   - type: the items' type.
    ///   - interval: how often to check, while a query runs, whether another process or connection
    ///     wrote. Pass `nil` if no other one writes to the database, or if `refresh()` is called.
    ///     The limit is a hundred times a second.
    ///   - clock: the clock that measures the interval.
    @inlinable
    public convenience init(
      _ database: some DatabaseWriter, _ type: Item.Type = Item.self,
      checkingEvery interval: Duration? = .seconds(1),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.init(database, RowDecoding(), checkingEvery: interval, clock: clock)
    }

    @usableFromInline
    init(
      _ database: any DatabaseWriter, _ work: RowDecoding<Item>, checkingEvery interval: Duration?,
      clock: any Clock<Duration>
    ) {
      self.database = database
      file = DatabaseFile(of: database)
      self.work = work
      self.interval = interval.map { max($0, .milliseconds(10)) }
      self.clock = clock
    }

    /// Enqueues the rows in the order of the request, and then changes until the task is cancelled.
    ///
    /// Rows are read in one transaction; in a `DatabasePool`, others may write meanwhile. While the
    /// table does not exist, or another process locks the database, the query's `interruption` is
    /// set.
    ///
    /// A row that does not decode is left out until it does, and the results' `invalidItem` gives
    /// the reason (rule S2). SQLite converts values if it can: a text in place of a number reads as
    /// zero.
    ///
    /// - Throws: `SQLiteStoreError`, or errors of GRDB.
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
      // Commits made while the rows were read are part of the initial results, too.
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

    /// Reads the rows of every running query again, and reports differences.
    ///
    /// Call it after any write that SQLite does not report. It is never needed for writes of GRDB
    /// on the same queue or pool.
    ///
    /// - Throws: an error if the database cannot be reached. A query whose rows cannot be read
    ///   fails by itself.
    public func refresh() async throws {
      try await database.writeWithoutTransaction { [self] db in
        for tracker in running { tracker.refresh(db) }
      }
    }

    /// Checks repeatedly whether another connection wrote.
    private func check(_ tracker: RowTracker<Item>) async throws {
      guard let interval else { return }
      while true {
        try await clock.sleep(for: interval)
        // If the database cannot be reached, the next attempt may succeed.
        try? await database.writeWithoutTransaction { tracker.check($0) }
      }
    }

    /// Notifies the running queries of written items, even of those that they do not request.
    ///
    /// A draft may show such an item.
    func note(_ changes: ChangeBatch<Item>, of feed: String?) {
      let ids = changes.all.map(\.id)
      for tracker in running { tracker.note(ids, of: feed) }
    }

    private var running: [RowTracker<Item>] { trackers.withLock { Array($0.values) } }
  }
#endif
