public import Foundation
public import Freshet

extension HTTPError: LoadFailure {
  /// Whether the same request may succeed later.
  ///
  /// True if the server cannot be reached, unless its certificate or its address is the reason.
  /// True also for the statuses 408, 425, 429, 500, 502, 503 and 504, and for 403 with a time to
  /// wait.
  public var isTransient: Bool {
    switch self {
    case .unreachable(_, let code, _): !code.isForGood
    case .heldBack: true
    case .status(403, _, let retryAfter, _): retryAfter != nil
    case .status(let status, _, _, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// The time that the server asks clients to wait.
  public var retryAfter: Duration? {
    switch self {
    case .status(_, _, let time, _): time
    case .heldBack(_, let time, _): time
    default: nil
    }
  }

  /// Whether another page key may help: cursors expire with 400 or 410.
  public var isStaleKey: Bool {
    switch self {
    case .status(400, _, _, _), .status(410, _, _, _): true
    default: false
    }
  }

  /// The action that a person can take.
  public var recoveryAction: ErrorNotice.Action { alert.action }
}

extension HTTPError: MaskedFailure {
  /// The error with secrets masked, and with texts escaped and bounded.
  package var masked: HTTPError { mapTexts({ LogText($0).description }, urls: \.masked) }
}

extension HTTPError: LocalizedError {
  /// The error in plain words for people, without address or code.
  public var errorDescription: String? { alert.title }

  /// The advice for people; `FeedError` describes how to change its words and languages.
  public var recoverySuggestion: String? { alert.advice }
}

extension HTTPError: AlertFailure {
  /// The kind of failure.
  package var alert: AlertText {
    switch self {
    case .unreachable(_, let code, _): AlertText(code)
    case .status(401, _, _, _), .status(407, _, _, _): .signIn
    case .heldBack, .status(_, _, _?, _), .status(429, _, _, _), .status(503, _, _, _): .busy
    case .status(403, _, _, _): .forbidden
    case .status(404, _, _, _), .status(410, _, _, _): .gone
    case .status(let status, _, _, _): status >= 500 ? .serverTrouble : .refused
    case .tooLarge, .redirection, .foreignLink, .secretInLink: .unreadable
    case .invalidURL, .invalidHeader: .misconfigured
    }
  }
}
