public import Foundation

/// An error that says what a feed may do about it.
///
/// An error of your own source that conforms is asked about once it has ended a load: whether the
/// same request may succeed later, how long to wait, and whether another page key would help.
/// Errors that do not conform are final: the list shows them and waits for somebody.
///
/// ```swift
/// struct Overloaded: LoadFailure {
///   var isTransient: Bool { true }
///   var retryAfter: Duration? { .seconds(30) }
/// }
/// ```
///
/// What it says to people are the words of `LocalizedError`, if it has them.
public protocol LoadFailure: Error {
  /// Whether asking again may help without anybody doing anything; `false` unless it says so.
  ///
  /// The `RetryPolicy` decides how often and when.
  var isTransient: Bool { get }

  /// How long the server asked to be left alone; `nil` unless it says so.
  var retryAfter: Duration? { get }

  /// Whether the page key is the reason, so that another one may help; `false` unless it says so.
  ///
  /// The feed goes on from a key further up, or from the head.
  var meansStaleKey: Bool { get }

  /// What somebody can do about it; `retry` unless it says something else.
  var action: ErrorNotice.Action { get }

  /// The error as it may be shown, stored in a state and dumped (rule N5); the error itself unless
  /// it says otherwise.
  var masked: Self { get }
}

extension LoadFailure {
  /// `false`: the failure is final, and somebody has to ask again.
  public var isTransient: Bool { false }
  /// `nil`: the retry policy alone decides when to ask again.
  public var retryAfter: Duration? { nil }
  /// `false`: another page key would not help.
  public var meansStaleKey: Bool { false }
  /// `retry`: a screen offers to ask again.
  public var action: ErrorNotice.Action { .retry }
  /// The error itself, as one that holds no secret.
  public var masked: Self { self }
}

extension URLError: LoadFailure {
  /// Whether the network is gone, or the server does not answer.
  public var isTransient: Bool {
    switch code {
    case .notConnectedToInternet, .networkConnectionLost, .timedOut, .cannotConnectToHost,
      .cannotFindHost, .dnsLookupFailed:
      true
    default: false
    }
  }
}

extension FeedError: LoadFailure {
  /// Whether the source says that asking again may help.
  public var isTransient: Bool { ofSource?.isTransient ?? false }

  /// How long the source says to wait.
  public var retryAfter: Duration? { ofSource?.retryAfter }

  /// Whether the key expired, or the source says that it led nowhere.
  public var meansStaleKey: Bool {
    if case .staleKey = self { return true }
    return ofSource?.meansStaleKey ?? false
  }

  /// What the source says, or to ask again.
  public var action: ErrorNotice.Action { ofSource?.action ?? .retry }

  /// The error with secrets masked in what it carries, and texts escaped and bounded: it may be
  /// dumped as it is (rule N5).
  public var masked: FeedError {
    if let error = ofSource { return .source(error.masked) }
    return mapTexts({ LogText($0).description }, urls: \.masked)
  }

  /// The error of the source, if it says what to do about it.
  private var ofSource: (any LoadFailure)? {
    if case .source(let error) = self { return error as? any LoadFailure }
    return nil
  }
}
