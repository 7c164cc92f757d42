/// Tells caches that wait for a lock when another cache of this process gives it up.
final class LockReleases: Sendable {
  static let shared = LockReleases()

  private let waiting = Locked<[String: [@Sendable () -> Void]]>([:])

  /// Calls a closure once, when the lock of this name is given up.
  func wait(for lock: String, _ released: @escaping @Sendable () -> Void) {
    waiting.withLock { $0[lock, default: []].append(released) }
  }

  /// The lock of this name is free.
  func tell(_ lock: String) {
    let all = waiting.withLock { $0.removeValue(forKey: lock) }
    for released in all ?? [] { released() }
  }
}
