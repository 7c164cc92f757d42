#if Postgres
  internal import CLibPQ
  internal import Foundation
  internal import Freshet

  /// A connection to a server, on a thread of its own: statements run one after the other, and what
  /// the server says between them is heard at once.
  ///
  /// libpq waits for the network; only that thread waits with it. The thread ends with the
  /// connection, whether it is closed or lost.
  final class PostgresConnection: Sendable {
    typealias Rows = [[String?]]

    private struct Statement: Sendable {
      let number: Int
      let sql: String
      let arguments: [String?]
      let completion: @Sendable (Result<Rows, PostgresError>) -> Void
    }

    private struct State {
      var statements: [Statement] = []
      var lastStatement = 0
      /// The statement that the server runs now.
      var running: Int?
      /// Whether the server is being told to stop that: no other one begins meanwhile.
      var isCancelling = false
      var canceller: Canceller?
      var socket: Int32?
      var listeners: [Int: (channel: String, keys: ChangedKeys)] = [:]
      var lastListener = 0
      var loss: PostgresError?
      var isClosing = false

      /// The next statement, which runs now; `nil` where there is none, or the server is still
      /// being told to stop the one before.
      mutating func begin() -> Statement? {
        guard !isCancelling, !statements.isEmpty else { return nil }
        running = statements[0].number
        return statements.removeFirst()
      }
    }

    /// What the thread and the connection share.
    private final class Shared: Sendable {
      let state = Locked(State())
      /// A pipe: a byte in it says that there is something to do.
      let (sleeper, waker): (Int32, Int32)

      init() throws(PostgresError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
          throw .connection(reason: unsafe String(cString: strerror(errno)))
        }
        (sleeper, waker) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
      }

      deinit {
        close(sleeper)
        close(waker)
      }

      /// Nobody waits for a statement any more: it does not begin, or the server is told to stop.
      func cancel(_ number: Int) {
        let canceller = state.withLock { state -> Canceller? in
          state.statements.removeAll { $0.number == number }
          guard state.running == number, !state.isCancelling else { return nil }
          state.isCancelling = state.canceller != nil
          return state.canceller
        }
        guard let canceller else { return }
        // It connects to the server, and waits for that.
        Thread.detachNewThread { [self] in
          stop(number, canceller)
          state.withLock { $0.isCancelling = false }
          wake()
        }
      }

      /// Cancels a statement until it has ended: a cancel request that overtakes the statement has
      /// no effect.
      ///
      /// A connection whose statement does not end is given up.
      private func stop(_ number: Int, _ canceller: Canceller) {
        func isRunning() -> Bool { state.withLock { $0.running == number } }
        for attempt in 0..<10 {
          canceller.cancel()
          guard isRunning() else { return }
          Thread.sleep(forTimeInterval: min(0.01 * Double(1 << attempt), 1))
          guard isRunning() else { return }
        }
        state.withLock { state in
          if state.running == number, let socket = state.socket {
            _ = shutdown(socket, Int32(SHUT_RDWR))
          }
        }
      }

      func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(waker, &byte, 1)
      }
    }

    private let shared: Shared

    private init(_ shared: Shared) { self.shared = shared }

    deinit {
      shared.state.withLock { $0.isClosing = true }
      shared.wake()
    }

    // MARK: - For everybody

    /// Connects.
    ///
    /// - Parameter string: a connection string or URI, as libpq documents them, TLS included.
    static func open(_ string: String) async throws(PostgresError) -> PostgresConnection {
      guard !string.utf8.contains(0) else { throw .nul }
      let shared = try Shared()
      let failure = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          Worker(shared).run(string) { continuation.resume(returning: $0) }
        }
      }
      if let failure { throw failure }
      return PostgresConnection(shared)
    }

    /// Why the connection is gone, if it is.
    var loss: PostgresError? { shared.state.withLock { $0.loss } }

    /// Runs a statement, or several of them where there are no arguments.
    ///
    /// A task that is cancelled does not wait, and the server is told to stop; whether the
    /// statement ran is unknown to it.
    ///
    /// - Returns: the rows, as text.
    @discardableResult
    func run(_ sql: String, _ arguments: [String?] = []) async throws(PostgresError) -> Rows {
      // C takes a text up to its first NUL: what is behind it would be lost without a word.
      guard !([sql] + arguments).contains(where: { $0?.utf8.contains(0) ?? false }) else {
        throw .nul
      }
      let (results, continuation) = AsyncStream<Result<Rows, PostgresError>>.makeStream()
      let (number, loss) = shared.state.withLock { state in
        state.lastStatement += 1
        let statement = Statement(
          number: state.lastStatement, sql: sql, arguments: arguments
        ) { result in
          continuation.yield(result)
          continuation.finish()
        }
        if state.loss == nil { state.statements.append(statement) }
        return (state.lastStatement, state.loss)
      }
      if let loss { throw loss }
      shared.wake()
      let result = await withTaskCancellationHandler {
        await results.first { _ in true }
      } onCancel: { [shared] in
        shared.cancel(number)
      }
      guard let result else { throw .lost(reason: "the task was cancelled") }
      return try result.get()
    }

    /// Listens to a channel, until the connection is gone or `unlisten(_:)`.
    func listen(
      to channel: String
    ) async throws(PostgresError) -> (listener: Int, keys: ChangedKeys) {
      let keys = ChangedKeys()
      let listener = shared.state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = (channel, keys)
        return state.lastListener
      }
      do {
        try await run("LISTEN \"\(channel)\"")
      } catch {
        unlisten(listener)
        throw error
      }
      return (listener, keys)
    }

    func unlisten(_ listener: Int) {
      shared.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
    }

    // MARK: - On the thread

    /// What happens on the thread, which alone touches libpq's connection.
    private struct Worker {
      private let shared: Shared

      init(_ shared: Shared) { self.shared = shared }

      func run(_ string: String, connected: (PostgresError?) -> Void) {
        let connection = unsafe LibPQ.connect(string)
        defer { unsafe PQfinish(connection) }
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
          return connected(.connection(reason: unsafe Self.message(of: connection)))
        }
        // What the server remarks is not for the terminal of whoever uses the library.
        _ = unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
        shared.state.withLock { state in
          state.canceller = unsafe Canceller(of: connection, string)
          state.socket = unsafe PQsocket(connection)
        }
        connected(nil)
        var failure: PostgresError?
        while failure == nil, unsafe wait(connection) {
          failure = unsafe perform(connection)
        }
        end(failure ?? .connection(reason: "it was closed"))
      }

      /// Waits until the server says something or somebody has a statement; `false` once the
      /// connection is to be closed.
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

      /// Runs what waits, and hands on what the server said; an error where the connection is gone.
      private func perform(_ connection: OpaquePointer?) -> PostgresError? {
        guard unsafe PQconsumeInput(connection) == 1 else {
          return .lost(reason: unsafe Self.message(of: connection))
        }
        unsafe handOn(connection)
        while let statement = shared.state.withLock({ $0.begin() }) {
          let result = unsafe Self.run(statement, connection)
          shared.state.withLock { $0.running = nil }
          unsafe handOn(connection)
          let isLost = unsafe PQstatus(connection) != CONNECTION_OK
          if isLost, case .failure(let error) = result {
            let loss = PostgresError.lost(reason: error.text)
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
        let (statements, listeners) = shared.state.withLock { state in
          (state.loss, state.canceller, state.socket) = (loss, nil, nil)
          defer { (state.statements, state.listeners) = ([], [:]) }
          return (state.statements, state.listeners.values.map(\.keys))
        }
        for statement in statements { statement.completion(.failure(loss)) }
        for keys in listeners { keys.finish() }
      }

      // MARK: - libpq

      private static func run(
        _ statement: Statement, _ connection: OpaquePointer?
      ) -> Result<Rows, PostgresError> {
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
          let message = unsafe field("M", of: result) ?? message(of: connection)
          let more = [unsafe field("D", of: result), unsafe field("H", of: result)]
          return .failure(
            .statement(
              sqlState: unsafe field("C", of: result) ?? "08000",
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

      /// A part of an error, by its letter in the protocol.
      private static func field(_ letter: Unicode.Scalar, of result: OpaquePointer?) -> String? {
        unsafe PQresultErrorField(result, Int32(letter.value)).map { unsafe String(cString: $0) }
      }

      private static func message(of connection: OpaquePointer?) -> String {
        let text = unsafe String(cString: PQerrorMessage(connection))
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.first else { return "the server closed it" }
        // Some lines go on with the sentence of the one before.
        return lines.dropFirst().reduce(first) { text, line in
          text + (line.first?.isLowercase == true ? " " : ". ") + line
        }
      }
    }
  }

  extension PostgresError {
    /// The reason alone.
    fileprivate var text: String {
      switch self {
      case .connection(let reason), .lost(let reason), .statement(_, let reason): reason
      default: description
      }
    }
  }
#endif
