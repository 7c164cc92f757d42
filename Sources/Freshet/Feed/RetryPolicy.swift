internal import Foundation

/// When a load that failed is asked for again by itself (rule R4).
///
/// The waits double from attempt to attempt, half of each by chance, so that clients that failed
/// together do not come back together. A server's `Retry-After` is a lower bound. Only failures that
/// pass by themselves are asked for again: no
/// connection (`unreachable`, or a `URLError` of the source that says so), and the statuses 408, 425, 429, 500, 502,
/// 503 and 504. Meanwhile the edge is `loading`; whoever asks for it asks at once.
///
/// ```swift
/// FeedConfiguration(retryPolicy: RetryPolicy(attempts: 3))
/// ```
public struct RetryPolicy: Sendable {
  /// How often a failed load is asked for again.
  public var attempts: Int
  /// The first wait.
  public var base: Duration
  /// The longest wait; a server that asks for more is not asked again.
  public var limit: Duration
  /// A century, in seconds: beyond it clocks overflow.
  private static let longestWait = 3e9
  private var generator: any RandomNumberGenerator & Sendable

  /// Nothing is asked for again unless somebody says so.
  public static let never = RetryPolicy(attempts: 0)

  /// Creates a policy; a test gives a generator with a seed.
  public init(
    attempts: Int = 3, base: Duration = .seconds(1), limit: Duration = .seconds(60),
    generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.attempts = attempts
    self.base = base
    self.limit = limit
    self.generator = generator
  }

  /// How long to wait before asking again; `nil` where that is for the user to say.
  mutating func wait(after error: FeedError, attempt: Int) -> Duration? {
    guard attempt < attempts, error.mayPass else { return nil }
    let asked = error.retryAfter.map { Duration.seconds($0) } ?? .zero
    guard asked <= limit else { return nil }
    var longest = min(max(base, .zero), limit)
    // Doubled only while that stays below the limit: a wait may be as long as anybody says.
    for _ in 0..<min(attempt, 20) where longest < limit {
      longest = longest > limit / 2 ? limit : longest * 2
    }
    let share = Double.random(in: 0.5...1, using: &generator)
    return max(asked, .seconds(min(longest.seconds, Self.longestWait) * share))
  }
}

extension URLError {
  /// Whether the network is gone, or the server does not answer.
  fileprivate var saysUnreachable: Bool {
    switch code {
    case .notConnectedToInternet, .networkConnectionLost, .timedOut, .cannotConnectToHost,
      .cannotFindHost, .dnsLookupFailed:
      true
    default: false
    }
  }
}

extension FeedError {
  /// Whether asking again may help without anybody doing anything.
  var mayPass: Bool {
    switch self {
    case .unreachable: true
    case .source(let error as URLError): error.saysUnreachable
    case .http(let status, _, _, _): [408, 425, 429, 500, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// How long the server asked to be left alone, in seconds.
  var retryAfter: Double? {
    if case .http(_, _, let seconds?, _) = self, seconds.isFinite {
      min(max(0, seconds), 1e6)
    } else {
      nil
    }
  }
}
