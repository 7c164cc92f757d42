// The texts for a change that was not sent, if those for a list do not fit.
extension AlertText {
  /// A sentence that names the problem of a change.
  var changeTitle: String {
    guard let english = englishOfChange?.title else { return title }
    return Self.localized("\(rawValue).change.title", english)
  }

  /// A sentence that suggests what to do about a change.
  var changeAdvice: String {
    guard let english = englishOfChange?.advice else { return advice }
    return Self.localized("\(rawValue).change.advice", english)
  }

  /// The advice for a change that is sent again without an action by the user.
  static var changeIsRetried: String {
    localized("retried.change.advice", "The change is kept, and sent as soon as possible.")
  }

  /// The action that can help a change.
  var changeAction: ErrorNotice.Action { self == .gone ? .discard : action }

  var englishOfChange: (title: String, advice: String)? {
    switch self {
    case .signIn: ("You are not signed in, or no longer.", "Sign in to send this change.")
    case .forbidden:
      (
        "You may not make this change.",
        "Discard it, or sign in with an account that may make it."
      )
    case .gone: ("What you changed is no longer there.", "Discard the change.")
    case .refused:
      ("The server did not accept this change.", "Correct it, or discard it.")
    case .webPage:
      (
        "A web page came instead of an answer.",
        "Sign in to the network you are in, or try another one."
      )
    case .incomplete, .unknown:
      ("The change could not be sent.", "Try again later, or discard the change.")
    case .misconfigured:
      ("The change cannot be sent.", "Check the address and the account in the settings.")
    case .offline, .unreachable, .lost, .slow, .insecure, .busy, .serverTrouble, .unreadable: nil
    }
  }
}
