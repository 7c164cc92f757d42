public import struct Foundation.URL
public import struct Foundation.URLError
public import Freshet

/// What can go wrong between a list and the server of a web API.
///
/// A feed wraps it in `FeedError.source`; read it with `failure.httpError`:
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
/// A transport of your own throws ``unreachable(_:code:reason:)`` and ``tooLarge(limit:)``. No
/// secret is in `description`, in the words for people, nor in the values that an error of a feed
/// carries (rule N5).
@nonexhaustive
public enum HTTPError: Error, Hashable, Sendable {
  /// The server answered with a status that is not success; `retryAfter` is how long it asks to be
  /// left alone, `message` what it says itself.
  case status(Int, url: URL, retryAfter: Duration?, message: String?)
  /// The request was not sent, because the server asked to be left alone for that much longer; the
  /// reason is what it said with an earlier answer.
  case heldBack(URL, retryAfter: Duration, reason: String)
  /// The server could not be reached, or the connection was lost; the code says how.
  case unreachable(URL, code: URLError.Code, reason: String)
  /// The body of an answer is longer than `limit` bytes.
  case tooLarge(limit: Int)
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
  /// A redirection at this URL cannot be followed: it has no usable target, loops, or is one of too
  /// many.
  case redirection(URL, reason: String)
}

extension FeedError {
  /// What went wrong between the list and the server of a web API; `nil` for any other failure.
  public var httpError: HTTPError? {
    switch self {
    case .source(let error as HTTPError): error
    case .source(let error as FeedError): error.httpError
    default: nil
    }
  }
}

extension HTTPError {
  /// The error with other texts and URLs in it.
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
