#if Postgres
  /// The one connection of a store: opened when it is needed, and again when it was lost.
  ///
  /// While it is used, the server is asked now and then whether the table is what it was: nothing
  /// tells of a trigger that is dropped, of another definition, or that the network swallows all.
  actor PostgresLink {
    private let string: String
    private let name: String
    /// How often the server is asked, and how long it may be silent.
    private let interval: Duration
    private var watching: Task<Void, Never>?
    private var asking: Task<Void, Never>?
    private var current: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    private var table: PostgresTable?
    /// The table as it was found last, on any connection.
    private var known: PostgresTable?
    private var notes: PostgresNotes?

    init(_ string: String, table: String, checkingEvery interval: Duration) {
      (self.string, name, self.interval) = (string, table, max(interval, .milliseconds(10)))
    }

    deinit {
      watching?.cancel()
      asking?.cancel()
    }

    /// The connection, which everybody who asks meanwhile waits for.
    func connection() async throws -> PostgresConnection {
      if let current, current.loss == nil { return current }
      if let opening { return try await opening.value }
      // Who waits for it finds nothing of the connection before.
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

    /// The connection, and what it knows of a table.
    func connection(
      key: String
    ) async throws -> (connection: PostgresConnection, table: PostgresTable) {
      let connection = try await connection()
      return (connection, try await table(on: connection, key: key))
    }

    /// What a connection knows of the table.
    ///
    /// Whichever query or write finds that the table is another one or of no use, all queries
    /// compare their rows: `note(_:of:)` compares with what was found last, and would see no
    /// difference.
    func table(
      on connection: PostgresConnection, key: String
    ) async throws -> PostgresTable {
      if current === connection, let table { return table }
      let table: PostgresTable
      do {
        table = try await PostgresTable(name, key: key, known: known, on: connection)
      } catch let error as PostgresError where error.isAboutTable && known != nil {
        connection.tellAll()
        throw error
      }
      let isAnother = known.map { $0.version != table.version } ?? false
      known = table
      if current === connection { self.table = table }
      if isAnother { connection.tellAll() }
      return table
    }

    /// The connection, and the notes that belong to a table.
    func connectionToNotes() async throws -> (connection: PostgresConnection, notes: PostgresNotes)
    {
      let connection = try await connection()
      if let notes { return (connection, notes) }
      guard let notes = try await PostgresNotes(of: name, on: connection) else {
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

    /// Looks whether the connection serves; `false` once it is gone.
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

    /// If the table is another one, or the server does not say, all queries compare their rows.
    private func note(_ version: TableVersion?, of connection: PostgresConnection) {
      asking = nil
      // The table may be forgotten, and was known all the same.
      guard current === connection, let known, version != known.version else { return }
      forgetTable()
      connection.tellAll()
    }

    /// The tables may be others by now.
    func forgetTable() { (table, notes) = (nil, nil) }
  }
#endif
