internal import Foundation

/// When a failed request is repeated automatically (rule R4).
///
/// The waits double from attempt to attempt. A part of each wait is random, so that clients which
/// failed together do not retry together. The failure's ``LoadFailure/retryAfter`` is added to the
/// wait. Only failures that are ``LoadFailure/isTransient`` are retried, such as a lost connection
/// or a busy server. Meanwhile the edge is `loading`, `ListState.retrying` has the reason, and a
/// caller that loads the edge retries at once. A load of several pages continues from the page
/// that failed, and its attempts start over with each page. After the first load of a list has
/// failed with all its attempts, `loadNext()` makes one more request, without further attempts.
///
/// ```swift
/// let configuration = FeedConfiguration(retryPolicy: RetryPolicy(attempts: 3))
/// ```
public struct RetryPolicy: Sendable {
  /// How often a failed request is repeated.
  public var attempts: Int
  /// The first wait; each further wait is twice as long.
  public var base: Duration
  /// The longest wait; if a server asks for more, the request is not repeated.
  public var limit: Duration
  /// The time that failed attempts for a page may take together, without the waits.
  ///
  /// No attempt starts after that. Time that the device sleeps does not count.
  public var total: Duration
  /// The random part of each wait, from 0 to 1; a half by default.
  public var jitter: Double
  /// A century, in seconds: clocks overflow beyond it.
  private static let longestWait = 3e9
  private var generator: any RandomNumberGenerator & Sendable

  /// No request is repeated automatically.
  public static let never = RetryPolicy(attempts: 0)

  /// A policy for shared servers, and the default for a web API.
  ///
  /// It repeats a request up to three times, after random waits of up to 2, 4 and 8 seconds. If the
  /// server asks for more, a wait is up to two minutes.
  public static let polite = RetryPolicy(
    attempts: 3, base: .seconds(2), limit: .seconds(120), jitter: 1)

  /// A policy for interactive programs, such as on a command line.
  ///
  /// It repeats a request up to three times within four seconds, and not at all if the server asks
  /// for a wait of more than ten seconds.
  public static let brief = RetryPolicy(attempts: 3, base: .milliseconds(500), limit: .seconds(10))

  /// Creates a policy; a test gives a generator with a seed.
  public init(
    attempts: Int = 3, base: Duration = .seconds(1), limit: Duration = .seconds(60),
    total: Duration = .seconds(300), jitter: Double = 0.5,
    generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.attempts = attempts
    self.base = base
    self.limit = limit
    self.total = total
    self.jitter = jitter
    self.generator = generator
  }

  /// Returns how long to wait before the next attempt; `nil` if the user decides that.
  ///
  /// - Parameters:
  ///   - error: the failure of the last attempt.
  ///   - attempt: how often the request was repeated before.
  ///   - spent: the time that failed attempts took since the last answer.
  mutating func wait(
    after error: FeedError, attempt: Int, spent: Duration = .zero
  ) -> Duration? {
    guard error.isTransient else { return nil }
    return wait(asked: error.retryAfter, attempt: attempt, spent: spent)
  }

  /// Returns how long to wait after a transient failure; `nil` if the user decides that.
  ///
  /// - Parameters:
  ///   - asked: the delay that the server asked for.
  ///   - attempt: how often the request was repeated before.
  ///   - spent: the time that failed attempts took since the last answer.
  mutating func wait(
    asked: Duration?, attempt: Int, spent: Duration = .zero
  ) -> Duration? {
    guard attempt < attempts, spent < total else { return nil }
    let asked = max(asked ?? .zero, .zero)
    guard asked <= limit, asked <= .seconds(Self.longestWait) else { return nil }
    return asked + wait(beforeRepetition: attempt)
  }

  /// Returns the random wait before a request is repeated, however often that was done before.
  ///
  /// - Parameter count: how often the request was repeated before.
  mutating func wait(beforeRepetition count: Int) -> Duration {
    var longest = min(max(base, .zero), limit)
    // Doubled only while that stays below the limit, because a caller may set waits of any length.
    for _ in 0..<min(max(0, count), 20) where longest < limit {
      longest = longest > limit / 2 ? limit : longest * 2
    }
    let jitter = self.jitter.isNaN ? 0.5 : min(max(0, self.jitter), 1)
    let share = Double.random(in: (1 - jitter)...1, using: &generator)
    return .seconds(min(longest.seconds, Self.longestWait) * share)
  }
}
