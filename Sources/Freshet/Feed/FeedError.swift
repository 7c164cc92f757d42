public import protocol Foundation.LocalizedError
public import struct Foundation.URL
public import struct Foundation.URLError

/// What can go wrong while a feed loads.
///
/// The rows stay on screen whatever it is (rule R4).
public enum FeedError: Error, Sendable {
  /// A page led back to a key already used, or page after page brought nothing new (rule T7).
  case pagingLoop(key: String)
  /// A page key no longer leads anywhere: it expired, or an earlier version of the app stored it.
  ///
  /// A source that throws it is asked again by a key further up, or from the head, until the rows
  /// meet what is known.
  case staleKey(String)
  /// The answer was not what the source promised: at `path` of its JSON, `found` stood where
  /// `expected` belongs.
  case decoding(path: String, expected: String, found: String, url: URL?)
  /// The answer speaks of more rows, as `seen` says, and the source has no way to get them; `advice` says
  /// what to try (rule T8).
  case unreadPages(seen: String, advice: String, url: URL?)
  /// The server answered with a status that is not success; `retryAfter` is in seconds, `message` what
  /// the server says itself.
  case http(status: Int, url: URL, retryAfter: Double?, message: String?)
  /// No source can be made of this URL: it needs `http` or `https`, a host, and no user name.
  case invalidURL(URL)
  /// A next link leads to an origin that its credentials were not meant for (rule N1).
  case foreignLink(URL)
  /// The body of an answer is longer than `limit` bytes.
  case tooLarge(limit: Int)
  /// The server could not be reached, or the connection was lost; the code says how.
  case unreachable(URL, code: URLError.Code, reason: String)
  /// The source threw an error of its own.
  case source(any Error)
}

extension FeedError: CustomStringConvertible {
  /// What went wrong and what to try.
  public var description: String {
    switch self {
    case .pagingLoop(let key):
      "Paging goes in circles at key \(key): the server repeats pages. Refresh, or check the key that the source derives from a page."
    case .staleKey(let key):
      "The page key \(key) no longer leads anywhere. Refresh to start from the head."
    case .decoding(let path, let expected, let found, let url):
      "Expected \(expected) at \(path.isEmpty ? "the root" : path)\(url.map { " of \($0.absoluteString)" } ?? ""), found \(found)."
    case .unreadPages(let seen, let advice, let url):
      "There are more rows than this way of paging reaches\(url.map { " at \($0.absoluteString)" } ?? ""): the answer holds \(seen). \(advice)"
    case .http(let status, let url, let retryAfter, _):
      "\(url.absoluteString) answered with status \(status)\(Self.advice(status, retryAfter))"
    case .invalidURL(let url):
      "\(url.absoluteString) is not the URL of a web API: it needs http or https, a host, and no user name."
    case .foreignLink(let url):
      "The next link leads to another origin, \(url.absoluteString). Allow it if you trust it; it never gets your credentials."
    case .tooLarge(let limit):
      "The answer is longer than \(limit) bytes. Ask for smaller pages or raise the limit."
    case .unreachable(let url, _, let reason):
      "Cannot reach \(url.absoluteString): \(reason). Check the address and the connection, then retry."
    case .source(let error):
      "The source failed: \(error)"
    }
  }

  private static func advice(_ status: Int, _ retryAfter: Double?) -> String {
    if let seconds = retryAfter.flatMap({ Int(exactly: $0.rounded(.up)) }) {
      return ". Try again in \(seconds) seconds."
    }
    return switch status {
    case 400, 422: ". Check the address and how the server counts pages."
    case 401, 403: ". Check the credentials."
    case 404, 410: ". Check the address."
    case 408, 429, 500...: ". Try again later."
    default: "."
    }
  }
}

extension FeedError: LocalizedError {
  /// What went wrong and what to try.
  public var errorDescription: String? { description }
}

extension FeedError {
  /// Whether another page key may help: cursors expire with 400 or 410.
  var meansStaleKey: Bool {
    switch self {
    case .staleKey, .http(status: 400, _, _, _), .http(status: 410, _, _, _): true
    default: false
    }
  }
}

extension FeedError: Equatable {
  /// Whether both say the same.
  public static func == (first: FeedError, second: FeedError) -> Bool {
    first.description == second.description
  }
}
