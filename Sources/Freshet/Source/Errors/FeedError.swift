public import struct Foundation.URL

/// A failure of a feed's load.
///
/// The rows stay on screen after every failure (rule R4).
///
/// `description` is for logs: the failure, its place, and what to try. `localizedDescription` and
/// `recoverySuggestion` are for users, without addresses and codes. User information in URLs and
/// the values of query parameters with secret names are masked. Text from a server is escaped and
/// bounded (rule N5). So neither the texts nor the values in an error contain secrets, unless your
/// own source puts one into its own error.
///
/// An error of the source's own becomes a ``source(_:)``. The errors of a web API are `HTTPError`:
/// read them with `failure.httpError`.
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
  /// A page named a key that was already used, or page after page had nothing new (rule T7).
  case pagingLoop(key: String)
  /// A page key is no longer valid: it expired, or an earlier version of the app stored it.
  ///
  /// If a source throws this, the feed continues with a key further up, or from the head, until the
  /// rows meet the known ones.
  case staleKey(String)
  /// The answer was not in the form that the source promised.
  ///
  /// At `path` of its JSON, `found` was found instead of `expected`.
  case decoding(path: String, expected: String, found: String, url: URL?)
  /// The answer reports more rows, and the source has no way to load them (rule T8).
  ///
  /// `seen` describes the evidence in the answer, and `advice` suggests what to try.
  case unreadPages(seen: String, advice: String, url: URL?)
  /// The source threw its own error, which can describe the recovery as a ``LoadFailure``.
  case source(any Error)
}

extension FeedError {
  /// Returns the error with its texts and URLs replaced.
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
  /// Returns whether both are the same failure with the same details.
  ///
  /// Errors of a source are compared by their own `==` if they are `Equatable`, and otherwise by
  /// their type and their text.
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

  /// Returns whether two errors are equal, as far as they can be compared.
  static func areEqual(_ first: some Error, _ second: some Error) -> Bool {
    func isEqual<Value: Equatable>(_ first: Value) -> Bool { second as? Value == first }
    // Cast as `Any`, because a cast of an error may convert it to one that is `Equatable`.
    if let first = (first as Any) as? any Equatable { return isEqual(first) }
    return type(of: first) == type(of: second) && "\(first)" == "\(second)"
  }
}
