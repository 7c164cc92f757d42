internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

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

extension CacheFolder {
  /// The files that say when a cache was used, and whose folder is a cache's.
  private static var marking: [String] { ["manifest", "lock", "value"] }

  /// What is known of the cache in a folder; `nil` where there is none.
  ///
  /// One in use was used now, and that is noted: it counts after a crash, too.
  fileprivate func summary(of name: String, limits: CacheLimits, isInUse: Bool) -> CacheSummary? {
    guard let cache = try? folder(name, creating: false) else { return nil }
    let files = Self.marking.compactMap { cache.status(of: $0) }.filter { Self.isOurs($0) }
    guard !files.isEmpty else { return nil }
    if isInUse { cache.touch() }
    let lastUse = (files + [status(of: name)].compactMap(\.self)).map(\.changed).max()
    return CacheSummary(
      name: name, bytes: limits.bytes == nil ? 0 : cache.bytes,
      rows: limits.rows == nil ? 0 : cache.notedRows ?? 0, lastUse: lastUse ?? .distantPast,
      isInUse: isInUse)
  }

  /// How long its files are together.
  private var bytes: Int {
    names.reduce(0) { sum, name in
      let (sum, isTooMuch) = sum.addingReportingOverflow(
        status(of: name).map { Int($0.st_size) } ?? 0)
      return isTooMuch ? .max : sum
    }
  }

  /// Says that something in this folder was used now.
  func touch() { _ = futimens(descriptor, nil) }
}

extension stat {
  /// When it changed last.
  fileprivate var changed: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }
}
