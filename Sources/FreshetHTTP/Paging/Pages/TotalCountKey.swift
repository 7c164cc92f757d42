/// The key of a page behind a link or a token that stays, in a list that told a total and was read
/// from its head without a gap: so that it does not end in silence far before that total (rule T8).
public struct TotalCountKey: Hashable, Codable, Sendable {
  /// The URL the server gave, or the token.
  let url: String?
  let cursor: String?
  /// What is known of the rows above.
  let rows: RowsSeen

  /// The key of the page, where nobody counts.
  var plain: HTTPPageKey { url.map(HTTPPageKey.url) ?? .cursor(cursor ?? "") }

  /// The key with another URL or token in it.
  func map(urls: (String) -> String, tokens: (String) -> String) -> TotalCountKey {
    TotalCountKey(url: url.map(urls), cursor: cursor.map(tokens), rows: rows)
  }
}

/// How many rows came from the head of a list on, and how many it was said to have.
///
/// Rows come and go meanwhile. What came above was not there when the total was told that was the
/// least, and what went is not counted by it; so as many rows as that came, or a few less where
/// some came above while as many went below. A list that ends at a page's length or more before it
/// was cut off.
struct RowsSeen: Hashable, Codable, Sendable {
  /// How many rows came.
  let count: Int
  /// The least total that a page told.
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
