public import FreshetLists

/// A source that counts rows: `offset` and `limit`.
///
/// Rows that come or go above an offset shift everything below it. So each page is asked for one
/// row early: the feed sees the row it knows and takes what follows, or reads backwards until it
/// sees it (rule T5).
///
/// ```swift
/// let source = OffsetSource { offset, limit in try await api.events(offset: offset, limit: limit) }
/// ```
public struct OffsetSource<Item: ListItem>: FeedSource {
  private let first: Int
  private let rows: @Sendable (_ offset: Int, _ limit: Int) async throws -> [Item]

  /// Creates a source that asks `rows` for at most `limit` rows from `offset` on; `first` is the
  /// offset of the first row, 0 or 1.
  ///
  /// A number that no row can have is an error of the load.
  public init(
    first: Int = 0, rows: @escaping @Sendable (_ offset: Int, _ limit: Int) async throws -> [Item]
  ) {
    self.first = first
    self.rows = rows
  }

  /// Pages repeat the last row of the one before.
  public var continuity: PageContinuity { .overlapping }

  /// The page for a request.
  ///
  /// - Throws: what `rows` threw, or `FeedError.staleKey` for an offset that no row can have.
  public func page(_ request: PageRequest<OffsetKey>) async throws -> Page<Item, OffsetKey> {
    try PageCounting.check(first)
    let offset = request.key?.offset ?? first
    if let key = request.key, !key.canFollow(first) { throw FeedError.staleKey("\(offset)") }
    let rows = try await rows(offset, OffsetKey.limit(of: request))
    return OffsetKey.page(of: rows, for: request, first: first)
  }
}

/// The key of a page that is counted by offset.
public struct OffsetKey: Hashable, Codable, Sendable {
  /// The offset to ask for.
  public let offset: Int
  /// How long the pages of this list have been so far: servers cut the limit silently.
  public let pageSize: Int
  /// The row that stood at the offset, as a number that two ids hardly share, where that matters.
  package var row: UInt64?

  /// Creates the key of a page, to begin a feed with.
  public init(offset: Int, pageSize: Int) {
    self.offset = offset
    self.pageSize = pageSize
  }

  /// Whether there can be such a page in a list that begins at offset `first`.
  package func canFollow(_ first: Int) -> Bool {
    PageCounting.range.contains(offset) && offset >= first
      && PageCounting.range.contains(pageSize)
  }

  /// How many rows to ask for: a page of one would only repeat the row that is known.
  package static func limit(of request: PageRequest<OffsetKey>) -> Int {
    request.key == nil ? request.limit : max(2, request.limit)
  }

  /// The page that an answer is: keyed one row early, and the last one if it brought nothing new
  /// or is shorter than those before it.
  ///
  /// - Parameter count: how many rows the answer had, where some of them could not be read.
  package static func page<Item>(
    of items: [Item], count: Int? = nil, for request: PageRequest<OffsetKey>, first: Int
  ) -> Page<Item, OffsetKey> {
    let rows = 0..<(count ?? items.count)
    let offset = request.key?.offset ?? first
    let known = request.key == nil ? 0 : 1
    // A key may be older than the page size of now, and name a longer page than was asked for.
    let asked = min(limit(of: request), PageCounting.range.upperBound)
    let usual = min(request.key?.pageSize ?? asked, asked)
    // A first page that is short may be all there is, or the server's own limit: the next tells.
    let isEnd = rows.count <= known || request.key != nil && rows.count < usual
    let next = OffsetKey(offset: offset + rows.count - 1, pageSize: rows.count)
    let back = OffsetKey(offset: max(first, offset - max(1, usual - 1)), pageSize: usual)
    return Page(items, next: isEnd ? nil : next, previous: offset > first ? back : nil)
  }
}
