public import Foundation

extension FeedError: LocalizedError {
  /// What went wrong, for people: no address, no code, no jargon.
  ///
  /// An error of the source's own says what it says itself, if it has words for people. The texts
  /// are English unless the app has its own: see ``recoverySuggestion``.
  public var errorDescription: String? {
    if case .source(let error) = self, let text = error.ownDescription { return text }
    return AlertText(self).title
  }

  /// What to do about it, for people.
  ///
  /// An app says it in other words or languages by a table `Freshet.strings` (or a string catalogue
  /// `Freshet.xcstrings`) in its main bundle, whose keys are the article "Errors"'s.
  public var recoverySuggestion: String? {
    if case .source(let error) = self, error.ownDescription != nil {
      return (error as? any LocalizedError)?.recoverySuggestion
    }
    return AlertText(self).advice
  }
}

extension Error {
  /// What an error says in its own words; `nil` where it says no more than its type and a number,
  /// and where there are better words for it.
  fileprivate var ownDescription: String? {
    if self is URLError { return nil }
    return (self as? any LocalizedError)?.errorDescription
      ?? (type(of: self) == NSError.self ? localizedDescription : nil)
  }
}

/// The words for an alert: which of a few things that people can do something about it is.
enum AlertText: String, CaseIterable {
  case offline, unreachable, lost, slow, insecure, signIn, forbidden, gone, busy, serverTrouble,
    refused
  case unreadable, webPage, incomplete, misconfigured, unknown

  init(_ error: FeedError) {
    self =
      switch error {
      case .unreachable(_, let code, _): Self(code)
      case .http(401, _, _, _), .http(407, _, _, _): .signIn
      case .heldBack, .http(_, _, _?, _), .http(429, _, _, _), .http(503, _, _, _): .busy
      case .http(403, _, _, _): .forbidden
      case .http(404, _, _, _), .http(410, _, _, _): .gone
      case .http(let status, _, _, _): status >= 500 ? .serverTrouble : .refused
      case .unreadPages: .incomplete
      case .decoding(_, "JSON", let found, _) where found.hasPrefix("an HTML page"): .webPage
      case .pagingLoop, .staleKey, .decoding, .tooLarge, .redirection, .foreignLink, .secretInLink:
        .unreadable
      case .invalidURL, .invalidHeader: .misconfigured
      case .source(let error as URLError): Self(error.code)
      case .source: .unknown
      }
  }

  init(_ code: URLError.Code) {
    self =
      switch code {
      case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired,
        .appTransportSecurityRequiresSecureConnection:
        .insecure
      case .networkConnectionLost: .lost
      case .timedOut: .slow
      case .badServerResponse, .cannotDecodeContentData, .dataLengthExceedsMaximum: .unreadable
      default: .unreachable
      }
  }

  /// What went wrong.
  var title: String { Self.localized("\(rawValue).title", english.title) }
  /// What to do.
  var advice: String { Self.localized("\(rawValue).advice", english.advice) }

  private static let (checkConnection, tryLater, tryLaterOrUpdate) = (
    "Check your connection to the internet, then try again.", "Try again later.",
    "Try again later. If that does not help, look for a new version of this app."
  )

  var english: (title: String, advice: String) {
    switch self {
    case .offline: ("You seem to be offline.", Self.checkConnection)
    case .unreachable: ("The server cannot be reached.", Self.checkConnection)
    case .lost: ("The connection to the server was lost.", Self.checkConnection)
    case .slow:
      (
        "The server did not answer in time.",
        "Check your connection to the internet, or try again later."
      )
    case .insecure:
      (
        "There is no secure connection to the server.",
        "Check the date and time of this device, and whether you have to sign in to the network."
      )
    case .signIn: ("You are not signed in, or no longer.", "Sign in, then try again.")
    case .forbidden:
      ("You have no access to this list.", "Sign in as somebody who has, or ask for it.")
    case .gone: ("This list is no longer there.", "Go back and open it again.")
    case .busy: ("The server is busy.", "Wait a while, then try again.")
    case .serverTrouble: ("The server has a problem.", Self.tryLater)
    case .refused: ("The server did not accept the request.", Self.tryLater)
    case .unreadable: ("The server's answer could not be read.", Self.tryLaterOrUpdate)
    case .webPage:
      (
        "A web page came instead of the list.",
        "Sign in to the network you are in, or try another one."
      )
    case .incomplete: ("There is more than could be loaded.", Self.tryLaterOrUpdate)
    case .misconfigured:
      ("The list cannot be loaded.", "Check the address and the account in the settings.")
    case .unknown: ("The list could not be loaded.", Self.tryLater)
    }
  }

  static func localized(_ key: String, _ english: String) -> String {
    Bundle.main.localizedString(forKey: key, value: english, table: "Freshet")
  }
}
