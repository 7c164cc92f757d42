#if Postgres
  /// The one connection of a store: opened when somebody needs it, and again when it was lost.
  actor PostgresLink {
    private let string: String
    private var current: PostgresConnection?
    private var opening: Task<PostgresConnection, any Error>?
    private var table: PostgresTable?

    init(_ string: String) { self.string = string }

    /// The connection, which everybody who asks meanwhile waits for.
    func connection() async throws -> PostgresConnection {
      if let current, current.loss == nil { return current }
      if let opening { return try await opening.value }
      let opening = Task { [string] in try await PostgresConnection.open(string) }
      self.opening = opening
      defer { self.opening = nil }
      let connection = try await opening.value
      (current, table) = (connection, nil)
      return connection
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

    /// The table may be another by now.
    func forgetTable() { table = nil }
  }
#endif
