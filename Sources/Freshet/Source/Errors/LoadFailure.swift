internal import Foundation

/// An error that says what a feed may do about it.
///
/// When your source throws a `LoadFailure`, the feed asks it whether to retry, how long to wait,
/// and whether the page key has expired. Other errors are final: the feed shows them and does not
/// retry by itself. Only `URLError` is known as well: it is transient where there is no connection
/// or no answer.
///
/// ```swift
/// struct Overloaded: LoadFailure {
///   var isTransient: Bool { true }
///   var retryAfter: Duration? { .seconds(30) }
/// }
/// ```
///
/// To say more to people than what the action tells, conform to `LocalizedError` too.
public protocol LoadFailure: Error {
  /// Whether asking again may help with nothing else changed; `false` unless it says so.
  ///
  /// The `RetryPolicy` decides how often and when.
  var isTransient: Bool { get }

  /// How long the server asked to be left alone; `nil` unless it says so.
  var retryAfter: Duration? { get }

  /// Whether the page key is the reason, so that another one may help; `false` unless it says so.
  ///
  /// The feed goes on from a key further up, or from the head.
  var isStaleKey: Bool { get }

  /// What a person can do about it; `retry` unless it says something else.
  var recoveryAction: ErrorNotice.Action { get }
}

extension LoadFailure {
  /// `false`: the failure is final until the list is asked again.
  public var isTransient: Bool { false }
  /// `nil`: the retry policy alone decides when to ask again.
  public var retryAfter: Duration? { nil }
  /// `false`: another page key would not help.
  public var isStaleKey: Bool { false }
  /// `retry`: a screen offers to ask again.
  public var recoveryAction: ErrorNotice.Action { .retry }
}

extension FeedError: LoadFailure {
  /// Whether the source says that asking again may help, or there was no connection or no answer.
  public var isTransient: Bool {
    // `URLSession` throws an `NSError` on Apple's systems, which only a cast to the type itself
    // takes for a `URLError`.
    if case .source(let error as URLError) = self { return error.isTransient }
    return ofSource?.isTransient ?? false
  }

  /// How long the source says to wait.
  public var retryAfter: Duration? { ofSource?.retryAfter }

  /// Whether the key expired, or the source says that it led nowhere.
  public var isStaleKey: Bool {
    if case .staleKey = self { return true }
    return ofSource?.isStaleKey ?? false
  }

  /// What the source says, or to ask again.
  public var recoveryAction: ErrorNotice.Action { ofSource?.recoveryAction ?? .retry }

  /// The error of the source, if it says what to do about it.
  private var ofSource: (any LoadFailure)? {
    if case .source(let error) = self { return error as? any LoadFailure }
    return nil
  }
}

extension URLError {
  /// Whether the network is gone, or the server does not answer.
  fileprivate var isTransient: Bool {
    switch code {
    case .notConnectedToInternet, .networkConnectionLost, .timedOut, .cannotConnectToHost,
      .cannotFindHost, .dnsLookupFailed:
      true
    default: false
    }
  }
}
