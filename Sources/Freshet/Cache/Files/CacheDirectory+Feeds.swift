internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// How many feeds a folder holds (rule P9).
extension CacheDirectory {
  /// Removes the feeds used longest ago until at most `limit` are left.
  ///
  /// When a feed was used is the time of its folder: that of the latest file that came or went, or of the
  /// latest call with its name. One that another process writes stays. Who opens a feed while it is
  /// removed finds nothing, or that rows are missing.
  ///
  /// - Parameters:
  ///   - limit: how many to keep.
  ///   - name: the name of a feed that is used now; it counts even where it is not stored yet.
  ///   - names: the names of feeds that have to stay.
  func limitFeeds(to limit: Int, using name: String?, keeping names: Set<String>) {
    guard isEnabled, let folder = try? open(creating: false) else { return }
    let used = name.map { self.name(for: $0, of: .feed) }
    var uses = folder.feedUses
    if let used {
      (try? folder.folder(used, creating: false))?.touch()
      uses[used] = .infinity
    }
    let kept = Set(names.map { self.name(for: $0, of: .feed) })
    for name in uses.usedLongestAgo(beyond: limit, unless: { $0 == used || kept.contains($0) }) {
      folder.removeFeed(name)
    }
  }
}

extension CacheFolder {
  /// When each feed in this folder was used last, in seconds.
  var feedUses: [String: TimeInterval] {
    var uses: [String: TimeInterval] = [:]
    for name in names where name.count == 32 {
      if let status = status(of: name), Self.isOurs(status, S_IFDIR) { uses[name] = status.changed }
    }
    return uses
  }

  /// Says that something in this folder was used now.
  func touch() { _ = futimens(descriptor, nil) }

  /// Removes a feed, unless somebody writes it.
  fileprivate func removeFeed(_ name: String) {
    guard let feed = try? folder(name, creating: false), let lock = try? feed.takeLock("lock")
    else { return }
    // Nobody finds half of it.
    let aside = name + Self.asideSuffix
    try? setAside(name, as: aside)
    remove(aside)
    withExtendedLifetime(lock) {}
  }
}

extension stat {
  /// When it changed last, in seconds.
  fileprivate var changed: TimeInterval {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
  }
}
