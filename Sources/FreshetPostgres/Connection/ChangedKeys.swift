#if Postgres
  internal import Foundation
  internal import Freshet
  internal import FreshetLists

  /// The rows that a server said have changed, until the query looks them up.
  ///
  /// Bounded: of too many rows it only remembers that any may have changed.
  final class ChangedKeys: Sendable {
    /// Which rows changed.
    enum Keys: Sendable {
      case some(Set<BinaryText>)
      /// Any row may have.
      case any
    }

    private static var limit: Int { 20_000 }

    private let waiting = Locked<Keys>(.some([]))
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Takes a notification: a JSON array of keys, or anything else for rows that it cannot name.
    ///
    /// - Complexity: O(keys of the notification).
    func add(_ payload: String) {
      let keys = try? JSONDecoder().decode([BinaryText].self, from: Data(payload.utf8))
      // No row has such a key, and the server would not take it.
      let areTexts = keys?.allSatisfy { !$0.text.utf8.contains(0) } ?? false
      waiting.withLock { waiting in
        guard let keys, areTexts, case .some(var all) = waiting,
          all.count + keys.count <= Self.limit
        else { return waiting = .any }
        // Held here alone, so that it is not copied.
        waiting = .any
        all.formUnion(keys)
        waiting = .some(all)
      }
      signal.yield()
    }

    /// Any row may have changed.
    func addAny() {
      waiting.withLock { $0 = .any }
      signal.yield()
    }

    /// Ends a wait though no row changed.
    func wake() { signal.yield() }

    /// The connection is gone.
    func finish() { signal.finish() }

    /// Waits for changed rows; `false` once the connection is gone or the task cancelled.
    func wait() async -> Bool {
      var signals = signals.makeAsyncIterator()
      return await signals.next() != nil
    }

    /// Takes the rows that changed.
    func take() -> Keys {
      waiting.withLock { waiting in
        defer { waiting = .some([]) }
        return waiting
      }
    }
  }
#endif
