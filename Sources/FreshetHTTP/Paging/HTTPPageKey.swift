internal import Freshet

/// The key of a page of a web API: an opaque value to hand back.
///
/// To start a feed at a page of your choice, use its URL, number or offset:
///
/// ```swift
/// let pages = HTTPFeedSource<Post>("https://api.example.com/posts", paging: .page(size: "count"))
/// let archive = Feed(pages, startingAt: .page(7))
/// ```
///
/// A stored key may not fit the paging style, because another version of the app stored it. The
/// load then fails with `FeedError.staleKey`, and the feed continues from a key further up, or
/// from the head.
public struct HTTPPageKey: Hashable, Sendable {
  enum Kind: Hashable, Codable, Sendable {
    /// The URL from the server.
    case url(String)
    /// The token from the server, or the id of the last row.
    case cursor(String)
    /// A URL or a token, with the number of rows above the page and the list's total.
    case told(TotalCountKey)
    /// A page that begins after a number of rows.
    case offset(OffsetKey)
    /// A page with a number.
    case page(NumberedKey)
    /// A URL that counts pages, with the summary of the page above.
    case counted(PageNumberKey)
  }

  let kind: Kind

  /// Returns the key of the page at a URL.
  public static func url(_ url: String) -> Self { Self(kind: .url(url)) }
  /// Returns the key of the page after a token from the server, or after the row with an id.
  public static func cursor(_ token: String) -> Self { Self(kind: .cursor(token)) }
  /// Returns the key of the page that begins after a number of rows.
  public static func offset(_ rows: Int, pageSize: Int) -> Self {
    .offset(OffsetKey(offset: rows, pageSize: pageSize))
  }
  /// Returns the key of the page with a number.
  public static func page(_ number: Int) -> Self { .page(NumberedKey(number: number)) }

  static func told(_ key: TotalCountKey) -> Self { Self(kind: .told(key)) }
  static func offset(_ key: OffsetKey) -> Self { Self(kind: .offset(key)) }
  static func page(_ key: NumberedKey) -> Self { Self(kind: .page(key)) }
  static func counted(_ key: PageNumberKey) -> Self { Self(kind: .counted(key)) }
}

extension HTTPPageKey: Codable {
  /// Decodes a key from a cache.
  public init(from decoder: any Decoder) throws { kind = try Kind(from: decoder) }

  /// Encodes the key in the form that caches store.
  public func encode(to encoder: any Encoder) throws { try kind.encode(to: encoder) }
}

extension HTTPPageKey: CustomStringConvertible {
  /// The key with its URLs and tokens, which may hold a secret.
  public var description: String { "\(kind)" }
}

extension HTTPPageKey {
  /// Returns the key with its URLs and tokens replaced.
  func map(urls: (String) -> String, tokens: (String) -> String) -> HTTPPageKey {
    switch kind {
    case .url(let url): .url(urls(url))
    case .counted(let key):
      .counted(PageNumberKey(page: urls(key.page), above: urls(key.above), overlap: key.overlap))
    case .cursor(let token): .cursor(tokens(token))
    case .told(let key): .told(key.map(urls: urls, tokens: tokens))
    case .offset, .page: self
    }
  }

  /// The URLs and tokens in the key, which a server wrote.
  var texts: [String] {
    switch kind {
    case .url(let url): [url]
    case .counted(let key): [key.page, key.above]
    case .cursor(let token): [token]
    case .told(let key): key.plain.texts
    case .offset, .page: []
    }
  }
}
