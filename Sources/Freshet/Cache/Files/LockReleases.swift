/// Notifies caches that wait for a lock when another cache of this process releases it.
final class LockReleases: Sendable {
  static let shared = LockReleases()

  private let waiting = Locked<[String: [@Sendable () -> Void]]>([:])

  /// Calls a closure once, when the lock of this name is released.
  func wait(for lock: String, _ released: @escaping @Sendable () -> Void) {
    waiting.withLock { $0[lock, default: []].append(released) }
  }

  /// Notifies the waiting caches that the lock of this name is free.
  func tell(_ lock: String) {
    let all = waiting.withLock { $0.removeValue(forKey: lock) }
    for released in all ?? [] { released() }
  }
}
