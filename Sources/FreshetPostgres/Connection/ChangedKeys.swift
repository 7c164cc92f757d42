#if Postgres
  internal import Freshet
  internal import Foundation

  /// The rows that a server said have changed, until somebody looks them up.
  ///
  /// Bounded: of too many rows it only remembers that any may have changed.
  final class ChangedKeys: Sendable {
    /// Which rows changed.
    enum Keys: Sendable {
      case some(Set<String>)
      /// Any row may have.
      case any
    }

    private static var limit: Int { 20_000 }

    private let waiting = Locked<Keys>(.some([]))
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Takes a notification: a JSON array of keys, or anything else for rows that it cannot name.
    func add(_ payload: String) {
      let keys = try? JSONDecoder().decode([String].self, from: Data(payload.utf8))
      waiting.withLock { waiting in
        guard let keys, case .some(let others) = waiting, others.count + keys.count <= Self.limit
        else { return waiting = .any }
        waiting = .some(others.union(keys))
      }
      signal.yield()
    }

    /// The connection is gone.
    func finish() { signal.finish() }

    /// Waits for changed rows; `nil` once the connection is gone or the task cancelled.
    func next() async -> Keys? {
      var signals = signals.makeAsyncIterator()
      guard await signals.next() != nil else { return nil }
      return waiting.withLock { waiting in
        defer { waiting = .some([]) }
        return waiting
      }
    }
  }
#endif
