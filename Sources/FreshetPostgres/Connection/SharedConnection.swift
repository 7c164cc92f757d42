#if Postgres
  internal import Foundation
  internal import Freshet

  /// A statement that waits for its turn.
  struct PostgresStatement: Sendable {
    let number: Int
    let sql: String
    let arguments: [String?]
    let completion: @Sendable (Result<PostgresConnection.Rows, PostgresError>) -> Void
  }

  /// The state of the work on a connection.
  struct ConnectionState {
    var statements: [PostgresStatement] = []
    var lastStatement = 0
    /// The statement that the server runs now, and its start time.
    var running: (number: Int, since: ContinuousClock.Instant)?
    /// Whether the server is being asked to stop that statement; no other one begins meanwhile.
    var isCancelling = false
    var process: ServerProcess?
    var socket: Int32?
    var listeners: [Int: (channel: String, keys: ChangedKeys)] = [:]
    var lastListener = 0
    var loss: PostgresError?
    /// The reason why the connection was given up, although it is open.
    var silence: String?
    var isClosing = false

    /// Returns the next statement, which runs now.
    ///
    /// It is `nil` if there is none, or if the server is still being asked to stop the one before.
    mutating func begin() -> PostgresStatement? {
      guard !isCancelling, !statements.isEmpty else { return nil }
      running = (statements[0].number, .now)
      return statements.removeFirst()
    }

    /// Shuts the socket down from any thread: a wait for the network fails at once.
    func shutDown() { if let socket { _ = shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  /// The state that the thread of a connection shares with the callers.
  final class SharedConnection: Sendable {
    let state = Locked(ConnectionState())
    /// A pipe; a byte in it signals that there is something to do.
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

    /// Cancels a statement: it does not begin, or the server is asked to stop it.
    func cancel(_ number: Int) {
      let process = state.withLock { state -> ServerProcess? in
        state.statements.removeAll { $0.number == number }
        guard state.running?.number == number, !state.isCancelling else { return nil }
        state.isCancelling = state.process != nil
        return state.process
      }
      guard let process else { return }
      // This connects to the server, and waits for it.
      Thread.detachNewThread { [self] in
        stop(number, process)
        state.withLock { $0.isCancelling = false }
        wake()
      }
    }

    /// Cancels a statement repeatedly until it has ended.
    ///
    /// A cancel request that overtakes the statement has no effect. A connection whose statement
    /// does not end is given up.
    private func stop(_ number: Int, _ process: ServerProcess) {
      func isRunning() -> Bool { state.withLock { $0.running?.number == number } }
      for attempt in 0..<10 {
        process.cancel()
        guard isRunning() else { return }
        Thread.sleep(forTimeInterval: min(0.01 * Double(1 << attempt), 1))
        guard isRunning() else { return }
      }
      state.withLock { if $0.running?.number == number { $0.shutDown() } }
    }

    /// Returns the statement that the server has run for longer than a given time.
    func silentStatement(for time: Duration) -> (number: Int, process: ServerProcess)? {
      state.withLock { state in
        guard let (number, since) = state.running, since.duration(to: .now) >= time,
          let process = state.process
        else { return nil }
        return (number, process)
      }
    }

    /// Returns whether a statement runs and there is no data that its thread has yet to read.
    func isSilent(_ number: Int) -> Bool {
      state.withLock { state in
        guard state.running?.number == number, let socket = state.socket else { return false }
        var source = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&source, 1, 0) == 0
      }
    }

    /// Gives a connection up whose statement the server does not run.
    func giveUp(_ number: Int, because reason: String) {
      state.withLock { state in
        guard state.running?.number == number else { return }
        state.silence = reason
        state.shutDown()
      }
    }

    func wake() {
      var byte: UInt8 = 1
      _ = unsafe write(waker, &byte, 1)
    }
  }
#endif
