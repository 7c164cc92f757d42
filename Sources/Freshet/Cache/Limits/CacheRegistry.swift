/// The caches that somebody holds: limits take none of them away.
///
/// The lock that all share is held for moments. Only someone about to open the files of a cache
/// waits, and only for a removal of that one.
final class CacheRegistry: Sendable {
  /// Those in files, by their paths.
  static let files = CacheRegistry()

  private struct State {
    var counts: [String: Int] = [:]
    /// What goes on until a cache is removed: held meanwhile.
    var removals: [String: Removal] = [:]
  }

  private final class Removal: Sendable { let lock = Locked(()) }

  private let state = Locked(State())

  /// Says that a cache is in use, for as long as somebody holds it.
  final class Mark: Sendable {
    private let name: String
    private let caches: CacheRegistry
    private let ended: @Sendable () -> Void

    fileprivate init(
      _ name: String, _ caches: CacheRegistry, _ ended: @escaping @Sendable () -> Void
    ) {
      self.name = name
      self.caches = caches
      self.ended = ended
    }

    deinit {
      caches.end(name)
      ended()
    }

    /// Waits until a removal that began before is over: for who is about to open the cache.
    func waitForRemoval() {
      caches.state.withLock { $0.removals[name] }?.lock.withLock { _ in }
    }
  }

  /// Somebody begins to use a cache.
  ///
  /// - Parameters:
  ///   - name: the cache.
  ///   - ended: is called when it is not used so any more.
  func mark(_ name: String, ended: @escaping @Sendable () -> Void = {}) -> Mark {
    state.withLock { $0.counts[name, default: 0] += 1 }
    return Mark(name, self, ended)
  }

  private func end(_ name: String) {
    state.withLock { state in
      let rest = state.counts[name, default: 1] - 1
      state.counts[name] = rest == 0 ? nil : rest
    }
  }

  func contains(_ name: String) -> Bool { state.withLock { $0.counts[name] != nil } }

  /// Removes a cache that nobody uses; who begins to use it meanwhile opens it afterwards.
  ///
  /// - Returns: whether it was done.
  func unlessInUse(_ name: String, remove: () throws -> Void) rethrows -> Bool {
    let removal = Removal()
    return try removal.lock.withLock { _ in
      let begins = state.withLock { state in
        guard state.counts[name] == nil, state.removals[name] == nil else { return false }
        state.removals[name] = removal
        return true
      }
      guard begins else { return false }
      defer { state.withLock { $0.removals[name] = nil } }
      try remove()
      return true
    }
  }
}
