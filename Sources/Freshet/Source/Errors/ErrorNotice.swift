internal import Foundation

/// A failure as a screen shows it: a message for the user, advice, and one action.
///
/// It can be created from any error that a feed or live results can show.
///
/// ```swift
/// .failure { notice in
///   Text(notice.message)
///   if notice.action == .retry { Button("Try Again") { feed.retry() } }
/// }
/// ```
///
/// Its texts contain no addresses, codes, jargon or secrets. They are in English unless the app
/// supplies its own: see <doc:Errors>.
public struct ErrorNotice: Equatable, Sendable {
  /// An action that the user can take.
  @nonexhaustive
  public enum Action: String, CaseIterable, Sendable {
    /// Load again, with `retry()` of the list.
    case retry
    /// Sign in, then load again.
    case signIn
    /// Go back: the list no longer exists.
    case leave
    /// Check the address and the account in the settings.
    case changeSettings
    /// Discard a change that cannot be sent, with `discard(_:)` of the outbox.
    case discard

    /// The title of a button for the action.
    public var title: String {
      let english =
        switch self {
        case .retry: "Try Again"
        case .signIn: "Sign In"
        case .leave: "Go Back"
        case .changeSettings: "Settings"
        case .discard: "Discard"
        }
      return AlertText.localized("\(rawValue).action", english)
    }
  }

  /// The problem, in one sentence.
  public let message: String
  /// The advice for the user; `nil` if there is none.
  public let advice: String?
  /// The one action to offer; `nil` while the load is retried automatically.
  public let action: Action?

  /// Whether the load is retried automatically, without an action by the user.
  public var isRetriedByItself: Bool { action == nil }

  /// Creates a notice that was stored.
  init(message: String, advice: String?, action: Action?) {
    (self.message, self.advice, self.action) = (message, advice, action)
  }

  /// Creates the notice of an error.
  ///
  /// - Parameters:
  ///   - error: the failure.
  ///   - isRetriedByItself: whether the load is retried automatically, without an action by the
  ///     user.
  public init(_ error: any Error, isRetriedByItself: Bool = false) {
    let error = error as? FeedError ?? .source(error)
    message = error.errorDescription ?? AlertText.unknown.title
    advice = error.recoverySuggestion
    action = isRetriedByItself ? nil : error.recoveryAction
  }

  /// Creates the notice of a change that was not sent.
  ///
  /// - Parameters:
  ///   - error: the failure.
  ///   - isRetriedByItself: whether it is sent again without an action by the user.
  init(ofChange error: any Error, isRetriedByItself: Bool) {
    let error = error as? FeedError ?? .source(error)
    let (own, alert) = (error.ownDescription, error.alert)
    let advice = own == nil ? alert.changeAdvice : error.recoverySuggestion
    let action = own == nil ? alert.changeAction : error.recoveryAction
    message = own ?? alert.changeTitle
    self.advice = isRetriedByItself ? AlertText.changeIsRetried : advice
    self.action = isRetriedByItself ? nil : action
  }
}

extension ListState {
  /// The notice of the first failure; `nil` if nothing failed.
  public var notice: ErrorNotice? { failure.map { ErrorNotice($0) } }
}

extension LoadState {
  /// The notice of the last load, if it failed.
  public var notice: ErrorNotice? { failure.map { ErrorNotice($0) } }
}
