/// The key of a page, a link or a token, in a list that has a total and was read from its head
/// without a gap: such a list does not end silently long before its total (rule T8).
struct TotalCountKey: Hashable, Codable, Sendable {
  /// The URL the server gave, or the token.
  let url: String?
  let cursor: String?
  /// The rows read so far.
  let rows: RowsSeen

  /// The key of the page, without the count.
  var plain: HTTPPageKey { url.map(HTTPPageKey.url) ?? .cursor(cursor ?? "") }

  /// The key with another URL or token in it.
  func map(urls: (String) -> String, tokens: (String) -> String) -> TotalCountKey {
    TotalCountKey(url: url.map(urls), cursor: cursor.map(tokens), rows: rows)
  }
}

/// How many rows were read from the head of a list, and the total that it reported.
///
/// Rows may be inserted and deleted meanwhile. The least total that a page reported counts neither
/// later insertions nor earlier deletions, so at least that many rows are read, or a few less if
/// some are inserted above while others are deleted below. A list that ends a page's length or more
/// before that total was cut off.
struct RowsSeen: Hashable, Codable, Sendable {
  /// How many rows were read.
  let count: Int
  /// The least total that a page reported.
  let total: Int
  /// How many rows the longest page had.
  let size: Int

  /// What is known behind a page; `nil` where nothing is, or nothing is missing any more.
  init?(above: RowsSeen?, page rows: Int, total told: Int?) {
    guard let total = [above?.total, told].compactMap({ $0 }).min(),
      let count = (above?.count ?? 0).counting(rows)
    else { return nil }
    (self.count, self.total, size) = (count, total, max(above?.size ?? 0, rows))
    if count >= total { return nil }
  }

  /// Whether a list does not end here.
  var isCutOff: Bool { total - count >= max(1, size) }
}
