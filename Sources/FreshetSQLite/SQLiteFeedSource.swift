#if SQLite
  public import Freshet
  public import FreshetLists
  public import GRDB

  /// A source of the pages of a table of SQLite, in any order of its columns.
  ///
  /// A feed over it shows a table of any size. It reads the pages near the reader, and with
  /// `maximumRows` it keeps only those in memory.
  ///
  /// ```swift
  /// let source = SQLiteFeedSource(database, Quake.self, sortedBy: [.descending("time")]) {
  ///   $0.filter { _ in Column("magnitude") >= 5 }
  /// }
  /// let quakes = FeedController(source, configuration: FeedConfiguration(maximumRows: 500))
  /// ```
  ///
  /// Rows with equal values are sorted by their primary key, in the direction of the first column.
  /// The position of each row is therefore certain. SQLite sorts them, and compares all texts.
  ///
  /// A page begins at the values of the last row of the page before. SQLite finds that place in an
  /// index on the columns, however many rows precede it. Without an index, each page reads the
  /// table.
  ///
  /// A feed that follows `changes()` shows each commit in every part that is loaded. Without that,
  /// refresh it after a write: it then reads the loaded parts again, wherever they are. If all rows
  /// of the request fit in memory, `SQLiteStore` also filters, sorts and sections them.
  ///
  /// A row that does not decode is left out, and the page's `invalidItem` gives the reason
  /// (rule S2).
  public struct SQLiteFeedSource<
    Item: ListItem & FetchableRecord & TableRecord
  >: WindowedFeedSource, JumpableFeedSource {
    private let database: any DatabaseReader
    private let file: DatabaseFile
    /// Makes the reader of the request's rows; it is given the order, if that is known.
    private let reader: WindowTracker<Item>.MakeReader
    private let tracker: WindowTracker<Item>
    /// The number of rows of a page, if a window is divided.
    var windowSize = 50

    /// Creates a source over a table of an open database.
    ///
    /// - Parameters:
    ///   - database: the app's own queue or pool.
    ///   - type: the items' type.
    ///   - columns: the columns to sort by; none of them sorts by the primary key.
    ///   - filter: adds conditions to the request for every row. The result contains each row of
    ///     the table at most once. An order in it has no effect, and a limit is not supported. It
    ///     returns the same conditions each time: for others, such as a later date, create another
    ///     source.
    public init(
      _ database: some DatabaseReader, _ type: Item.Type = Item.self,
      sortedBy columns: [SortColumn],
      filter:
        @escaping @Sendable (_ all: QueryInterfaceRequest<Item>) -> QueryInterfaceRequest<Item> = {
          $0
        }
    ) {
      self.database = database
      let file = DatabaseFile(of: database)
      self.file = file
      reader = { db, order in
        try file.check()
        let order = try order ?? TableOrder(columns, of: Item.databaseTableName, db)
        return KeysetReader(filter(Item.all()), in: order, db)
      }
      // The columns of the order count also if the items do not select them.
      tracker = WindowTracker(
        SQLiteStore.Request { all in
          filter(all).annotated(
            with: columns.enumerated().map { index, column in
              Column(column.name).forKey(WindowTracker<Item>.sortName(index))
            })
        }, on: database as? any DatabaseWriter, reader)
    }

    /// Returns the page for a request.
    ///
    /// A page has at most 1,000 rows. The first one of all rows of a table has their number as its
    /// total: exact up to 10,000. Beyond that, it is the estimate of `ANALYZE`, or a lower bound. A
    /// page whose key is from `key(ofRowAt:)` has it, too, and about how many rows are above it.
    ///
    /// - Throws: `FeedError.staleKey` for a key of another order: the feed then reads from its
    ///   head. Otherwise `SQLiteStoreError` if the table, a column, the primary key or the file is
    ///   missing, or errors of GRDB.
    /// - Complexity: O(log *n* + rows of the page) if an index has the columns in this order and
    ///   the filter accepts most rows, otherwise O(*n*).
    public func page(
      _ request: PageRequest<KeysetKey>
    ) async throws -> Page<Item, KeysetKey> {
      let limit = min(max(1, request.limit), windowLimit)
      return try await read { reader in
        var page = try reader.page(request.key, limit: limit)
        page.rowsAbove = request.rowsAbove
        if page.rowsAbove != nil, page.next != nil { page.total = try reader.total() }
        return page
      }
    }

    /// Returns the number of rows of the request.
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(*n*): SQLite counts the entries of an index.
    public func count() async throws -> Int { try await read { try $0.count() } }

    // MARK: - Reductions

    /// Returns the number of rows in each section, by the section's name.
    ///
    /// None of the rows need be loaded, so headers of sections can show how many there are:
    ///
    /// ```swift
    /// var counts = try await source.sectionCounts(by: "strftime('%Y-%m', time)")
    /// ```
    ///
    /// Rows without a name (`NULL`) are in the section `""`. Collations are ignored. The filter of
    /// the request must neither join tables nor use `distinct()`.
    ///
    /// - Parameter section: the name of a row's section, as an SQL expression.
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(*n*): SQLite visits each row.
    public func sectionCounts(by section: SQL) async throws -> [String: Int] {
      try await sectionValues(of: "count(*)", by: section, uniquingKeysWith: +)
    }

    /// Returns a value that is computed from the rows of each section, by the section's name.
    ///
    /// Sections are those of `sectionCounts(by:)`. One whose value is `NULL` is left out.
    ///
    /// ```swift
    /// let strongest: [String: Double] = try await source.sectionValues(
    ///   of: "max(magnitude)", by: "strftime('%Y-%m', time)", uniquingKeysWith: max)
    /// ```
    ///
    /// - Parameters:
    ///   - reduction: an SQL expression with an aggregate function, such as `sum(price)`.
    ///   - section: the name of a row's section, as an SQL expression.
    ///   - combine: combines the values of two sections whose names are the same in Swift, but not
    ///     in SQLite: texts that differ only in how accents are encoded.
    /// - Throws: `SQLiteStoreError.value` if a value is not of the type, the errors of `page(_:)`,
    ///   and those of `combine`.
    /// - Complexity: that of `sectionCounts(by:)`.
    public func sectionValues<Value: DatabaseValueConvertible & Sendable>(
      of reduction: SQL, by section: SQL,
      uniquingKeysWith combine: @escaping @Sendable (Value, Value) throws -> Value
    ) async throws -> [String: Value] {
      try await read {
        try $0.sectionValues(of: reduction, by: section, uniquingKeysWith: combine)
      }
    }

    /// Returns a value that is computed from all rows of the request.
    ///
    /// It is `nil` if that is `NULL`, such as the sum of no rows. The filter of the request must
    /// neither join tables nor use `distinct()`.
    ///
    /// ```swift
    /// let largest: Double? = try await source.value(of: "max(magnitude)")
    /// ```
    ///
    /// - Parameter reduction: an SQL expression with an aggregate function, such as `sum(price)`.
    /// - Throws: `SQLiteStoreError.value` if the value is not of the type, and the errors of
    ///   `page(_:)`.
    /// - Complexity: O(*n*): SQLite visits each row, or its entry of an index. The least and the
    ///   greatest value of an index take O(log *n*).
    public func value<Value: DatabaseValueConvertible & Sendable>(
      of reduction: SQL
    ) async throws -> Value? {
      try await read { try $0.value(of: reduction) }
    }

    // MARK: - Jumps

    /// Returns the key of the page that begins with the row at an index.
    ///
    /// It is `nil` if there is no such row. A feed that starts at the key (`startingAt:`) reads in
    /// both directions.
    ///
    /// ```swift
    /// let middle = try await source.key(ofRowAt: source.count() / 2)
    /// ```
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(`index`): SQLite counts entries of the index, millions in a second.
    public func key(ofRowAt index: Int) async throws -> KeysetKey? {
      try await read { try $0.key(ofRowAt: index) }
    }

    /// Returns the key of the page that begins some rows further than another page.
    ///
    /// It is `nil` if there is no such row.
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(`count`): SQLite counts entries of the index, millions in a second.
    public func key(
      _ count: Int, rowsFrom key: KeysetKey?, before end: KeysetKey?
    ) async throws -> KeysetKey? {
      try await read { try $0.key(count, rowsFrom: key, before: end) }
    }

    /// Returns the key of the page that begins with the first row at some values or after them.
    ///
    /// It is `nil` if all rows are before the values.
    ///
    /// ```swift
    /// let may = try await source.key(at: [firstOfMay])
    /// ```
    ///
    /// - Parameter values: values for the columns of the order, followed by those of the primary
    ///   key. The last ones can be left out.
    /// - Throws: `SQLiteStoreError.nul` for a text that SQLite would cut, and the errors of
    ///   `page(_:)`.
    /// - Complexity: that of `page(_:)`.
    /// - Precondition: there are not more values than columns.
    public func key(at values: [(any DatabaseValueConvertible)?]) async throws -> KeysetKey? {
      let values = values.map { $0?.databaseValue ?? .null }
      return try await read { try $0.key(at: values) }
    }

    /// Returns the key of the page that begins with the row of an item.
    ///
    /// It is `nil` if the request has no such row.
    ///
    /// - Throws: `SQLiteStoreError.noKey` if the primary key is not a single column, and the errors
    ///   of `page(_:)`.
    /// - Complexity: O(log *n*)
    public func key(of id: Item.ID) async throws -> KeysetKey?
    where Item.ID: DatabaseValueConvertible {
      let id = id.databaseValue
      return try await read { try $0.key(of: id) }
    }

    /// Returns the number of rows above the position of a key.
    ///
    /// A feed that shows the rows from its head can then load those at the key:
    ///
    /// ```swift
    /// if let may = try await source.key(at: [firstOfMay]) {
    ///   try await quakes.load(rowAt: source.rowsAbove(may))
    /// }
    /// ```
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(rows above): SQLite counts entries of the index, millions in a second.
    public func rowsAbove(_ key: KeysetKey) async throws -> Int {
      try await read { try $0.count(inPage: key.isUpward ? key : key.opposite) }
    }

    // MARK: - Changes

    /// The number of rows of a window after which its answer is cut off.
    private var windowLimit: Int { 20 * windowSize }

    /// Returns the rows of some windows as they are now, or which of them have not changed.
    ///
    /// A window of more than 100 rows is divided into pages of 50. In a window of more than 1,000
    /// rows it stops there, so that the feed has a gap. It reads on the queue that writes.
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: one lookup and a few comparisons for each changed row if no change concerns
    ///   the windows; a few searches if a collation decides that. Otherwise O(rows) for each window
    ///   with a change, if an index has the columns in the source's order and the filter accepts
    ///   most rows.
    public func pages(
      in windows: [PageWindow<KeysetKey>]
    ) async throws -> [[Page<Item, KeysetKey>]] {
      guard let writer = database as? any DatabaseWriter else {
        return try await read { reader in
          try windows.map {
            try reader.pages(in: $0, ofSize: windowSize, limit: windowLimit)
          }
        }
      }
      return try await writer.writeWithoutTransaction { [self] db in
        try db.withSnapshot {
          try tracker.pages(in: windows, ofSize: windowSize, limit: windowLimit, db)
        }
      }
    }

    /// Returns an event after each commit that may have changed rows of the request.
    ///
    /// A feed that follows the events shows what the database has, in every part that is loaded:
    /// rows that change, move, enter or leave do so in one step for each stretch without a gap. A
    /// row that changes elsewhere is looked up, and its place compared, once for all feeds of this
    /// source.
    ///
    /// ```swift
    /// try await quakes.follow(source.changes())
    /// ```
    ///
    /// The events begin with the call, and last until their task is cancelled. Commits of one
    /// moment may be one event. A database that cannot be written, such as a snapshot, has none.
    ///
    /// - Parameters:
    ///   - interval: how often to check whether another process or connection wrote; `nil` if no
    ///     other one writes to the database. The limit is a hundred times a second.
    ///   - clock: the clock that measures the interval.
    public func changes(
      checkingEvery interval: Duration? = .seconds(1),
      clock: any Clock<Duration> = ContinuousClock()
    ) -> AsyncStream<FeedEvent<Item>> {
      AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        guard let writer = database as? any DatabaseWriter else { return continuation.finish() }
        let listener = tracker.add { continuation.yield($0) }
        let task = Task { @concurrent [tracker, file] in
          var wasThere = true
          while true {
            // If the table is missing, the next attempt may succeed.
            let checking: Void? = try? await writer.writeWithoutTransaction {
              try tracker.check($0)
            }
            let isThere = (try? file.check()) != nil
            if isThere != wasThere { continuation.yield(.invalidate) }
            wasThere = isThere
            if interval == nil, checking != nil { return }
            let pause = max(interval ?? .seconds(1), .milliseconds(10))
            guard (try? await clock.sleep(for: pause)) != nil else { return }
          }
        }
        continuation.onTermination = { [tracker] _ in
          tracker.remove(listener)
          task.cancel()
        }
      }
    }

    // MARK: - Reading

    /// Reads one state of the database.
    private func read<Value: Sendable>(
      _ value: @escaping @Sendable (KeysetReader<Item>) throws -> Value
    ) async throws -> Value {
      try await database.read { [reader] db in try value(reader(db, nil)) }
    }
  }
#endif
