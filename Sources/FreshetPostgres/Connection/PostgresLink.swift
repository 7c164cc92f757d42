#if Postgres
  /// The one connection of a store: opened when somebody needs it, and again when it was lost.
  actor PostgresLink {
    private let string: String
    private var current: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    private var table: PostgresTable?
    private var notes: PostgresNotes?

    init(_ string: String) { self.string = string }

    /// The connection, which everybody who asks meanwhile waits for.
    func connection() async throws -> PostgresConnection {
      if let current, current.loss == nil { return current }
      if let opening { return try await opening.value }
      // Who waits for it finds nothing of the connection before.
      let opening = Task {
        defer { self.opening = nil }
        let connection = try await PostgresConnection.open(string)
        (current, table, notes) = (connection, nil, nil)
        return connection
      }
      self.opening = opening
      return try await opening.value
    }

    /// The connection, and what it knows of a table.
    func connection(
      to name: String, key: String
    ) async throws -> (connection: PostgresConnection, table: PostgresTable) {
      let connection = try await connection()
      if let table { return (connection, table) }
      let table = try await PostgresTable(name, key: key, on: connection)
      if current === connection { self.table = table }
      return (connection, table)
    }

    /// The connection, and the notes that belong to a table.
    func connection(
      toNotesOf name: String
    ) async throws -> (connection: PostgresConnection, notes: PostgresNotes) {
      let connection = try await connection()
      if let notes { return (connection, notes) }
      guard let notes = try await PostgresNotes(of: name, on: connection) else {
        throw PostgresError.notes(reason: "there is none")
      }
      if current === connection { self.notes = notes }
      return (connection, notes)
    }

    /// The tables may be others by now.
    func forgetTable() { (table, notes) = (nil, nil) }
  }
#endif
