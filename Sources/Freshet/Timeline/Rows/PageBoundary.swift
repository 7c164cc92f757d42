public import struct Foundation.Date

/// The keys and the date of a page, which a feed keeps with the page's first and last rows.
public struct PageBoundary: Hashable, Codable, Sendable {
  /// The key of the page that continues the row, if the row ended a page.
  public var next: PageKey?
  /// The key of the page that leads up to the row, if the row began a page.
  public var previous: PageKey?
  /// The time when the source answered with the page that the row ended.
  public var fetchedAt: Date?
  /// Whether the row is unchanged since the answer that it ended.
  ///
  /// Only then does `next` continue right after the row. If that row was removed or changed, the
  /// key stays with the row that is there now. Items that belong between the two rows are then on
  /// no page that the key leads to. A list whose order is known can detect this. The flag is not
  /// stored.
  var isNextExact = false
  /// Whether the row is unchanged since the answer that it began.
  var isPreviousExact = false

  private enum CodingKeys: CodingKey { case next, previous, fetchedAt }

  /// Creates the boundary of a page from what is known of its neighbours.
  public init(next: PageKey? = nil, previous: PageKey? = nil, fetchedAt: Date? = nil) {
    self.next = next
    self.previous = previous
    self.fetchedAt = fetchedAt
  }

  /// The part of the boundary that is still valid after a relaunch.
  var stored: PageBoundary { PageBoundary(next: next, previous: previous, fetchedAt: fetchedAt) }

  /// Returns the boundary of one row, for a boundary that describes several rows.
  ///
  /// The first row began a page, and the last row ended one.
  func part(ofRow index: Int, among count: Int) -> PageBoundary? {
    // Most rows are in the middle.
    if index > 0, index < count - 1 { return nil }
    var part = self
    if index > 0 { part.previous = nil }
    if index < count - 1 { (part.next, part.fetchedAt) = (nil, nil) }
    return part == PageBoundary() ? nil : part
  }
}
