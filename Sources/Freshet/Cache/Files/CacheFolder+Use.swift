internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// The size and the last use of a cache, for its limits.
extension CacheFolder {
  /// The files that mark a folder as that of a cache, and that show its last use.
  private static var marking: [String] { ["manifest", "lock", "value"] }

  /// Returns the size and the last use of the cache in a folder; `nil` if there is none.
  ///
  /// A cache in use is touched, so that it counts as used now even after a crash.
  func summary(of name: String, limits: CacheLimits, isInUse: Bool) -> CacheSummary? {
    guard let cache = try? folder(name, creating: false) else { return nil }
    let files = Self.marking.compactMap { cache.status(of: $0) }.filter { Self.isOurs($0) }
    guard !files.isEmpty else { return nil }
    if isInUse { cache.touch() }
    let lastUse = (files + [status(of: name)].compactMap(\.self)).map(\.changed).max()
    return CacheSummary(
      name: name, bytes: limits.bytes == nil ? 0 : cache.bytes,
      rows: limits.rows == nil ? 0 : cache.rowCount ?? 0, lastUse: lastUse ?? .distantPast,
      isInUse: isInUse)
  }

  /// The length of all files together.
  private var bytes: Int {
    names.reduce(0) { sum, name in
      let (sum, isTooMuch) = sum.addingReportingOverflow(
        status(of: name).map { Int($0.st_size) } ?? 0)
      return isTooMuch ? .max : sum
    }
  }

  /// Marks the folder as used now.
  func touch() { _ = futimens(descriptor, nil) }
}

extension stat {
  /// The time of the last change.
  var changed: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }
}
