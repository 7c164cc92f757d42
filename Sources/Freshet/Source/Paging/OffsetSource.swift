public import FreshetLists

/// A source that counts rows: `offset` and `limit`.
///
/// If rows are inserted or removed above an offset, everything below it shifts. So each page is
/// requested one row early. The feed finds the row it knows and takes the rows after it, or reads
/// backwards until it finds the row (rule T5).
///
/// ```swift
/// let source = OffsetSource { offset, limit in try await api.events(offset: offset, limit: limit) }
/// ```
public struct OffsetSource<Item: ListItem>: FeedSource {
  private let first: Int
  private let rows: @Sendable (_ offset: Int, _ limit: Int) async throws -> [Item]

  /// Creates a source that calls `rows` for at most `limit` rows, starting at `offset`.
  ///
  /// `first` is the offset of the first row, 0 or 1. If it is a number that no row can have, loads
  /// fail.
  public init(
    first: Int = 0, rows: @escaping @Sendable (_ offset: Int, _ limit: Int) async throws -> [Item]
  ) {
    self.first = first
    self.rows = rows
  }

  /// `overlapping`: pages repeat the last row of the page before.
  public var continuity: PageContinuity { .overlapping }

  /// Returns the page for a request.
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
  /// The offset of the first row to request.
  public let offset: Int
  /// The size of this list's pages so far: servers reduce the limit without notice.
  public let pageSize: Int
  /// A hash of the id of the row at the offset, for sources that compare it.
  package var row: UInt64?

  /// Creates the key of a page at which a feed starts.
  public init(offset: Int, pageSize: Int) {
    self.offset = offset
    self.pageSize = pageSize
  }

  /// Returns whether there can be such a page in a list that starts at offset `first`.
  package func canFollow(_ first: Int) -> Bool {
    PageCounting.range.contains(offset) && offset >= first
      && PageCounting.range.contains(pageSize)
  }

  /// Returns the key of a page some rows further down; `nil` if the number is too large.
  package func advanced(by rows: Int) -> OffsetKey? {
    let (offset, overflow) = offset.addingReportingOverflow(rows)
    guard !overflow, PageCounting.range.contains(offset) else { return nil }
    return OffsetKey(offset: offset, pageSize: pageSize)
  }

  /// Returns how many rows to request: a later page of one row would only repeat the known row.
  package static func limit(of request: PageRequest<OffsetKey>) -> Int {
    request.key == nil ? request.limit : max(2, request.limit)
  }

  /// Returns the page for an answer.
  ///
  /// Its `next` key starts one row early. It is the last page if it has nothing new, or is shorter
  /// than those before it.
  ///
  /// - Parameter count: the number of rows in the answer, if some of them could not be read.
  package static func page<Item>(
    of items: [Item], count: Int? = nil, for request: PageRequest<OffsetKey>, first: Int
  ) -> Page<Item, OffsetKey> {
    let rows = 0..<(count ?? items.count)
    let offset = request.key?.offset ?? first
    let known = request.key == nil ? 0 : 1
    // A stored key may have a larger page size than this request.
    let asked = min(limit(of: request), PageCounting.range.upperBound)
    let usual = min(request.key?.pageSize ?? asked, asked)
    // A short first page may be all there is, or the server's own limit: the next page shows which.
    let isEnd = rows.count <= known || request.key != nil && rows.count < usual
    let next = OffsetKey(offset: offset + rows.count - 1, pageSize: rows.count)
    let back = OffsetKey(offset: max(first, offset - max(1, usual - 1)), pageSize: usual)
    return Page(items, next: isEnd ? nil : next, previous: offset > first ? back : nil)
  }
}
