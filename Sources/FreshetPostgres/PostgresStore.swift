#if Postgres
  internal import Foundation
  public import Freshet
  public import FreshetLists

  /// A store over a PostgreSQL table that any number of processes and machines read and write.
  ///
  /// The items are `Codable`, and their coding keys are the names of columns. A query reads the
  /// rows page by page, and then receives the changes that any statement on the table makes.
  /// Triggers notify of changed rows, and the query looks these rows up. When the connection is
  /// lost, it is opened again, and each row that changed meanwhile is reported once. Until then,
  /// the results' `interruption` gives the reason why they may be out of date.
  ///
  /// ```swift
  /// let store = PostgresStore(
  ///   "postgres://app@db.example.com/quakes?sslmode=verify-full", table: "quakes", of: Quake.self)
  /// try await store.install()  // once, as the table's owner
  /// let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
  /// await results.fetch("magnitude >= \(5)")
  /// ```
  ///
  /// While a query runs, the store checks every ten seconds whether the server answers and whether
  /// the table is unchanged. Within that time it notices another definition, partition or row
  /// policy, a disabled trigger, and revoked rights. It notices a network that drops everything
  /// within 40 seconds. A standby that replaces the server counts as another server: all rows are
  /// read again.
  ///
  /// Changes that fire no triggers on the table are not noticed until the next fetch. These are
  /// statements on a single partition of it, logical replication, and `session_replication_role =
  /// replica`.
  ///
  /// A store has one connection, opened when it is needed. It needs a server or a pool that keeps
  /// sessions: `LISTEN` does not work through a pool that assigns connections by transaction.
  public final class PostgresStore<Item: ListItem & Codable>: WritableDataStore
  where Item.ID: Encodable {
    /// A request for the rows of a query.
    public typealias Request = PostgresRequest

    let table: String
    let key: String
    let link: ReconnectingConnection
    private let unverified = PendingLookups<Item.ID>()
    let transactions = FeedTransactions<Item>()
    private let clock: any Clock<Duration>

    /// Creates a store, which does nothing until it is used.
    ///
    /// - Parameters:
    ///   - connection: a connection string or URI, as libpq documents them; it also determines the
    ///     use of TLS (`sslmode`, `sslrootcert`, …).
    ///   - table: the name of the table, with its schema if that is needed.
    ///   - type: the items' type.
    ///   - key: the column that holds the items' ids: the primary key, or a unique one.
    ///   - interval: how often to check, while the store is used, whether the server answers and
    ///     the table is unchanged. It is also how long the server may be silent before that is
    ///     investigated.
    ///   - clock: the clock that measures the pauses between attempts to connect again, and those
    ///     in which commits become one event.
    public init(
      _ connection: String, table: String, of type: Item.Type = Item.self, key: String = "id",
      checkingEvery interval: Duration = .seconds(10),
      clock: any Clock<Duration> = ContinuousClock()
    ) {
      self.table = table
      self.key = key
      self.clock = clock
      link = ReconnectingConnection(connection, table: table, checkingEvery: interval)
    }

    /// Enqueues the rows, and then changes until the task is cancelled.
    ///
    /// A row that does not decode is left out until it does, and the results' `invalidItem` gives
    /// the reason (rule S2).
    ///
    /// - Throws: `PostgresError` for a request that is not possible. After all rows were loaded, a
    ///   problem is an `interruption` until it is solved.
    public func execute(_ query: DataStoreQuery<Item, PostgresRequest>) async throws {
      var (reader, progress) = (TableReader(query, transactions), Progress())
      let number = unverified.join()
      defer { unverified.leave(number) }
      while true {
        do {
          try await listen(for: query, &reader, &progress, number)
        } catch is TableAltered {
          // The definition of the table is read again, and with it all rows.
          try Task.checkCancellation()
          await link.forgetTable()
        } catch let error as PostgresError where progress.survives(error) {
          try Task.checkCancellation()
          // An error is reported once, however often the attempt is repeated.
          if query.interruption as? PostgresError != error { query.interruption = error }
          await link.forgetTable()
          try await clock.sleep(for: Self.pause(before: progress.attempts))
          progress.attempts += 1
        }
      }
    }

    /// The progress of a query.
    private struct Progress {
      var hasBegun = false
      var hasLoaded = false
      /// The number of attempts since it last worked.
      var attempts = 0

      /// Returns whether the query continues after an error.
      func survives(_ error: PostgresError) -> Bool {
        hasLoaded ? error.mayPass : hasBegun && error.isTransient
      }
    }

    /// The time in which commits become one event.
    private static var pauseBetweenEvents: Duration { .milliseconds(50) }

    /// Returns an event after each commit that changed rows of the table.
    func changes() -> AsyncThrowingStream<FeedEvent<Item>, any Error> {
      AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
        let task = Task { @concurrent [self] in
          var progress = Progress(hasBegun: true)
          while true {
            do {
              try await listen(&progress) { continuation.yield(.invalidate) }
            } catch let error as PostgresError
              where !error.isAboutTriggers && progress.survives(error)
            {
              // The feed reads, and shows the reason.
              if progress.attempts == 0 { continuation.yield(.invalidate) }
              await link.forgetTable()
              do { try await clock.sleep(for: Self.pause(before: progress.attempts)) } catch {
                return continuation.finish()
              }
              progress.attempts += 1
            } catch {
              return continuation.finish(throwing: Task.isCancelled ? nil : error)
            }
          }
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    /// Calls a closure at first and after each change, until the table notifies another channel.
    ///
    /// - Throws: `PostgresError` if the connection is lost.
    private func listen(_ progress: inout Progress, _ notify: () -> Void) async throws {
      let (connection, found) = try await link.connection(key: key)
      let (listener, changes) = try await connection.listen(to: found.channel)
      defer { connection.unlisten(listener) }
      // Changes from here on are notified, and the table may have changed before.
      guard try await link.table(on: connection, key: key).channel == found.channel else { return }
      (progress.hasLoaded, progress.attempts) = (true, 0)
      repeat {
        _ = changes.take()
        notify()
        try await clock.sleep(for: Self.pauseBetweenEvents)
        // A table that was dropped and created again notifies another channel.
        guard try await link.table(on: connection, key: key).channel == found.channel else {
          return
        }
      } while await changes.wait()
      try Task.checkCancellation()
      throw connection.loss ?? .lost(reason: "the server closed it")
    }

    /// Enqueues the rows and changes, until the table notifies another channel.
    ///
    /// - Parameter number: the query's number among those that look up unverified writes.
    /// - Throws: `PostgresError` if the connection is lost, `TableAltered`.
    private func listen(
      for query: DataStoreQuery<Item, PostgresRequest>, _ reader: inout TableReader<Item>,
      _ progress: inout Progress, _ number: Int
    ) async throws {
      let (connection, found) = try await link.connection(key: key)
      let (listener, changes) = try await connection.listen(to: found.channel)
      defer { connection.unlisten(listener) }
      unverified.wake(number, by: changes)
      // Changes from here on are notified, and the table may have changed before.
      let table = try await link.table(on: connection, key: key)
      guard table.channel == found.channel else { return }
      reader.note(unverified.take(number))
      if progress.hasBegun {
        try await reader.catchUp(table, connection)
      } else {
        progress.hasBegun = true
        try await reader.load(table, connection)
      }
      (progress.hasLoaded, progress.attempts) = (true, 0)
      if query.interruption != nil { query.interruption = nil }
      query.finishInitialResults()
      while await changes.wait() {
        reader.note(unverified.take(number))
        let keys = changes.take()
        let table = try await link.table(on: connection, key: key)
        // A table that was dropped and created again notifies another channel.
        guard table.channel == found.channel else { return }
        try await reader.follow(keys, table, connection)
      }
      try Task.checkCancellation()
      throw connection.loss ?? .lost(reason: "the server closed it")
    }

    /// Saves and deletes rows in one statement.
    ///
    /// Columns that the item's type does not name keep their values, or get their defaults.
    ///
    /// - Throws: `PostgresError`; after `lost` it is unknown whether the changes were made.
    public func write(_ changes: ChangeBatch<Item>) async throws {
      guard !changes.isEmpty else { return }
      try await write(changes, of: nil, noteArguments: [])
    }

    // Encoding takes time, so it does not run on the caller's actor.
    @concurrent
    func write(
      _ changes: ChangeBatch<Item>, of feed: String?, noteArguments: [String]
    ) async throws {
      let (connection, table) = try await link.connection(key: key)
      let notes = feed == nil ? nil : try await link.connectionToNotes().notes
      let items = changes.upserted
      var columns: Set<String> = [key]
      for item in items { columns.formUnion(try ColumnNames.of(item)) }
      if let column = columns.subtracting(table.columns).min() {
        await link.forgetTable()
        throw PostgresError.noColumn(column, table: self.table)
      }
      do {
        try await connection.run(
          table.write(columns, with: notes),
          [try json(items), try json(changes.deleted.map { [key: $0] })] + noteArguments
        ) { [transactions] result in
          guard let feed else { return }
          switch result {
          case .success(let rows):
            guard let number = rows.first?.first ?? nil else { return }
            transactions.add(number, of: feed, writing: items, on: table.version.server)
          case .failure(.lost): transactions.addLost(of: feed, writing: items)
          case .failure: break
          }
        }
      } catch {
        await link.forgetTable()
        // JSON escapes the character, so it reaches the server.
        if case PostgresError.statement("22P05", _) = error { throw PostgresError.nul }
        throw error
      }
      // No draft shows what a feed wrote, so notifications suffice.
      guard feed == nil, !unverified.isEmpty else { return }
      unverified.add(try keys(of: items.map(\.id) + changes.deleted))
    }

    /// Returns the texts of the items' keys; none if the keys are arrays or objects.
    private func keys(of ids: [Item.ID]) throws -> PendingLookups<Item.ID>.Keys {
      let array = try json(ids)
      var texts = (try? JSONDecoder().decode([BinaryText].self, from: Data(array.utf8))) ?? []
      if texts.isEmpty, !array.hasPrefix("[["), !array.hasPrefix("[{") {
        // Numbers contain no commas.
        texts = array.dropFirst().dropLast().split(separator: ",").map { BinaryText(String($0)) }
      }
      return Dictionary(zip(ids, texts)) { $1 }
    }

    func json(_ value: some Encodable) throws -> String {
      String(decoding: try ItemCoding.encoder.encode(value), as: UTF8.self)
    }

    /// Returns the pause before connecting again.
    ///
    /// It is a tenth of a second, then twice as long each time, up to five seconds.
    private static func pause(before attempt: Int) -> Duration {
      .milliseconds(min(5_000, 100 << min(attempt, 6)))
    }
  }
#endif
