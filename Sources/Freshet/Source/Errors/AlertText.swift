package import Foundation

/// The text of an alert, one case for each kind of failure.
package enum AlertText: String, CaseIterable, Sendable {
  case offline, unreachable, lost, slow, insecure, signIn, forbidden, gone, busy, serverTrouble,
    refused
  case unreadable, webPage, incomplete, misconfigured, unknown

  package init(_ code: URLError.Code) {
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

  /// A sentence that names the problem.
  package var title: String { Self.localized("\(rawValue).title", english.title) }
  /// A sentence that suggests what to do.
  package var advice: String { Self.localized("\(rawValue).advice", english.advice) }

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

extension AlertText {
  /// The action that can help.
  package var action: ErrorNotice.Action {
    switch self {
    case .signIn, .forbidden: .signIn
    case .gone: .leave
    case .misconfigured: .changeSettings
    default: .retry
    }
  }
}
