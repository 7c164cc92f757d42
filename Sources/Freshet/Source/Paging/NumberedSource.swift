internal import Foundation
public import FreshetLists

/// A source that counts pages: `page=2`.
///
/// Numbered pages cannot be asked for one row early, and a row deleted above page 2 takes a row
/// from its top that nobody ever sees. So the page before is read again *after* each page: if it
/// still is what it was, nothing moved in between, and both are handed out as one page that
/// repeats what the feed knows (rule T5). That costs a second request for each page. Where the
/// server can count rows instead, `OffsetSource` needs one.
///
/// ```swift
/// NumberedSource { number, count in try await api.posts(page: number, count: count) }
/// ```
///
/// - Note: Two changes above a page that cancel each other out between two requests go unseen
///   until the next refresh.
public struct NumberedSource<Item: ListItem>: FeedSource {
  private let first: Int
  private let rows: @Sendable (_ number: Int, _ limit: Int) async throws -> [Item]

  /// Creates a source that asks `rows` for one page by its number; `first` is the number of the
  /// first page, 0 or 1.
  ///
  /// A number that no page can have is an error of the load.
  public init(
    first: Int = 1, rows: @escaping @Sendable (_ number: Int, _ limit: Int) async throws -> [Item]
  ) {
    self.first = first
    self.rows = rows
  }

  /// Pages repeat the page before.
  public var continuity: PageContinuity { .overlapping }

  /// The page for a request, with the one above it in front.
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
    // The list does not hold still: hand out the page above alone, and go on from there.
    let before = try await rows(number - 1, request.limit)
    return NumberedKey.page(of: before, above: [], number: number - 1, first: first)
  }
}

/// The key of a page that is counted by number.
public struct NumberedKey: Hashable, Codable, Sendable {
  /// The number of the page.
  public let number: Int
  /// What the page before was when it was read; `nil` to read this page alone.
  public let above: UInt64?

  /// Creates the key of a page, to begin a feed with.
  public init(number: Int) { self.init(number: number, above: nil) }

  init(number: Int, above: UInt64?) {
    self.number = number
    self.above = above
  }

  /// Whether there can be such a page in a list that begins with page `first`.
  package func canFollow(_ first: Int) -> Bool {
    PageCounting.range.contains(number) && number >= first + (above == nil ? 0 : 1)
  }

  /// The page that an answer and the page above it make together.
  package static func page<Item: ListItem>(
    of items: [Item], above: [Item], number: Int, first: Int
  ) -> Page<Item, NumberedKey> {
    let next = NumberedKey(number: number + 1, above: fingerprint(of: items))
    let top = above.isEmpty ? number : number - 1
    return Page(
      above + items, next: items.isEmpty ? nil : next,
      previous: top > first ? NumberedKey(number: top - 1, above: nil) : nil)
  }

  /// A number that two pages with other ids hardly share, the same in every process.
  package static func fingerprint(of items: [some ListItem]) -> UInt64 {
    XXHash64.hash(Data(items.map { "\($0.id)\u{0}" }.joined().utf8))
  }
}
