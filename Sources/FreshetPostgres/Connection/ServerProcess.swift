#if Postgres
  internal import CLibPQ

  /// The server's process behind a connection: it can be asked to stop its statement, and whether
  /// it runs one, from any thread.
  ///
  /// It is reached by a connection of its own, to the same server and as safe as the first one:
  /// `PQcancel` speaks in clear whatever the string asks for, and waits for an address that is out
  /// of reach as long as the system does.
  struct ServerProcess: Sendable {
    private let string: String
    private let server: [(String, String)]
    /// Which of the server's processes runs the statements: by its number and, as another one may
    /// have that by then, since when it runs.
    private let process: (number: String, start: String)

    /// Asks which process a connection speaks with; `nil` where the server does not say.
    ///
    /// - Parameters:
    ///   - connection: one that stands.
    ///   - string: what it was made of.
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
      // A pooler in between has numbers of its own: the server is asked for its.
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

    /// Tells it to stop its statement.
    ///
    /// It may have ended by then, or the server may be out of reach: neither is an error.
    func cancel() {
      _ = ask("pg_catalog.pg_cancel_backend(pid)::pg_catalog.text", within: .seconds(5))
    }

    /// Whether it runs a statement; a server that refuses to say may.
    ///
    /// - Parameter limit: how long the server may take, once it is reached.
    func isRunning(within limit: Duration) -> Bool {
      switch ask("state", within: limit) {
      case .success(let state): state == "active"
      case .failure(.statement): true
      case .failure(let error): "\(error)".contains("FATAL")
      }
    }

    /// Asks for something about it; `nil` where it is gone.
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
