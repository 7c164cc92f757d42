internal import Foundation

/// What went wrong, as a screen shows it: a message for people, what to do, and one action.
///
/// It is made of any error that a feed or results can show.
///
/// ```swift
/// .failure { notice in
///   Text(notice.message)
///   if notice.action == .retry { Button("Try Again") { feed.retry() } }
/// }
/// ```
///
/// No address, code, jargon or secret is in its texts. They are English unless the app has its own:
/// see
/// <doc:Errors>.
public struct ErrorNotice: Equatable, Sendable {
  /// What somebody can do about it.
  @nonexhaustive
  public enum Action: String, CaseIterable, Sendable {
    /// Ask again, by `retry()` of the list.
    case retry
    /// Sign in, then ask again.
    case signIn
    /// Go back: the list is no longer there.
    case leave
    /// Look at the address and the account in the settings.
    case changeSettings

    /// What a button for it says.
    public var title: String {
      let english =
        switch self {
        case .retry: "Try Again"
        case .signIn: "Sign In"
        case .leave: "Go Back"
        case .changeSettings: "Settings"
        }
      return AlertText.localized("\(rawValue).action", english)
    }
  }

  /// What went wrong, in one sentence.
  public let message: String
  /// What to do about it; `nil` where nobody knows.
  public let advice: String?
  /// The one thing to offer; `nil` while it is tried again without anybody doing anything.
  public let action: Action?

  /// Whether it is tried again without anybody doing anything.
  public var isRetriedByItself: Bool { action == nil }

  /// Creates the notice of an error.
  ///
  /// - Parameters:
  ///   - error: what went wrong.
  ///   - isRetriedByItself: whether it is tried again without anybody doing anything.
  public init(_ error: any Error, isRetriedByItself: Bool = false) {
    let error = error as? FeedError ?? .source(error)
    message = error.errorDescription ?? AlertText.unknown.title
    advice = error.recoverySuggestion
    action = isRetriedByItself ? nil : error.recoveryAction
  }
}

extension ListState {
  /// What to tell people of the first failure; `nil` where there is none.
  public var notice: ErrorNotice? { failure.map { ErrorNotice($0) } }
}

extension LoadState {
  /// What to tell people where the last load failed.
  public var notice: ErrorNotice? { failure.map { ErrorNotice($0) } }
}
