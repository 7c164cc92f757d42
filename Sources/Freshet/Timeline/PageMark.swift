public import struct Foundation.Date

/// What a feed knows of a page, kept with the rows that the page began and ended with.
public struct PageMark: Hashable, Codable, Sendable {
  /// The key of the page that continues the row, which ended one.
  public var next: PageKey?
  /// The key of the page that leads up to the row, which began one.
  public var previous: PageKey?
  /// When the source answered with the page that the row ended.
  public var fetchedAt: Date?

  /// Creates the mark of a page.
  public init(next: PageKey? = nil, previous: PageKey? = nil, fetchedAt: Date? = nil) {
    self.next = next
    self.previous = previous
    self.fetchedAt = fetchedAt
  }

  /// What it says of one row, where it speaks of several: the first one began a page, the last one
  /// ended one.
  func part(ofRow index: Int, among count: Int) -> PageMark? {
    var part = self
    if index > 0 { part.previous = nil }
    if index < count - 1 { (part.next, part.fetchedAt) = (nil, nil) }
    return part == PageMark() ? nil : part
  }
}
