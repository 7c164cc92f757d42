public import Freshet

/// The key of a page of a web API: to begin a feed with a page, say `.url("https://…")`, or
/// `.page(NumberedKey(number: 7))`.
///
/// A key that does not fit the paging style, because another version of the app stored it, is
/// `FeedError.staleKey`: the feed goes on from a key further up, or from the head.
@nonexhaustive
public enum HTTPPageKey: Hashable, Codable, Sendable {
  /// The URL the server gave.
  case url(String)
  /// The token the server gave, or the id of the last row.
  case cursor(String)
  /// What the server gave, and how many rows of a total came before.
  case told(TotalCountKey)
  /// A page that begins behind a count of rows.
  case offset(OffsetKey)
  /// A page by its number.
  case page(NumberedKey)
  /// A count of pages, with what is known of the page above.
  case counted(PageNumberKey)
}

extension HTTPPageKey {
  /// The key with other URLs and tokens in it.
  func map(urls: (String) -> String, tokens: (String) -> String) -> HTTPPageKey {
    switch self {
    case .url(let url): .url(urls(url))
    case .counted(let key):
      .counted(PageNumberKey(page: urls(key.page), above: urls(key.above), overlap: key.overlap))
    case .cursor(let token): .cursor(tokens(token))
    case .told(let key): .told(key.map(urls: urls, tokens: tokens))
    case .offset, .page: self
    }
  }

  /// What a server wrote of it.
  var texts: [String] {
    switch self {
    case .url(let url): [url]
    case .counted(let key): [key.page, key.above]
    case .cursor(let token): [token]
    case .told(let key): key.plain.texts
    case .offset, .page: []
    }
  }
}
