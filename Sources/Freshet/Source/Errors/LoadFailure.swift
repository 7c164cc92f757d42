package import Foundation

/// An error that states how a feed or an outbox can recover from it.
///
/// When your source throws a `LoadFailure`, the feed reads from it whether to retry, how long to
/// wait, and whether the page key has expired. Other errors are final: the feed shows them and does
/// not retry automatically. The only exception is `URLError`: it is transient if there is no
/// connection or no answer.
///
/// ```swift
/// struct Overloaded: LoadFailure {
///   var isTransient: Bool { true }
///   var retryAfter: Duration? { .seconds(30) }
/// }
/// ```
///
/// To give users more information than the action, conform to `LocalizedError` too.
public protocol LoadFailure: Error {
  /// Whether another attempt may succeed with nothing else changed; `false` by default.
  ///
  /// The `RetryPolicy` decides how often and when.
  var isTransient: Bool { get }

  /// The delay that the server asked for; `nil` by default.
  var retryAfter: Duration? { get }

  /// Whether the page key is the reason, so that another key may help; `false` by default.
  ///
  /// The feed then continues with a key further up, or from the head.
  var isStaleKey: Bool { get }

  /// The action that the user can take; `retry` by default.
  var recoveryAction: ErrorNotice.Action { get }
}

extension LoadFailure {
  /// `false`: the failure is final until the list is loaded again.
  public var isTransient: Bool { false }
  /// `nil`: the retry policy alone decides when to retry.
  public var retryAfter: Duration? { nil }
  /// `false`: another page key would not help.
  public var isStaleKey: Bool { false }
  /// `retry`: a screen offers to load again.
  public var recoveryAction: ErrorNotice.Action { .retry }
}

extension FeedError: LoadFailure {
  /// Whether the source reports a transient failure, or there was no connection or no answer.
  public var isTransient: Bool {
    // On Apple's systems `URLSession` throws an `NSError`, which only a cast to `URLError` itself
    // recognizes.
    if case .source(let error as URLError) = self { return error.isTransient }
    return ofSource?.isTransient ?? false
  }

  /// The delay that the source asks for.
  public var retryAfter: Duration? { ofSource?.retryAfter }

  /// Whether the key expired, or the source reports that the key is the reason.
  public var isStaleKey: Bool {
    if case .staleKey = self { return true }
    return ofSource?.isStaleKey ?? false
  }

  /// The action that the source suggests, or `retry`.
  public var recoveryAction: ErrorNotice.Action { ofSource?.recoveryAction ?? .retry }

  /// The error of the source, if it states how to recover.
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

extension URLError.Code {
  /// Whether an address, a certificate or a setting has to change first.
  package var isForGood: Bool {
    switch self {
    case .badURL, .unsupportedURL, .secureConnectionFailed, .serverCertificateHasBadDate,
      .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
      .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
      .appTransportSecurityRequiresSecureConnection, .userAuthenticationRequired:
      true
    default: false
    }
  }
}
