public import Foundation

extension FeedError: LocalizedError {
  /// A description of the failure for the user: no address, no code, no jargon.
  ///
  /// If the source's own error has a text for users, that text is used. All other texts are in
  /// English unless the app has its own: see ``recoverySuggestion``.
  public var errorDescription: String? {
    ownDescription ?? alert.title
  }

  /// A suggestion for the user about what to do.
  ///
  /// For other words or languages, add a table `Freshet.strings` (or a string catalogue
  /// `Freshet.xcstrings`) to the app's main bundle. The article "Errors" lists its keys.
  public var recoverySuggestion: String? {
    guard case .source(let error) = self, ownDescription != nil else { return alert.advice }
    return (error as? any LocalizedError)?.recoverySuggestion
  }

  /// The own text of the source's error for users, if it has one.
  var ownDescription: String? {
    if case .source(let error) = self { error.ownDescription } else { nil }
  }
}

extension Error {
  /// The error's own text for users, if it has one.
  ///
  /// It is `nil` if the error has only its type and a number, and for errors for which `AlertText`
  /// has a better text.
  fileprivate var ownDescription: String? {
    if self is URLError || self is any AlertFailure { return nil }
    return (self as? any LocalizedError)?.errorDescription
      ?? (type(of: self) == NSError.self ? localizedDescription : nil)
  }
}

extension FeedError: AlertFailure {
  /// The kind of failure, for an error that has no text of its own.
  package var alert: AlertText {
    switch self {
    case .unreadPages: .incomplete
    case .decoding(_, "JSON", let found, _) where found.hasPrefix("an HTML page"): .webPage
    case .pagingLoop, .staleKey, .decoding: .unreadable
    case .source(let error as URLError): AlertText(error.code)
    case .source(let error as any AlertFailure): error.alert
    case .source:
      switch recoveryAction {
      case .retry, .discard: .unknown
      case .signIn: .signIn
      case .leave: .gone
      case .changeSettings: .misconfigured
      }
    }
  }
}
