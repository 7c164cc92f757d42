#if Postgres
  internal import Freshet

  /// The one connection of a store: opened when it is needed, and again after it was lost.
  ///
  /// While it is used, the server is asked from time to time whether the table is unchanged. There
  /// is no notification of a dropped trigger, of another definition, or of a network that drops
  /// everything.
  actor ReconnectingConnection {
    private let string: String
    private let name: String
    /// The interval at which the server is asked, which is also how long it may be silent.
    private let interval: Duration
    private var watching: Task<Void, Never>?
    private var asking: Task<Void, Never>?
    private var current: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    private var table: PostgresTable?
    /// The table as it was last found, on any connection.
    private var known: PostgresTable?
    /// The identity of the table, as it was last found for any purpose.
    private var identity: TableIdentity?
    private var notes: PostgresNotesTable?

    init(_ string: String, table: String, checkingEvery interval: Duration) {
      (self.string, name, self.interval) = (string, table, max(interval, .milliseconds(10)))
    }

    deinit {
      watching?.cancel()
      asking?.cancel()
    }

    /// Returns the connection; all concurrent callers wait for the same one.
    func connection() async throws -> PostgresConnection {
      if let current, current.loss == nil { return current }
      if let opening { return try await opening.value }
      // Callers that wait for this task find no state of the previous connection.
      let opening = Task {
        defer { self.opening = nil }
        let connection = try await PostgresConnection.open(string)
        (current, table, notes) = (connection, nil, nil)
        watch()
        return connection
      }
      self.opening = opening
      return try await opening.value
    }

    /// Returns the connection, and the table as it is known there.
    func connection(
      key: String
    ) async throws -> (connection: PostgresConnection, table: PostgresTable) {
      let connection = try await connection()
      return (connection, try await table(on: connection, key: key))
    }

    /// Returns the table as it is known on a connection.
    ///
    /// A query or a write may find that the table changed or cannot be used. All queries then
    /// compare their rows: `note(_:of:)` compares with the table that was found last, and would see
    /// no difference.
    func table(
      on connection: PostgresConnection, key: String
    ) async throws -> PostgresTable {
      if current === connection, let table { return table }
      let table: PostgresTable
      do {
        table = try await PostgresTable(name, key: key, known: identity, on: connection)
      } catch let error as PostgresError where error.isAboutTable && known != nil {
        connection.tellAll()
        throw error
      }
      let isAnother = known.map { $0.version != table.version } ?? false
      (known, identity) = (table, table.identity)
      if current === connection { self.table = table }
      if isAnother { connection.tellAll() }
      return table
    }

    /// Returns the connection, and the table as it can be read in an order now.
    func connection(
      sortedBy columns: [SortColumn]
    ) async throws -> (connection: PostgresConnection, table: KeysetTable) {
      let connection = try await connection()
      let table = try await KeysetTable(
        name, sortedBy: columns, known: identity, on: connection)
      identity = table.identity
      return (connection, table)
    }

    /// Returns the connection, and the notes that belong to the table.
    func connectionToNotes() async throws -> (
      connection: PostgresConnection, notes: PostgresNotesTable
    ) {
      let connection = try await connection()
      if let notes { return (connection, notes) }
      guard let notes = try await PostgresNotesTable(of: name, on: connection) else {
        throw PostgresError.notes(reason: "there is none")
      }
      if current === connection { self.notes = notes }
      return (connection, notes)
    }

    // MARK: - Watching

    private func watch() {
      watching?.cancel()
      watching = Task { [weak self, interval] in
        while (try? await Task.sleep(for: interval)) != nil, await self?.look() == true {}
      }
    }

    /// Checks whether the connection works; returns `false` once it is gone.
    private func look() async -> Bool {
      guard let current, current.loss == nil else { return false }
      guard current.isInUse else { return true }
      if asking == nil {
        asking = Task { [weak self, name = known?.name ?? name] in
          let version = try? await TableVersion(name, on: current)
          await self?.note(version, of: current)
        }
      }
      await current.giveUpIfSilent(for: interval)
      return true
    }

    /// Makes all queries compare their rows if the table changed or the server does not answer.
    private func note(_ version: TableVersion?, of connection: PostgresConnection) {
      asking = nil
      // `table` may have been cleared, so the comparison is with `known`.
      guard current === connection, let known, version != known.version else { return }
      forgetTable()
      connection.tellAll()
    }

    /// Clears what is known of the tables, which may have changed.
    func forgetTable() { (table, notes) = (nil, nil) }
  }
#endif
