#if Postgres
  public import Freshet
  public import FreshetLists

  /// A source of the pages of a table of PostgreSQL, in any order of its columns.
  ///
  /// A feed over it shows a table of any size. It reads the pages near the reader, and with
  /// `maximumRows` it keeps only those in memory.
  ///
  /// ```swift
  /// let source = PostgresFeedSource(
  ///   store, sortedBy: [.descending("time")], where: "magnitude >= \(5)")
  /// let quakes = FeedController(source, configuration: FeedConfiguration(maximumRows: 500))
  /// ```
  ///
  /// Rows with equal values are sorted by their primary key, in the direction of the first column.
  /// The position of each row is therefore certain, and PostgreSQL alone compares values.
  ///
  /// A page begins at the values of the last row of the page before. PostgreSQL finds that place in
  /// an index on the columns, however many rows precede it. Without an index, each page reads the
  /// table.
  ///
  /// A source reads through the connection of its store. A feed that follows `changes()` shows each
  /// commit in every part that is loaded. Without that, the source needs no triggers: refresh the
  /// feed after a write, and it reads the loaded parts again, wherever they are. If all rows of the
  /// request fit in memory, the store also filters, sorts and sections them.
  ///
  /// A row that does not decode is left out, and the page's `invalidItem` gives the reason
  /// (rule S2).
  public struct PostgresFeedSource<Item: ListItem & Codable>: WindowedFeedSource,
    JumpableFeedSource
  where Item.ID: Encodable {
    private let store: PostgresStore<Item>
    private let tracker: WindowTracker<Item>
    /// The number of rows of a page, if a window is divided.
    var windowSize = 50

    /// Creates a source over the table of a store.
    ///
    /// - Parameters:
    ///   - store: the store, which has the connection; several sources can share it.
    ///   - columns: the columns to sort by; none of them sorts by the primary key.
    ///   - request: the condition for every row.
    public init(
      _ store: PostgresStore<Item>, sortedBy columns: [SortColumn],
      where request: PostgresRequest = .all
    ) {
      self.store = store
      tracker = WindowTracker(store) {
        let (connection, table) = try await store.link.connection(sortedBy: columns)
        return KeysetReader(request: request, table: table, connection: connection)
      }
    }

    /// Returns the page for a request.
    ///
    /// All of it is read from one state of the table. A page has at most 1,000 rows. The first one
    /// has the planner's estimate of the number of rows as its total, if there are more. A page
    /// whose key is from `key(ofRowAt:)` has it, too, and about how many rows are above it.
    ///
    /// - Throws: `FeedError.staleKey` for a key of another order: the feed then reads from its
    ///   head. Otherwise `PostgresError`, for example if the table, a column, a collation or the
    ///   primary key is missing.
    /// - Complexity: O(log *n* + rows of the page) if an index has the columns in this order and
    ///   the condition accepts most rows, otherwise O(*n*).
    @concurrent
    public func page(_ request: PageRequest<KeysetKey>) async throws -> Page<Item, KeysetKey> {
      let reader = try await reader()
      var page = try await reader.page(
        request.key, limit: min(max(1, request.limit), windowLimit))
      page.rowsAbove = request.rowsAbove
      if page.rowsAbove != nil, page.next != nil {
        page.total = (try? await reader.estimatedCount()).map { .estimated($0) }
      }
      return page
    }

    /// Returns the number of rows of the request.
    ///
    /// - Throws: `PostgresError`.
    /// - Complexity: O(*n*): PostgreSQL visits each row, or its entry of an index.
    public func count() async throws -> Int { try await reader().count() }

    /// Returns the approximate number of rows, which the server's planner expects.
    ///
    /// It is as good as the statistics that PostgreSQL last gathered of the table (`ANALYZE`), and
    /// zero rows are rounded up to one.
    ///
    /// - Throws: `PostgresError`.
    /// - Complexity: O(1): no row is read.
    public func estimatedCount() async throws -> Int { try await reader().estimatedCount() }

    // MARK: - Reductions

    /// Returns the number of rows in each section, by the section's name.
    ///
    /// None of the rows need be loaded, so headers of sections can show how many there are:
    ///
    /// ```swift
    /// var counts = try await source.sectionCounts(by: "to_char(time, 'YYYY-MM')")
    /// ```
    ///
    /// Rows without a name (`NULL`) are in the section `""`.
    ///
    /// - Parameter section: the name of a row's section, as an SQL expression. Values in it are
    ///   sent separately.
    /// - Throws: `PostgresError`.
    /// - Complexity: O(*n*): PostgreSQL visits each row.
    public func sectionCounts(by section: PostgresRequest) async throws -> [String: Int] {
      try await sectionValues(of: "pg_catalog.count(*)", by: section, uniquingKeysWith: +)
    }

    /// Returns a value that is computed from the rows of each section, by the section's name.
    ///
    /// Sections are those of `sectionCounts(by:)`. One whose value is `NULL` is left out.
    ///
    /// ```swift
    /// let strongest: [String: Double] = try await source.sectionValues(
    ///   of: "max(magnitude)", by: "to_char(time, 'YYYY-MM')", uniquingKeysWith: max)
    /// ```
    ///
    /// - Parameters:
    ///   - reduction: an SQL expression with an aggregate function, such as `sum(price)`. Values in
    ///     it are sent separately.
    ///   - section: the name of a row's section, as an SQL expression.
    ///   - combine: combines the values of two sections whose names are the same in Swift, but not
    ///     in PostgreSQL: texts that differ only in how accents are encoded.
    /// - Throws: `PostgresError`, also if a value is not of the type, and the errors of `combine`.
    /// - Complexity: O(*n*): PostgreSQL visits each row.
    public func sectionValues<Value: Decodable>(
      of reduction: PostgresRequest, by section: PostgresRequest,
      uniquingKeysWith combine: (Value, Value) throws -> Value
    ) async throws -> [String: Value] {
      let values: [(String, Value)] = try await reader().values(of: reduction, by: section)
      return try Dictionary(values, uniquingKeysWith: combine)
    }

    /// Returns a value that is computed from all rows of the request.
    ///
    /// It is `nil` if that is `NULL`, such as the sum of no rows.
    ///
    /// ```swift
    /// let largest: Double? = try await source.value(of: "max(magnitude)")
    /// ```
    ///
    /// - Parameter reduction: an SQL expression with an aggregate function, such as `sum(price)`.
    ///   Values in it are sent separately.
    /// - Throws: `PostgresError`, also if the value is not of the type.
    /// - Complexity: O(*n*): PostgreSQL visits each row. The least and the greatest value of an
    ///   index take O(log *n*).
    public func value<Value: Decodable>(of reduction: PostgresRequest) async throws -> Value? {
      let values: [(String, Value)] = try await reader().values(of: reduction, by: nil)
      return values.first?.1
    }

    // MARK: - Jumps

    /// Returns the key of the page that begins with the row at an index.
    ///
    /// It is `nil` if there is no such row. A feed that starts at the key (`startingAt:`) reads in
    /// both directions.
    ///
    /// ```swift
    /// let middle = try await source.key(ofRowAt: source.estimatedCount() / 2)
    /// ```
    ///
    /// - Throws: `PostgresError`.
    /// - Complexity: O(`index`): PostgreSQL counts entries of the index.
    public func key(ofRowAt index: Int) async throws -> KeysetKey? {
      if index < 0 { return nil }
      return try await reader().key(ofRowAt: index)
    }

    /// Returns the key of the page that begins some rows further than another page.
    ///
    /// It is `nil` if there is no such row.
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(`count`): PostgreSQL counts entries of the index.
    @concurrent
    public func key(
      _ count: Int, rowsFrom key: KeysetKey?, before end: KeysetKey?
    ) async throws -> KeysetKey? {
      try await reader().key(count, rowsFrom: key, before: end)
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
    ///   key. The last ones can be left out. They are written as an item's properties are.
    /// - Throws: `PostgresError`, for example for a value that its column cannot hold.
    /// - Complexity: that of `page(_:)`.
    /// - Precondition: there are not more values than columns.
    public func key(at values: [(any Encodable & Sendable)?]) async throws -> KeysetKey? {
      let values = try values.map { value in try value.flatMap { try ItemCoding.text(of: $0) } }
      return try await reader().key(at: values)
    }

    /// Returns the key of the page that begins with the row of an item.
    ///
    /// It is `nil` if the request has no such row.
    ///
    /// - Throws: `PostgresError.noKey` if the table has no column of the store's `key`, and the
    ///   other cases of `PostgresError`.
    /// - Complexity: O(log *n*)
    public func key(of id: Item.ID) async throws -> KeysetKey? {
      try await reader().key(of: store.json([[store.key: id]]), in: store.key)
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
    /// - Complexity: O(rows above): PostgreSQL counts entries of the index.
    public func rowsAbove(_ key: KeysetKey) async throws -> Int {
      try await reader().count(inPage: key.isUpward ? key : key.opposite)
    }

    // MARK: - Changes

    /// The number of rows of a window after which its answer is cut off.
    private var windowLimit: Int { 20 * windowSize }

    /// Returns the rows of some windows as they are now, or which of them have not changed.
    ///
    /// All of it is read from one state of the table. The server compares a digest of the rows of
    /// each window, and sends those that changed. A window of more than 100 rows is divided into
    /// pages of 50. In a window of more than 1,000 rows it stops there, so that the feed has a gap.
    ///
    /// - Throws: the errors of `page(_:)`.
    /// - Complexity: O(rows of the windows) on the server if an index has the columns in this order
    ///   and the condition accepts most rows, otherwise O(*n*). Only rows of windows that changed
    ///   are sent and decoded.
    @concurrent
    public func pages(
      in windows: [PageWindow<KeysetKey>]
    ) async throws -> [[Page<Item, KeysetKey>]] {
      if windows.isEmpty { return [] }
      return try await tracker.pages(in: windows, ofSize: windowSize, limit: windowLimit)
    }

    /// Returns an event after each commit that changed rows of the table.
    ///
    /// A feed that follows the events shows what the table has, in every part that is loaded: rows
    /// that change, move, enter or leave do so in one step for each stretch without a gap. It needs
    /// the triggers of the store: see `PostgresStore.install(creating:)`.
    ///
    /// One statement finds for all feeds of this source, and of its copies, which loaded parts a
    /// commit concerns. Only their feeds read them again.
    ///
    /// ```swift
    /// try await quakes.follow(source.changes())
    /// ```
    ///
    /// The events begin with the call, and last until their task is cancelled. Commits of one
    /// moment may be one event. When the connection is lost, it is opened again, and an event
    /// follows for what was missed. Changes that fire no triggers are not noticed, see
    /// `PostgresStore`.
    ///
    /// The sequence ends with a `PostgresError` if the table has no triggers or cannot be read, for
    /// example because the store was not installed. It does not end while the server is not reached
    /// or refuses the connection: the feed that follows it reads then, and shows the reason.
    public func changes() -> AsyncThrowingStream<FeedEvent<Item>, any Error> {
      tracker.changes(limit: windowLimit)
    }

    /// Prepares to read the table as it is now.
    private func reader() async throws -> KeysetReader<Item> { try await tracker.makeReader() }
  }
#endif
