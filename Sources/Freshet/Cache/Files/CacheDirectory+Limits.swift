internal import Foundation

// How much a folder of caches holds (rule P9).
extension CacheDirectory {
  /// What is done in the background in a folder.
  private struct Chore {
    /// Whether it has yet to begin.
    var isDue = false
    let begun = ContinuousClock.now
    var task: Task<Void, Never>?
  }
  private static let chores = Locked<[String: Chore]>([:])

  /// Looks at the limits in the background.
  ///
  /// - Parameter interval: looks at them only where nobody did for as long.
  func enforceLimitsSoon(afterAtLeast interval: Duration = .zero) {
    guard limits != .none else { return }
    let work: @Sendable () -> Void = {
      Self.chores.withLock { $0[url.path]?.isDue = false }
      enforceLimits()
    }
    Self.chores.withLock { chores in
      let last = chores[url.path]
      guard last?.isDue != true, last.map({ $0.begun.duration(to: .now) >= interval }) ?? true
      else { return }
      let task = Task(priority: .utility) { @concurrent in
        await last?.task?.value
        work()
      }
      chores[url.path] = Chore(isDue: true, task: task)
    }
  }

  /// Waits until limits were looked at that somebody asked for.
  func limitsEnforced() async { await Self.chores.withLock { $0[url.path]?.task }?.value }

  /// Removes the caches used longest ago until the rest is within the limits.
  ///
  /// One that is in use in this process stays, and so does one that another process writes. Who only reads
  /// one in another process finds nothing afterwards, or that rows are missing.
  ///
  /// - Complexity: O(files), of which it reads none but a few bytes of each cache.
  func enforceLimits() {
    guard isEnabled, limits != .none, let folder = try? open(creating: false) else { return }
    let names = folder.names
    // A process that ended before it had removed one left it behind.
    for name in names where name.count == 32 + CacheFolder.goingSuffix.count {
      if name.hasSuffix(CacheFolder.goingSuffix) { folder.remove(name) }
    }
    let caches = names.filter { $0.count == 32 }.compactMap { name in
      folder.summary(
        of: name, limits: limits, isInUse: CachesInUse.files.contains(useName(of: name)))
    }
    for name in limits.excess(of: caches, at: Date()) { remove(name, in: folder) }
  }

  /// What the cache in a folder of this one is called among those in use.
  func useName(of folder: String) -> String { url.appendingPathComponent(folder).path }

  /// Removes a cache, unless somebody uses it.
  private func remove(_ name: String, in folder: CacheFolder) {
    let aside = name + CacheFolder.goingSuffix
    folder.remove(aside)
    // Nobody finds half of it, or the lock of one that is about to go.
    let isAside = try? CachesInUse.files.unlessInUse(useName(of: name)) {
      guard let cache = try folder.folder(name, creating: false),
        let lock = try cache.takeLock("lock")
      else { return }
      try folder.setAside(name, as: aside)
      withExtendedLifetime(lock) {}
    }
    if isAside == true { folder.remove(aside) }
  }
}
