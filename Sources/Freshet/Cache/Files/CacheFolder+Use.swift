internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// What limits want to know of a cache: how large it is, and when it was used last.
extension CacheFolder {
  /// The files that say when a cache was used, and whose folder is a cache's.
  private static var marking: [String] { ["manifest", "lock", "value"] }

  /// What is known of the cache in a folder; `nil` where there is none.
  ///
  /// A cache in use is touched, so that it counts as used now after a crash, too.
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
  var changed: Date {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
  }
}
