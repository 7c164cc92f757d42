public import struct Foundation.URL

/// What can go wrong while a feed loads.
///
/// The rows stay on screen whatever it is (rule R4).
///
/// `description` is for a log: what happened, where, and what to try. `localizedDescription` and
/// `recoverySuggestion` are for people, without addresses and codes. No secret is in either, nor in
/// the values that an error of a feed carries, unless your own source put one into an error of its
/// own: user information in URLs and the values of query parameters that are named like secrets are
/// masked, and text of a server is escaped and bounded (rule N5).
///
/// What a source throws is a ``source(_:)``. Those of a web API are `HTTPError`: read them with
/// `failure.httpError`.
///
/// ```swift
/// if let failure = feed.state.refresh.failure {
///   switch failure.httpError {
///   case .status(401, _, _, _)?: print("show the sign-in screen")
///   case .status(_, _, let time?, _)?: print("again in \(time)")
///   case .unreachable(_, code: .notConnectedToInternet, _)?: print("show that we are offline")
///   default: print("GET failed: \(failure)")  // one line for the log, without secrets
///   }
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
  /// The source threw an error of its own; a ``LoadFailure`` says what to do about it.
  case source(any Error)
}

extension FeedError {
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
    case .source: self
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
