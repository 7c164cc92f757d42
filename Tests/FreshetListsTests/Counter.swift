import Freshet

/// Counts calls, from any thread.
final class Counter: Sendable {
  private let count = Locked(0)

  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
  func reset() { count.withLock { $0 = 0 } }
}
