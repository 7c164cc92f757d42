#if Postgres
  internal import CLibPQ
  internal import Foundation

  /// Strings as C takes them, for as long as this lives.
  @unsafe final class CStrings {
    /// Pointers to the strings, and `nil` behind them.
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ strings: [String?]) {
      unsafe count = strings.count
      unsafe pointers = .allocate(capacity: count + 1)
      for (index, string) in strings.enumerated() {
        unsafe pointers[index] = unsafe string.flatMap { unsafe UnsafePointer(strdup($0)) }
      }
      unsafe pointers[count] = nil
    }

    deinit {
      for index in unsafe 0..<count { unsafe free(UnsafeMutablePointer(mutating: pointers[index])) }
      unsafe pointers.deallocate()
    }
  }

  /// What the library of PostgreSQL is asked for in more than one place.
  enum LibPQ {
    /// Connects, and waits for that.
    ///
    /// What is set before the string is a default for it, what comes behind wins over it.
    ///
    /// - Parameter overrides: what is to be so whatever the string says.
    static func connect(
      _ string: String, overriding overrides: [(String, String)] = []
    ) -> OpaquePointer? {
      let settings =
        [
          ("connect_timeout", "10"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
          ("keepalives_count", "3"), ("tcp_user_timeout", "30000"),
          ("fallback_application_name", "freshet"), ("dbname", string),
          ("client_encoding", "UTF8"),
        ] + overrides
      let names = unsafe CStrings(settings.map(\.0))
      let values = unsafe CStrings(settings.map(\.1))
      return unsafe withExtendedLifetime((names, values)) {
        unsafe PQconnectdbParams(names.pointers, values.pointers, 1)
      }
    }
  }

  /// What tells a server to stop the statement that it runs, from any thread.
  ///
  /// It asks by a connection of its own, to the same server and as safe as the first one:
  /// `PQcancel` speaks in clear whatever the string asks for, and waits for an address that is out
  /// of reach as long as the system does.
  struct Canceller: Sendable {
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
    init?(of connection: OpaquePointer?, _ string: String) {
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
      let result = unsafe PQexec(
        connection,
        "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()")
      defer { unsafe PQclear(result) }
      guard unsafe PQntuples(result) == 1 else { return nil }
      process = unsafe (
        String(cString: PQgetvalue(result, 0, 0)), String(cString: PQgetvalue(result, 0, 1))
      )
    }

    /// The server may be done by then, and out of reach: nobody waits for either.
    func cancel() {
      let overrides = server + [("connect_timeout", "5")]
      let connection = unsafe LibPQ.connect(string, overriding: overrides)
      unsafe PQclear(
        PQexec(
          connection,
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = \(process.number) AND backend_start = '\(process.start)'"
        ))
      unsafe PQfinish(connection)
    }
  }
#endif
