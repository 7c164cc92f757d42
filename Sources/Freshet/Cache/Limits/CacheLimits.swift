internal import struct Foundation.Date

/// The limits of the caches of a folder, or of the feeds of a family, together.
///
/// The least recently used caches are removed first; opening, reading and writing are uses. Caches
/// in use stay, however large they are (rule P9).
///
/// ```swift
/// let limits = CacheLimits(bytes: 64 << 20, age: .seconds(30 * 86_400))
/// let caches = CacheDirectory.default.limited(to: limits)
/// let feed = FeedController(source, cache: .file("home", in: caches))
/// ```
///
/// Limits are enforced in the background: when a feed begins to be written, when its log is
/// rewritten, and when it is closed. For moments, there may be more than they allow.
public struct CacheLimits: Hashable, Sendable {
  /// The maximum length of all files together, in bytes; `nil` for no limit.
  ///
  /// Only whole caches are removed for it. A store has no files: its contents are not counted.
  public var bytes: Int?
  /// The maximum number of rows of all feeds together; `nil` for no limit.
  ///
  /// A feed that exceeds the limit alone loses rows when it is opened: those farthest from the
  /// head of the list and from the reader's place. A gap takes their place. Until then, the feed
  /// counts as exactly this many rows.
  public var rows: Int?
  /// The maximum time since the last use of a cache; `nil` for no limit.
  public var age: Duration?
  /// The maximum number of caches; `nil` for no limit.
  public var count: Int?

  /// No limits: no cache is ever removed for its size or age.
  public static let none = CacheLimits(bytes: nil)

  /// Creates limits; the default is 256 MB.
  public init(
    bytes: Int? = 256 << 20, rows: Int? = nil, age: Duration? = nil, count: Int? = nil
  ) {
    self.bytes = bytes
    self.rows = rows
    self.age = age
    self.count = count
  }
}

/// The properties of a cache that limits depend on.
struct CacheSummary: Equatable, Sendable {
  /// The name by which the cache is removed.
  var name: String
  var bytes = 0
  var rows = 0
  var lastUse: Date
  var isInUse = false
}

extension CacheLimits {
  /// Returns these limits with a maximum number of caches.
  func limited(toCount count: Int) -> CacheLimits {
    var limits = self
    limits.count = min(limits.count ?? .max, count)
    return limits
  }

  /// Returns the caches to remove, the least recently used one first.
  ///
  /// These are all that were unused for too long, and as many others as necessary.
  ///
  /// A cache whose last use is in the future is the first to be removed: its real last use is
  /// unknown.
  ///
  /// - Complexity: O(*n* log *n*) for *n* caches.
  func excess(of caches: [CacheSummary], at now: Date) -> [String] {
    var bytes = Sum(caches.map(\.bytes))
    // A feed that exceeds the limit alone loses rows when it is opened, so that no other feed is
    // removed for those.
    let most = self.rows.map { max(1, $0) } ?? .max
    func countedRows(_ cache: CacheSummary) -> Int { min(cache.rows, most) }
    var rows = Sum(caches.map(countedRows))
    var count = caches.count
    var excess: [String] = []
    func lastUse(_ cache: CacheSummary) -> Date {
      // Clocks differ by less than a day.
      cache.lastUse.timeIntervalSince(now) > 86_400 ? .distantPast : cache.lastUse
    }
    for cache in caches.filter({ !$0.isInUse }).sorted(by: { lastUse($0) < lastUse($1) }) {
      let isOld = age.map { now.timeIntervalSince(lastUse(cache)) > $0.seconds } ?? false
      let isTooMuch =
        bytes.isMore(than: self.bytes) || rows.isMore(than: self.rows)
        || count > max(0, self.count ?? .max)
      guard isOld || isTooMuch else { break }
      bytes.subtract(cache.bytes)
      rows.subtract(countedRows(cache))
      count -= 1
      excess.append(cache.name)
    }
    return excess
  }

  /// A sum of untrusted numbers that cannot overflow.
  private struct Sum {
    private var value: Double

    init(_ numbers: [Int]) { value = numbers.reduce(0) { $0 + Double(max(0, $1)) } }

    mutating func subtract(_ number: Int) { value -= Double(max(0, number)) }

    func isMore(than limit: Int?) -> Bool { limit.map { value > Double(max(0, $0)) } ?? false }
  }
}
