#if Postgres
  internal import CLibPQ
  internal import Foundation

  /// C copies of strings, which exist as long as this object.
  @unsafe final class CStrings {
    /// The pointers to the strings, followed by `nil`.
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

  /// The calls of libpq that are needed in more than one place.
  enum LibPQ {
    /// Connects, and waits for the result.
    ///
    /// Settings before the string are defaults for it, and settings after it override it.
    ///
    /// - Parameter overrides: the settings that apply whatever the string contains.
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

    /// Runs a statement, and waits for the server for a limited time.
    ///
    /// - Returns: its result, which may be an error of the server.
    /// - Throws: `PostgresError.connection` if there is no result; the connection is unusable then.
    static func run(
      _ sql: String, on connection: OpaquePointer?, within limit: Duration
    ) throws(PostgresError) -> OpaquePointer? {
      var result: OpaquePointer?
      do throws(PostgresError) {
        guard unsafe PQsendQuery(connection, sql) == 1 else { throw unsafe failure(connection) }
        let end = ContinuousClock.now + limit
        while true {
          try unsafe waitForInput(connection, until: end)
          guard let next = unsafe PQgetResult(connection) else { return unsafe result }
          unsafe PQclear(result)
          unsafe result = next
        }
      } catch {
        // The server's last message before it closed the connection explains more.
        if unsafe PQstatus(connection) != CONNECTION_OK, unsafe result != nil {
          return unsafe result
        }
        unsafe PQclear(result)
        throw error
      }
    }

    /// Returns the reason why a connection is unusable.
    static func failure(_ connection: OpaquePointer?) -> PostgresError {
      .connection(reason: unsafe message(of: connection))
    }

    /// Returns libpq's message about a connection, in one line.
    static func message(of connection: OpaquePointer?) -> String {
      let text = unsafe String(cString: PQerrorMessage(connection))
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let first = lines.first else { return "the server closed it" }
      // Some lines continue the sentence of the line before.
      return lines.dropFirst().reduce(first) { text, line in
        text + (line.first?.isLowercase == true ? " " : ". ") + line
      }
    }

    /// Waits until the next result can be taken.
    private static func waitForInput(
      _ connection: OpaquePointer?, until end: ContinuousClock.Instant
    ) throws(PostgresError) {
      while unsafe PQisBusy(connection) == 1 {
        let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        guard rest > 0 else { throw .connection(reason: "the server did not answer") }
        var source = pollfd(fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // Less than a millisecond must not become zero. A signal may end the wait early.
        _ = unsafe poll(&source, 1, Int32(min(rest.rounded(.up), Double(Int32.max))))
        if source.revents != 0, unsafe PQconsumeInput(connection) == 0 {
          throw unsafe failure(connection)
        }
      }
    }
  }
#endif
