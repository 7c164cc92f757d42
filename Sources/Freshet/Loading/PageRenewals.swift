internal import FreshetLists
internal import struct Foundation.Date

/// The dates at which old pages were requested again, by their first items.
struct PageRenewals: Sendable {
  private var dates: [RowID: Date] = [:]

  /// Whether data fetched at a date is younger than a number of seconds.
  ///
  /// A date more than that in the future is not fresh: it was taken from a wrong clock.
  static func isFresh(_ date: Date, _ seconds: Double, at now: Date) -> Bool {
    abs(now.timeIntervalSince(date)) < seconds
  }

  /// Records that a page is requested again.
  ///
  /// - Returns: whether to request it; `false` if that was done within this number of seconds.
  mutating func begin(_ first: RowID, _ seconds: Double, at now: Date) -> Bool {
    dates = dates.filter { Self.isFresh($0.value, seconds, at: now) }
    if dates[first] != nil { return false }
    dates[first] = now
    return true
  }
}
