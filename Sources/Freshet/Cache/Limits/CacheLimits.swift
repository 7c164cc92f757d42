internal import struct Foundation.Date

/// How much the caches of a folder, or the feeds of a family, may come to together.
///
/// What goes first was used longest ago: opened, read or written. What is in use stays, however
/// much it is (rule P9).
///
/// ```swift
/// let limits = CacheLimits(bytes: 64 << 20, age: .seconds(30 * 86_400))
/// let caches = CacheDirectory.default.limited(to: limits)
/// let feed = FeedController(source, cache: .file("home", in: caches))
/// ```
///
/// Limits are looked at in the background, when a feed begins to be written, when it outgrew its
/// log, and when it is closed: for moments there may be more.
public struct CacheLimits: Hashable, Sendable {
  /// How many bytes all files may have together; `nil` for any number.
  ///
  /// Whole caches go, never parts of one. A store has no files: nothing of it is counted.
  public var bytes: Int?
  /// How many rows all feeds may have together; `nil` for any number.
  ///
  /// A feed that has more by itself loses rows when it is opened, and counts as many until then:
  /// those farthest from the head of the list and from where the reader was. A gap is left in their
  /// place.
  public var rows: Int?
  /// For how long a cache may be out of use; `nil` for any time.
  public var age: Duration?
  /// How many caches there may be; `nil` for any number.
  public var count: Int?

  /// No limits: nothing is ever removed for its size or age.
  public static let none = CacheLimits(bytes: nil)

  /// Creates limits: 256 MB, unless arguments say otherwise.
  public init(
    bytes: Int? = 256 << 20, rows: Int? = nil, age: Duration? = nil, count: Int? = nil
  ) {
    self.bytes = bytes
    self.rows = rows
    self.age = age
    self.count = count
  }
}

/// What is known of a cache, for limits.
struct CacheSummary: Equatable, Sendable {
  /// What it is called by whoever removes it.
  var name: String
  var bytes = 0
  var rows = 0
  var lastUse: Date
  var isInUse = false
}

extension CacheLimits {
  /// These limits with no more caches than so many.
  func limited(toCount count: Int) -> CacheLimits {
    var limits = self
    limits.count = min(limits.count ?? .max, count)
    return limits
  }

  /// The caches to be removed, the one used longest ago first: all that nobody used for too long,
  /// and as many others as it takes.
  ///
  /// A cache that says it was used in the future goes first: nobody knows when it was used.
  ///
  /// - Complexity: O(*n* log *n*) for *n* caches.
  func excess(of caches: [CacheSummary], at now: Date) -> [String] {
    var bytes = Sum(caches.map(\.bytes))
    // One that has too many rows by itself loses some when it is opened: no other goes for those.
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

  /// Numbers that others may have written, added up without overflow.
  private struct Sum {
    private var value: Double

    init(_ numbers: [Int]) { value = numbers.reduce(0) { $0 + Double(max(0, $1)) } }

    mutating func subtract(_ number: Int) { value -= Double(max(0, number)) }

    func isMore(than limit: Int?) -> Bool { limit.map { value > Double(max(0, $0)) } ?? false }
  }
}
