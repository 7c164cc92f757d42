internal import Foundation

// How much a folder of caches holds (rule P9).
extension CacheDirectory {
  /// A folder, and the limits that an app gave it.
  struct LimitedFolder: Hashable {
    let path: String
    let limits: CacheLimits
  }

  /// Who looks at the limits of a folder.
  static let chores = Locked<[LimitedFolder: CoalescedTask]>([:])

  /// As many are remembered; of more, those that have something to do.
  static var rememberedChores: Int { 64 }

  private var chore: CoalescedTask {
    let folder = LimitedFolder(path: url.path, limits: limits)
    return Self.chores.withLock { chores in
      if let chore = chores[folder] { return chore }
      if chores.count >= Self.rememberedChores { chores = chores.filter { $0.value.isUnderWay } }
      let chore = CoalescedTask()
      chores[folder] = chore
      return chore
    }
  }

  /// Looks at the limits in the background.
  ///
  /// - Parameter interval: looks at them only where nobody did for as long.
  func enforceLimitsSoon(afterAtLeast interval: Duration = .zero) {
    guard isEnabled, limits != .none else { return }
    chore.perform(afterAtLeast: interval, priority: .utility) { enforceLimits() }
  }

  /// Waits until limits were looked at that somebody asked for.
  func limitsEnforced() async { await chore.done() }

  /// Removes the caches used longest ago until the rest is within the limits.
  ///
  /// One that is in use in this process stays, and so does one that another process writes. Who
  /// only reads one in another process finds nothing afterwards, or that rows are missing.
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
        of: name, limits: limits, isInUse: CacheRegistry.files.contains(useName(of: name)))
    }
    for name in limits.excess(of: caches, at: Date()) { remove(name, in: folder) }
  }

  /// What the cache in a folder of this one is called among those in use.
  func useName(of folder: String) -> String { url.appendingPathComponent(folder).path }

  /// Removes a cache, unless it is in use.
  private func remove(_ name: String, in folder: CacheFolder) {
    let aside = name + CacheFolder.goingSuffix
    folder.remove(aside)
    // Nobody finds half of it, or the lock of one that is about to go.
    let isAside = try? CacheRegistry.files.unlessInUse(useName(of: name)) {
      guard let cache = try folder.folder(name, creating: false),
        let lock = try cache.lock("lock")
      else { return }
      try folder.setAside(name, as: aside)
      withExtendedLifetime(lock) {}
    }
    if isAside == true { folder.remove(aside) }
  }
}
