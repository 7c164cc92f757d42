internal import FreshetLists
internal import struct Foundation.Date

/// When pages were asked for again because they were old, by their first items.
struct PageRenewals: Sendable {
  private var dates: [RowID: Date] = [:]

  /// Whether what was fetched at a date is younger than so many seconds.
  ///
  /// A date in the future comes from a clock that went wrong.
  static func isFresh(_ date: Date, _ seconds: Double, at now: Date) -> Bool {
    abs(now.timeIntervalSince(date)) < seconds
  }

  /// Notes that a page is asked for again.
  ///
  /// - Returns: whether that is to be done: not twice within so many seconds.
  mutating func begin(_ first: RowID, _ seconds: Double, at now: Date) -> Bool {
    dates = dates.filter { Self.isFresh($0.value, seconds, at: now) }
    if dates[first] != nil { return false }
    dates[first] = now
    return true
  }
}
