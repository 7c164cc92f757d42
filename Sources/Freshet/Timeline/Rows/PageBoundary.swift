public import struct Foundation.Date

/// What a feed knows of a page, kept with the rows that the page began and ended with.
public struct PageBoundary: Hashable, Codable, Sendable {
  /// The key of the page that continues the row, which ended one.
  public var next: PageKey?
  /// The key of the page that leads up to the row, which began one.
  public var previous: PageKey?
  /// When the source answered with the page that the row ended.
  public var fetchedAt: Date?
  /// Whether the row is what it was in the answer that it ended, so that the key leads on right
  /// from it.
  ///
  /// Where that row went or changed, the key stays with the row that is there now, and what belongs
  /// between the two is on no page that it leads to: a list whose order is known can tell. Not
  /// stored.
  var isNextExact = false
  /// Whether the row is what it was in the answer that it began.
  var isPreviousExact = false

  private enum CodingKeys: CodingKey { case next, previous, fetchedAt }

  /// Creates the mark of a page.
  public init(next: PageKey? = nil, previous: PageKey? = nil, fetchedAt: Date? = nil) {
    self.next = next
    self.previous = previous
    self.fetchedAt = fetchedAt
  }

  /// What it says after another launch.
  var stored: PageBoundary { PageBoundary(next: next, previous: previous, fetchedAt: fetchedAt) }

  /// What it says of one row, where it speaks of several: the first one began a page, the last one
  /// ended one.
  func part(ofRow index: Int, among count: Int) -> PageBoundary? {
    // Most rows are in the middle.
    if index > 0, index < count - 1 { return nil }
    var part = self
    if index > 0 { part.previous = nil }
    if index < count - 1 { (part.next, part.fetchedAt) = (nil, nil) }
    return part == PageBoundary() ? nil : part
  }
}
