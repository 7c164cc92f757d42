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

extension AlertText {
  /// What a source's own error has no words for.
  fileprivate init(_ error: FeedError) {
    self =
      switch error {
      case .unreadPages: .incomplete
      case .decoding(_, "JSON", let found, _) where found.hasPrefix("an HTML page"): .webPage
      case .pagingLoop, .staleKey, .decoding: .unreadable
      case .source(let error as URLError): Self(error.code)
      case .source:
        switch error.recoveryAction {
        case .retry: .unknown
        case .signIn: .signIn
        case .leave: .gone
        case .changeSettings: .misconfigured
        }
      }
  }
}
