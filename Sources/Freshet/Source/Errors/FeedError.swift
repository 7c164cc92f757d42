public import struct Foundation.URL
public import struct Foundation.URLError

/// What can go wrong while a feed loads.
///
/// The rows stay on screen whatever it is (rule R4).
///
/// `description` is for a log: what happened, where, and what to try. `localizedDescription` and
/// `recoverySuggestion` are for people, without addresses and codes. No secret is in either, nor in
/// the values that an error of a feed carries: user information in URLs and the values of query
/// parameters that are named like secrets are masked, and text of a server is escaped and bounded
/// (rule N5).
///
/// ```swift
/// switch feed.state.refresh.failure {
/// case .http(status: 401, _, _, _)?: print("show the sign-in screen")
/// case .http(_, _, let seconds?, _)?: print("again in \(seconds) seconds")
/// case .unreachable(_, code: .notConnectedToInternet, _)?: print("show that we are offline")
/// case let error?: print("GET failed: \(error)")  // one line for the log, without secrets
/// case nil: break
/// }
/// ```
@nonexhaustive
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
  /// The answer speaks of more rows, as `seen` says, and the source has no way to get them;
  /// `advice` says what to try (rule T8).
  case unreadPages(seen: String, advice: String, url: URL?)
  /// The server answered with a status that is not success; `retryAfter` is in seconds, `message`
  /// what the server says itself.
  case http(status: Int, url: URL, retryAfter: Double?, message: String?)
  /// The request was not sent, because the server asked to be left alone for that many seconds
  /// more; the reason is what it said with an earlier answer.
  case heldBack(URL, retryAfter: Double, reason: String)
  /// No source can be made of this URL: it needs `http` or `https`, a host, and no user name.
  case invalidURL(URL)
  /// A header field cannot be sent: its name or its value holds what would end the field, or no
  /// name and value may hold. The value is not part of the error: it may be a secret.
  case invalidHeader(name: String, reason: String)
  /// A next link or a redirection leads to an origin that its credentials were not meant for
  /// (rule N1).
  case foreignLink(URL)
  /// A next link or a redirection would carry a secret of the list's requests to another origin,
  /// where it does not belong (rule N1).
  case secretInLink(URL)
  /// A redirection at this URL cannot be followed: it leads nowhere, in circles, or on and on.
  case redirection(URL, reason: String)
  /// The body of an answer is longer than `limit` bytes.
  case tooLarge(limit: Int)
  /// The server could not be reached, or the connection was lost; the code says how.
  case unreachable(URL, code: URLError.Code, reason: String)
  /// The source threw an error of its own.
  case source(any Error)
}

extension FeedError {
  /// Whether another page key may help: cursors expire with 400 or 410.
  var meansStaleKey: Bool {
    switch self {
    case .staleKey, .http(status: 400, _, _, _), .http(status: 410, _, _, _): true
    default: false
    }
  }

  /// The error with secrets masked in what it carries, and texts escaped and bounded: it may be
  /// dumped as it is (rule N5).
  package var masked: FeedError {
    mapTexts({ LogText($0).description }, urls: \.masked)
  }

  /// The error with other texts and URLs in it.
  package func mapTexts(
    _ text: (String) -> String, urls address: (URL) -> URL
  ) -> FeedError {
    switch self {
    case .pagingLoop(let key): .pagingLoop(key: text(key))
    case .staleKey(let key): .staleKey(text(key))
    case .decoding(let path, let expected, let found, let url):
      .decoding(
        path: text(path), expected: text(expected), found: text(found), url: url.map(address))
    case .unreadPages(let seen, let advice, let url):
      .unreadPages(seen: text(seen), advice: text(advice), url: url.map(address))
    case .http(let status, let url, let retryAfter, let message):
      .http(
        status: status, url: address(url), retryAfter: retryAfter, message: message.map(text))
    case .heldBack(let url, let retryAfter, let reason):
      .heldBack(address(url), retryAfter: retryAfter, reason: text(reason))
    case .invalidURL(let url): .invalidURL(address(url))
    case .invalidHeader(let name, let reason):
      .invalidHeader(name: text(name), reason: text(reason))
    case .foreignLink(let url): .foreignLink(address(url))
    case .secretInLink(let url): .secretInLink(address(url))
    case .redirection(let url, let reason): .redirection(address(url), reason: text(reason))
    case .unreachable(let url, let code, let reason):
      .unreachable(address(url), code: code, reason: text(reason))
    case .tooLarge, .source: self
    }
  }
}

extension FeedError: Equatable {
  /// Whether both are the same failure with the same details.
  ///
  /// Errors of a source are compared as they compare themselves where they are `Equatable`, and
  /// else by their type and their text.
  public static func == (first: FeedError, second: FeedError) -> Bool {
    switch (first, second) {
    case (.pagingLoop(let first), .pagingLoop(let second)): first == second
    case (.staleKey(let first), .staleKey(let second)): first == second
    case (.decoding(let a, let b, let c, let d), .decoding(let e, let f, let g, let h)):
      (a, b, c, d) == (e, f, g, h)
    case (.unreadPages(let a, let b, let c), .unreadPages(let d, let e, let f)):
      (a, b, c) == (d, e, f)
    case (.http(let a, let b, let c, let d), .http(let e, let f, let g, let h)):
      (a, b, c, d) == (e, f, g, h)
    case (.heldBack(let a, let b, let c), .heldBack(let d, let e, let f)):
      (a, b, c) == (d, e, f)
    case (.invalidURL(let first), .invalidURL(let second)): first == second
    case (.invalidHeader(let a, let b), .invalidHeader(let c, let d)): (a, b) == (c, d)
    case (.foreignLink(let first), .foreignLink(let second)): first == second
    case (.secretInLink(let first), .secretInLink(let second)): first == second
    case (.redirection(let a, let b), .redirection(let c, let d)): (a, b) == (c, d)
    case (.tooLarge(let first), .tooLarge(let second)): first == second
    case (.unreachable(let a, let b, let c), .unreachable(let d, let e, let f)):
      (a, b, c) == (d, e, f)
    case (.source(let first), .source(let second)): areEqual(first, second)
    default: false
    }
  }

  /// Whether two errors are equal, as far as they can be compared.
  static func areEqual(_ first: some Error, _ second: some Error) -> Bool {
    func isEqual<Value: Equatable>(_ first: Value) -> Bool { second as? Value == first }
    // As `Any`, for an error may become one that is `Equatable` on its way.
    if let first = (first as Any) as? any Equatable { return isEqual(first) }
    return type(of: first) == type(of: second) && "\(first)" == "\(second)"
  }
}
