#if Postgres
  internal import Foundation
  internal import Freshet

  /// A connection to a server, with a thread of its own.
  ///
  /// Statements run one after the other. Notifications that the server sends between them are
  /// received at once.
  ///
  /// libpq blocks while it waits for the network, and only that thread blocks with it. The thread
  /// ends with the connection, whether it is closed or lost.
  final class PostgresConnection: Sendable {
    typealias Rows = [[String?]]

    private let shared: SharedConnection

    private init(_ shared: SharedConnection) { self.shared = shared }

    deinit {
      shared.state.withLock { $0.isClosing = true }
      shared.wake()
    }

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - string: a connection string or URI, as libpq documents them, TLS included.
    ///   - limit: how long the server may take to answer once it is reached.
    static func open(
      _ string: String, answeredWithin limit: Duration = .seconds(10)
    ) async throws(PostgresError) -> PostgresConnection {
      guard !string.utf8.contains(0) else { throw .nul }
      let shared = try SharedConnection()
      let failure = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          ConnectionWorker(shared).run(string, answeredWithin: limit) {
            continuation.resume(returning: $0)
          }
        }
      }
      if let failure { throw failure }
      shared.state.withLock { state in
        state.lastStatement += 1
        state.statements.append(
          PostgresStatement(number: state.lastStatement, sql: settings, arguments: []) { _ in })
      }
      shared.wake()
      return PostgresConnection(shared)
    }

    /// The settings of a session, whatever the role or the database has for its sessions.
    ///
    /// Values are text that identifies their row again. Statements are not compiled: those that
    /// follow a large table run at each commit, and compiling takes longer than they do.
    private static let settings = """
      SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres'; SET bytea_output = 'hex';
      SET extra_float_digits = 1; SET standard_conforming_strings = on;
      SET quote_all_identifiers = off; SET jit = off
      """

    /// The reason why the connection is gone, if it is.
    var loss: PostgresError? { shared.state.withLock { $0.loss } }

    /// Runs a statement, or several of them if there are no arguments.
    ///
    /// A task that is cancelled does not wait, and the server is asked to stop. The task does not
    /// learn whether the statement ran.
    ///
    /// - Parameter completion: receives the result before any later statement runs, and even if the
    ///   task was cancelled meanwhile.
    /// - Returns: the rows, as text.
    @discardableResult
    func run(
      _ sql: String, _ arguments: [String?] = [],
      completion: (@Sendable (Result<Rows, PostgresError>) -> Void)? = nil
    ) async throws(PostgresError) -> Rows {
      // C takes a text up to its first NUL: the rest would be lost without an error.
      guard !([sql] + arguments).contains(where: { $0?.utf8.contains(0) ?? false }) else {
        throw .nul
      }
      let (results, continuation) = AsyncStream<Result<Rows, PostgresError>>.makeStream()
      let (number, loss) = shared.state.withLock { state in
        state.lastStatement += 1
        let statement = PostgresStatement(
          number: state.lastStatement, sql: sql, arguments: arguments
        ) { result in
          completion?(result)
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

    /// Listens to a channel until the connection is gone or `unlisten(_:)` is called.
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

    // MARK: - Watching

    /// Whether a query listens, or a statement is enqueued or runs.
    var isInUse: Bool {
      shared.state.withLock {
        $0.running != nil || !$0.statements.isEmpty || !$0.listeners.isEmpty
      }
    }

    /// Notifies all listeners that any row may have changed.
    func tellAll() {
      let listeners = shared.state.withLock { $0.listeners.values.map(\.keys) }
      for keys in listeners { keys.addAny() }
    }

    /// Gives the connection up if the server is silent for a time and does not run its statement.
    ///
    /// Either something in between drops the statement, or the server is gone.
    ///
    /// A statement may take as long as it needs. The server is asked through another connection
    /// whether it runs the statement. It has as much time to answer, but at least five seconds. It
    /// is asked again a second later, as it may not have begun the statement, or its answer may be
    /// on the way.
    func giveUpIfSilent(for time: Duration) async {
      guard let (number, process) = shared.silentStatement(for: time) else { return }
      let limit = max(time, .seconds(5))
      for look in 1...2 {
        let isRunning = await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(returning: process.isRunning(within: limit))
          }
        }
        guard !isRunning, shared.isSilent(number) else { return }
        if look == 1, (try? await Task.sleep(for: .seconds(1))) == nil { return }
      }
      shared.giveUp(number, because: "the server did not answer")
    }
  }
#endif
