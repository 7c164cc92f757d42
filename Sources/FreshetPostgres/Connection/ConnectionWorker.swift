#if Postgres
  internal import CLibPQ
  internal import Foundation
  internal import Freshet

  /// The work on the thread of a connection, which alone uses libpq's connection.
  struct ConnectionWorker {
    private let shared: SharedConnection

    init(_ shared: SharedConnection) { self.shared = shared }

    /// Connects, reports the result, and works until the connection is closed or lost.
    ///
    /// - Parameter limit: how long the server may take to answer once it is reached.
    func run(
      _ string: String, answeredWithin limit: Duration, connected: (PostgresError?) -> Void
    ) {
      let connection = unsafe LibPQ.connect(string)
      defer { unsafe PQfinish(connection) }
      guard unsafe PQstatus(connection) == CONNECTION_OK else {
        return connected(unsafe LibPQ.failure(connection))
      }
      // The server's notices do not belong in the terminal of a program that uses the library.
      _ = unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
      do throws(PostgresError) {
        let process = try unsafe ServerProcess(of: connection, string, within: limit)
        shared.state.withLock { $0.process = process }
      } catch {
        return connected(error)
      }
      shared.state.withLock { $0.socket = unsafe PQsocket(connection) }
      connected(nil)
      var failure: PostgresError?
      while failure == nil, unsafe wait(connection) {
        failure = unsafe perform(connection)
      }
      end(failure ?? .connection(reason: "it was closed"))
    }

    /// Waits until the server sends something or a statement is enqueued.
    ///
    /// It returns `false` once the connection is to be closed.
    private func wait(_ connection: OpaquePointer?) -> Bool {
      var sources = [
        pollfd(fd: unsafe PQsocket(connection), events: Int16(POLLIN), revents: 0),
        pollfd(fd: shared.sleeper, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&sources, 2, -1)
      var bytes = [UInt8](repeating: 0, count: 64)
      while unsafe read(shared.sleeper, &bytes, bytes.count) > 0 {}
      return !shared.state.withLock { $0.isClosing }
    }

    /// Runs enqueued statements and forwards notifications.
    ///
    /// It returns an error if the connection is lost.
    private func perform(_ connection: OpaquePointer?) -> PostgresError? {
      guard unsafe PQconsumeInput(connection) == 1 else {
        return .lost(reason: unsafe LibPQ.message(of: connection))
      }
      unsafe handOn(connection)
      while let statement = shared.state.withLock({ $0.begin() }) {
        let result = unsafe Self.run(statement, connection)
        shared.state.withLock { $0.running = nil }
        unsafe handOn(connection)
        let isLost = unsafe PQstatus(connection) != CONNECTION_OK
        if isLost, case .failure(let error) = result {
          // The loss is recorded before the statement fails: the next one opens another connection.
          let loss = shared.state.withLock { state in
            let loss = PostgresError.lost(reason: state.silence ?? error.text)
            state.loss = loss
            return loss
          }
          statement.completion(.failure(loss))
          return loss
        }
        statement.completion(result)
      }
      return nil
    }

    private func handOn(_ connection: OpaquePointer?) {
      while let notification = unsafe PQnotifies(connection) {
        let channel = unsafe String(cString: notification.pointee.relname)
        let payload = unsafe String(cString: notification.pointee.extra)
        unsafe PQfreemem(notification)
        let listeners = shared.state.withLock { $0.listeners.values.map { $0 } }
        for listener in listeners where listener.channel == channel {
          listener.keys.add(payload)
        }
      }
    }

    private func end(_ loss: PostgresError) {
      let (loss, statements, listeners) = shared.state.withLock { state in
        let loss = state.silence.map { .lost(reason: $0) } ?? loss
        (state.loss, state.process, state.socket) = (loss, nil, nil)
        defer { (state.statements, state.listeners) = ([], [:]) }
        return (loss, state.statements, state.listeners.values.map(\.keys))
      }
      for statement in statements { statement.completion(.failure(loss)) }
      for keys in listeners { keys.finish() }
    }

    // MARK: - libpq

    private static func run(
      _ statement: PostgresStatement, _ connection: OpaquePointer?
    ) -> Result<PostgresConnection.Rows, PostgresError> {
      let result: OpaquePointer?
      if statement.arguments.isEmpty {
        unsafe result = PQexec(connection, statement.sql)
      } else {
        let values = unsafe CStrings(statement.arguments)
        unsafe result = withExtendedLifetime(values) {
          unsafe PQexecParams(
            connection, statement.sql, Int32(statement.arguments.count), nil, values.pointers,
            nil, nil, 0)
        }
      }
      defer { unsafe PQclear(result) }
      let status = unsafe PQresultStatus(result)
      guard status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
        let sqlState = unsafe field("C", of: result) ?? "08000"
        let message = unsafe field("M", of: result) ?? LibPQ.message(of: connection)
        // For rows that break a rule, the details show their whole contents.
        let isAboutRows = sqlState.hasPrefix("22") || sqlState.hasPrefix("23")
        let more = [
          isAboutRows ? nil : unsafe field("D", of: result), unsafe field("H", of: result),
        ]
        return .failure(
          .statement(
            sqlState: sqlState,
            reason: ([message] + more).compactMap { $0 }.joined(separator: ". ")))
      }
      let (rows, columns) = unsafe (PQntuples(result), PQnfields(result))
      return .success(
        (0..<rows).map { row in
          (0..<columns).map { column in
            unsafe PQgetisnull(result, row, column) == 1
              ? nil : unsafe String(cString: PQgetvalue(result, row, column))
          }
        })
    }

    /// Returns a part of an error, by its letter in the protocol.
    private static func field(_ letter: Unicode.Scalar, of result: OpaquePointer?) -> String? {
      unsafe PQresultErrorField(result, Int32(letter.value)).map { unsafe String(cString: $0) }
    }
  }

  extension PostgresError {
    /// The reason without further text.
    fileprivate var text: String {
      switch self {
      case .connection(let reason), .lost(let reason), .statement(_, let reason): reason
      default: description
      }
    }
  }
#endif
