/// The key of a page in a list that has a total and was read from its head without a gap.
///
/// Such a list does not end silently long before its total (rule T8).
struct TotalCountKey: Hashable, Codable, Sendable {
  /// The URL or the token from the server.
  let url: String?
  let cursor: String?
  /// The count of rows read so far.
  let rows: RowsSeen

  /// The key of the page without the count.
  var plain: HTTPPageKey { url.map(HTTPPageKey.url) ?? .cursor(cursor ?? "") }

  /// Returns the key with its URL or token replaced.
  func map(urls: (String) -> String, tokens: (String) -> String) -> TotalCountKey {
    TotalCountKey(url: url.map(urls), cursor: cursor.map(tokens), rows: rows)
  }
}

/// The number of rows read from the head of a list, and the total that it reported.
///
/// Rows may be inserted and deleted meanwhile. The least total that a page reported excludes later
/// insertions and earlier deletions. So at least that many rows are read, or a few less if some
/// are inserted above while others are deleted below. A list that ends a page's length or more
/// before that total was cut off.
struct RowsSeen: Hashable, Codable, Sendable {
  /// The number of rows read.
  let count: Int
  /// The least total that a page reported.
  let total: Int
  /// The number of rows on the longest page.
  let size: Int

  /// Creates the count after a page; `nil` if the total is unknown or has been reached.
  init?(above: RowsSeen?, page rows: Int, total told: Int?) {
    guard let total = [above?.total, told].compactMap({ $0 }).min(),
      let count = (above?.count ?? 0).counting(rows)
    else { return nil }
    (self.count, self.total, size) = (count, total, max(above?.size ?? 0, rows))
    if count >= total { return nil }
  }

  /// Whether a list that ends here was cut off.
  var isCutOff: Bool { total - count >= max(1, size) }
}
