/// The caches that somebody holds: limits take none of them away.
final class CachesInUse: Sendable {
  /// Those in files, by their paths.
  static let files = CachesInUse()

  private let counts = Locked<[String: Int]>([:])

  /// Says that a cache is in use, for as long as somebody holds it.
  final class Mark: Sendable {
    private let name: String
    private let caches: CachesInUse

    fileprivate init(_ name: String, _ caches: CachesInUse) {
      self.name = name
      self.caches = caches
    }

    deinit { caches.end(name) }
  }

  /// Somebody begins to use a cache.
  func mark(_ name: String) -> Mark {
    counts.withLock { $0[name, default: 0] += 1 }
    return Mark(name, self)
  }

  private func end(_ name: String) {
    counts.withLock { counts in
      let rest = counts[name, default: 1] - 1
      counts[name] = rest == 0 ? nil : rest
    }
  }

  func contains(_ name: String) -> Bool { counts.withLock { $0[name] != nil } }

  /// Does something short with a cache that nobody uses, and lets nobody begin to meanwhile.
  ///
  /// - Returns: whether it was done.
  func unlessInUse(_ name: String, _ body: () throws -> Void) rethrows -> Bool {
    try counts.withLock { counts in
      guard counts[name] == nil else { return false }
      try body()
      return true
    }
  }
}
