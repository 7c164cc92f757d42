internal import Foundation

// Enforcing the limits of a folder of caches (rule P9).
extension CacheDirectory {
  /// A folder, and the limits that the app set for it.
  struct LimitedFolder: Hashable {
    let path: String
    let limits: CacheLimits
  }

  /// The tasks that enforce the limits of folders.
  static let chores = Locked<[LimitedFolder: CoalescedTask]>([:])

  /// The number of tasks to remember; beyond it, only those that are under way are kept.
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

  /// Enforces the limits in the background.
  ///
  /// - Parameter interval: does nothing if it was called a shorter time ago.
  func enforceLimitsSoon(afterAtLeast interval: Duration = .zero) {
    guard isEnabled, limits != .none else { return }
    chore.perform(afterAtLeast: interval, priority: .utility) { enforceLimits() }
  }

  /// Waits until the limits are enforced, if that was requested.
  func limitsEnforced() async { await chore.done() }

  /// Removes the least recently used caches until the rest is within the limits.
  ///
  /// A cache that this process uses stays, and so does a cache that another process writes.
  /// Another process that only reads a removed cache finds it empty afterwards, or without some of
  /// its rows.
  ///
  /// - Complexity: O(files); it reads only a few bytes of each cache.
  func enforceLimits() {
    guard isEnabled, limits != .none, let folder = try? open(creating: false) else { return }
    let names = folder.names
    // A process that ended while it was removing a cache may have left it.
    for name in names where name.count == 32 + CacheFolder.goingSuffix.count {
      if name.hasSuffix(CacheFolder.goingSuffix) { folder.remove(name) }
    }
    let caches = names.filter { $0.count == 32 }.compactMap { name in
      folder.summary(
        of: name, limits: limits, isInUse: CacheRegistry.files.contains(useName(of: name)))
    }
    for name in limits.excess(of: caches, at: Date()) { remove(name, in: folder) }
  }

  /// Returns the name under which the registry of used caches has the cache in an inner folder.
  func useName(of folder: String) -> String { url.appendingPathComponent(folder).path }

  /// Removes a cache, unless it is in use.
  private func remove(_ name: String, in folder: CacheFolder) {
    let aside = name + CacheFolder.goingSuffix
    folder.remove(aside)
    // The cache is renamed before it is removed: other users of the folder find neither half of it
    // nor a lock that is about to be removed.
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
