public import struct Foundation.URL
public import struct Foundation.URLError
public import Freshet

/// An error between a list and the server of a web API.
///
/// A feed wraps it in `FeedError.source`. Read it with `failure.httpError`:
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
///
/// A transport of your own throws ``unreachable(_:code:reason:)`` and ``tooLarge(limit:)``.
/// Secrets are removed from `description`, from the texts for people, and from the values of an
/// error that a feed reports (rule N5).
@nonexhaustive
public enum HTTPError: Error, Hashable, Sendable {
  /// The server answered with a status that is not a success.
  ///
  /// `retryAfter` is how long it asks clients to wait. `message` is its own message.
  case status(Int, url: URL, retryAfter: Duration?, message: String?)
  /// The request was not sent, because the server asked clients to wait that much longer.
  ///
  /// The reason is the server's message in an earlier response.
  case heldBack(URL, retryAfter: Duration, reason: String)
  /// The server could not be reached, or the connection was lost; the code names the reason.
  case unreachable(URL, code: URLError.Code, reason: String)
  /// The body of a response is longer than `limit` bytes.
  case tooLarge(limit: Int)
  /// The URL cannot be used for a source: it needs `http` or `https`, a host, and no user name.
  case invalidURL(URL)
  /// A header field cannot be sent, because its name or value has characters that are not allowed.
  ///
  /// Such characters may end the field. The error does not contain the value, which may be a
  /// secret.
  case invalidHeader(name: String, reason: String)
  /// A next link or a redirection leads to an origin that the credentials are not for (rule N1).
  case foreignLink(URL)
  /// A next link or a redirection would send a secret of the list to another origin (rule N1).
  case secretInLink(URL)
  /// A redirection at this URL cannot be followed.
  ///
  /// It has no usable target, is part of a loop, or exceeds the allowed number.
  case redirection(URL, reason: String)
}

extension FeedError {
  /// The error between the list and the server of a web API; `nil` for any other failure.
  public var httpError: HTTPError? {
    switch self {
    case .source(let error as HTTPError): error
    case .source(let error as FeedError): error.httpError
    default: nil
    }
  }
}

extension HTTPError {
  /// Returns the error with its texts and URLs replaced.
  func mapTexts(_ text: (String) -> String, urls address: (URL) -> URL) -> HTTPError {
    switch self {
    case .status(let status, let url, let retryAfter, let message):
      .status(status, url: address(url), retryAfter: retryAfter, message: message.map(text))
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
    case .tooLarge: self
    }
  }
}
