/// The caches in use, which limits do not remove.
///
/// The lock of the registry is held only for moments. A caller that is about to open the files of
/// a cache waits only for a removal of that cache.
final class CacheRegistry: Sendable {
  /// The caches in files, by their paths.
  static let files = CacheRegistry()

  private struct State {
    var counts: [String: Int] = [:]
    /// The removals under way, each of which holds its lock meanwhile.
    var removals: [String: Removal] = [:]
  }

  private final class Removal: Sendable { let lock = Locked(()) }

  private let state = Locked(State())

  /// A mark that a cache is in use, for as long as the mark exists.
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

    /// Waits for a removal of the cache that is under way; call it before opening the cache.
    func waitForRemoval() {
      caches.state.withLock { $0.removals[name] }?.lock.withLock { _ in }
    }
  }

  /// Marks a cache as in use.
  ///
  /// - Parameters:
  ///   - name: the cache.
  ///   - ended: called when the mark is released.
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

  /// Removes a cache unless it is in use; a caller that marks it meanwhile opens it afterwards.
  ///
  /// - Returns: whether the cache was removed.
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
