internal import Foundation
public import FreshetLists

/// A source that counts pages: `page=2`.
///
/// Numbered pages cannot be requested one row early. If a row above page 2 is deleted, the first
/// row of page 2 moves to page 1, and no later page returns it. So the page before is read again
/// *after* each page. If it has not changed, nothing moved in between, and both are returned as one
/// page that repeats rows the feed knows (rule T5). This takes a second request for each page. If
/// the server can count rows instead, `OffsetSource` needs only one.
///
/// ```swift
/// NumberedSource { number, count in try await api.posts(page: number, count: count) }
/// ```
///
/// - Note: Two changes above a page that cancel each other out between two requests are not noticed
///   until the next refresh.
public struct NumberedSource<Item: ListItem>: FeedSource {
  private let first: Int
  private let rows: @Sendable (_ number: Int, _ limit: Int) async throws -> [Item]

  /// Creates a source that calls `rows` for one page by its number.
  ///
  /// `first` is the number of the first page, 0 or 1. If it is a number that no page can have,
  /// loads fail.
  public init(
    first: Int = 1, rows: @escaping @Sendable (_ number: Int, _ limit: Int) async throws -> [Item]
  ) {
    self.first = first
    self.rows = rows
  }

  /// `overlapping`: pages repeat the page before.
  public var continuity: PageContinuity { .overlapping }

  /// Returns the page for a request, with the page before it in front.
  ///
  /// - Throws: what `rows` threw, or `FeedError.staleKey` for a number that no page can have.
  public func page(_ request: PageRequest<NumberedKey>) async throws -> Page<Item, NumberedKey> {
    try PageCounting.check(first)
    let number = request.key?.number ?? first
    if let key = request.key, !key.canFollow(first) { throw FeedError.staleKey("\(number)") }
    var items = try await rows(number, request.limit)
    guard var above = request.key?.above else {
      return NumberedKey.page(of: items, above: [], number: number, first: first)
    }
    for _ in 0..<3 {
      let before = try await rows(number - 1, request.limit)
      let fingerprint = NumberedKey.fingerprint(of: before)
      if fingerprint == above {
        return NumberedKey.page(of: items, above: before, number: number, first: first)
      }
      above = fingerprint
      items = try await rows(number, request.limit)
    }
    // The list keeps changing: return the page before alone, and continue from there.
    let before = try await rows(number - 1, request.limit)
    return NumberedKey.page(of: before, above: [], number: number - 1, first: first)
  }
}

/// The key of a page that is counted by number.
public struct NumberedKey: Hashable, Codable, Sendable {
  /// The number of the page.
  public let number: Int
  /// A hash of the page before, as it was read; `nil` to read this page alone.
  public let above: UInt64?
  /// The number of rows on each page above it, if the page was found by that.
  package let size: Int?

  /// Creates the key of a page at which a feed starts.
  public init(number: Int) { self.init(number: number, above: nil) }

  package init(number: Int, above: UInt64? = nil, size: Int? = nil) {
    (self.number, self.above, self.size) = (number, above, size)
  }

  /// Returns whether there can be such a page in a list that starts with page `first`.
  package func canFollow(_ first: Int) -> Bool {
    PageCounting.range.contains(number) && number >= first + (above == nil ? 0 : 1)
  }

  /// Returns a page that combines an answer with the page above it.
  package static func page<Item: ListItem>(
    of items: [Item], above: [Item], number: Int, first: Int
  ) -> Page<Item, NumberedKey> {
    let next = NumberedKey(number: number + 1, above: fingerprint(of: items))
    let top = above.isEmpty ? number : number - 1
    return Page(
      above + items, next: items.isEmpty ? nil : next,
      previous: top > first ? NumberedKey(number: top - 1, above: nil) : nil)
  }

  /// Returns a hash of the items' ids, which is the same in every process.
  package static func fingerprint(of items: [some ListItem]) -> UInt64 {
    XXHash64.hash(Data(items.map { "\($0.id)\u{0}" }.joined().utf8))
  }
}
