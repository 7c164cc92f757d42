#if Postgres
  internal import Foundation
  internal import Freshet
  internal import FreshetLists

  /// The rows that a server reported as changed, until the query looks them up.
  ///
  /// The set is bounded: for too many rows, it only records that any row may have changed.
  final class ChangedKeys: Sendable {
    /// The keys of changed rows.
    enum Keys: Sendable {
      case some(Set<BinaryText>)
      /// Any row may have changed.
      case any
    }

    private static var limit: Int { 20_000 }

    private let waiting = Locked<Keys>(.some([]))
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Adds a notification: a JSON array of keys, or any other text for rows without names.
    ///
    /// - Complexity: O(keys of the notification).
    func add(_ payload: String) {
      let keys = try? JSONDecoder().decode([BinaryText].self, from: Data(payload.utf8))
      // No row has a key with NUL, and the server would not accept it.
      let areTexts = keys?.allSatisfy { !$0.text.utf8.contains(0) } ?? false
      waiting.withLock { waiting in
        guard let keys, areTexts, case .some(var all) = waiting,
          all.count + keys.count <= Self.limit
        else { return waiting = .any }
        // The local variable holds the only reference, so the set is not copied.
        waiting = .any
        all.formUnion(keys)
        waiting = .some(all)
      }
      signal.yield()
    }

    /// Records that any row may have changed.
    func addAny() {
      waiting.withLock { $0 = .any }
      signal.yield()
    }

    /// Ends a wait although no row changed.
    func wake() { signal.yield() }

    /// Records that the connection is gone.
    func finish() { signal.finish() }

    /// Waits for changed rows; returns `false` once the connection is gone or the task cancelled.
    func wait() async -> Bool {
      var signals = signals.makeAsyncIterator()
      return await signals.next() != nil
    }

    /// Returns and clears the changed rows.
    func take() -> Keys {
      waiting.withLock { waiting in
        defer { waiting = .some([]) }
        return waiting
      }
    }
  }
#endif
