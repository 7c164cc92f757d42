#if Postgres
  internal import CLibPQ

  /// The server process of a connection.
  ///
  /// It can be asked from any thread to stop its statement, and whether it runs one.
  ///
  /// It is reached through a separate connection to the same server, which is as secure as the
  /// first one. `PQcancel` is unencrypted whatever the string requires, and waits for an
  /// unreachable address as long as the system does.
  struct ServerProcess: Sendable {
    private let string: String
    private let server: [(String, String)]
    /// The process that runs the statements, by its number and its start time.
    ///
    /// The start time is needed because another process may have the same number later.
    private let process: (number: String, start: String)

    /// Finds the process of a connection; `nil` if the server does not report it.
    ///
    /// - Parameters:
    ///   - connection: an open connection.
    ///   - string: the string with which it was made.
    ///   - limit: how long the server may take.
    /// - Throws: `PostgresError.connection` if it does not answer in time.
    init?(
      of connection: OpaquePointer?, _ string: String, within limit: Duration
    ) throws(PostgresError) {
      self.string = string
      let places = unsafe [
        ("host", PQhost(connection)), ("hostaddr", PQhostaddr(connection)),
        ("port", PQport(connection)),
      ]
      server = unsafe places.compactMap { name, place in
        let text = unsafe place.map { unsafe String(cString: $0) } ?? ""
        return text.isEmpty ? nil : (name, text)
      }
      // A pooler in between has its own numbers, so the server is asked for its number.
      let result = try unsafe LibPQ.run(
        """
        SELECT pid, backend_start FROM pg_catalog.pg_stat_activity
        WHERE pid = pg_catalog.pg_backend_pid()
        """, on: connection, within: limit)
      defer { unsafe PQclear(result) }
      guard unsafe PQntuples(result) == 1 else { return nil }
      process = unsafe (
        String(cString: PQgetvalue(result, 0, 0)), String(cString: PQgetvalue(result, 0, 1))
      )
    }

    /// Requests that the process stop its statement.
    ///
    /// The statement may have ended by then, or the server may be unreachable. Neither is an error.
    func cancel() {
      _ = ask("pg_catalog.pg_cancel_backend(pid)::pg_catalog.text", within: .seconds(5))
    }

    /// Returns whether the process runs a statement; `true` if the server refuses to answer.
    ///
    /// - Parameter limit: how long the server may take, once it is reached.
    func isRunning(within limit: Duration) -> Bool {
      switch ask("state", within: limit) {
      case .success(let state): state == "active"
      case .failure(.statement): true
      case .failure(let error): "\(error)".contains("FATAL")
      }
    }

    /// Evaluates an expression about the process, or returns `nil` if the process is gone.
    private func ask(
      _ what: String, within limit: Duration
    ) -> Result<String?, PostgresError> {
      let overrides = server + [("connect_timeout", "5")]
      let connection = unsafe LibPQ.connect(string, overriding: overrides)
      defer { unsafe PQfinish(connection) }
      guard unsafe PQstatus(connection) == CONNECTION_OK else {
        return .failure(unsafe LibPQ.failure(connection))
      }
      do throws(PostgresError) {
        let result = try unsafe LibPQ.run(
          """
          SELECT \(what) FROM pg_catalog.pg_stat_activity
          WHERE pid = \(process.number) AND backend_start = '\(process.start)'
          """, on: connection, within: limit)
        defer { unsafe PQclear(result) }
        guard unsafe PQresultStatus(result) == PGRES_TUPLES_OK else {
          let reason = unsafe String(cString: PQresultErrorMessage(result))
          return .failure(.statement(sqlState: "", reason: reason))
        }
        guard unsafe PQntuples(result) == 1, unsafe PQgetisnull(result, 0, 0) == 0 else {
          return .success(nil)
        }
        return .success(unsafe String(cString: PQgetvalue(result, 0, 0)))
      } catch {
        return .failure(error)
      }
    }
  }
#endif
