internal import Foundation

/// When a request that failed is made again by itself (rule R4).
///
/// The waits double from attempt to attempt, a part of each by chance, so that clients that failed
/// together do not come back together. The failure's ``LoadFailure/retryAfter`` is a lower bound:
/// the wait comes on top of it. Only failures that are ``LoadFailure/isTransient`` are retried: a
/// lost connection, a server that is busy. Meanwhile the edge is `loading`, `ListState.retrying`
/// says why, and a caller that asks for it asks at once. A load of several pages goes on where it
/// stopped, and its attempts start over with each page that it gets. Where the first load of a list
/// failed after all its attempts, `loadNext()` asks once more, and not as often again.
///
/// ```swift
/// let configuration = FeedConfiguration(retryPolicy: RetryPolicy(attempts: 3))
/// ```
public struct RetryPolicy: Sendable {
  /// How often a request that failed is made again.
  public var attempts: Int
  /// The first wait; each one after it is twice as long.
  public var base: Duration
  /// The longest wait; a server that asks for more is not asked again.
  public var limit: Duration
  /// How long failed attempts for a page may take together, without the waits: none begins after
  /// that.
  ///
  /// Time that the device sleeps does not count.
  public var total: Duration
  /// Which part of each wait is left to chance, from 0 to 1: half unless you say otherwise.
  public var jitter: Double
  /// A century, in seconds: beyond it clocks overflow.
  private static let longestWait = 3e9
  private var generator: any RandomNumberGenerator & Sendable

  /// Nothing is asked for again unless somebody says so.
  public static let never = RetryPolicy(attempts: 0)

  /// What suits a server that others use too, and what a web API gets unless you say otherwise:
  /// three attempts, after up to 2, 4 and 8 seconds of which all is left to chance, and after at
  /// most two minutes where the server asks for them.
  public static let polite = RetryPolicy(
    attempts: 3, base: .seconds(2), limit: .seconds(120), jitter: 1)

  /// What suits a program that somebody waits for, as on a command line: three attempts within four
  /// seconds, and none where the server asks for more than ten.
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

  /// How long to wait before asking again; `nil` if the user decides that.
  ///
  /// - Parameters:
  ///   - error: why the last attempt failed.
  ///   - attempt: how many attempts were made again before.
  ///   - spent: how long the attempts took that failed since the last answer.
  mutating func wait(
    after error: FeedError, attempt: Int, spent: Duration = .zero
  ) -> Duration? {
    guard attempt < attempts, spent < total, error.isTransient else { return nil }
    let asked = max(error.retryAfter ?? .zero, .zero)
    guard asked <= limit, asked <= .seconds(Self.longestWait) else { return nil }
    var longest = min(max(base, .zero), limit)
    // Doubled only while that stays below the limit: a wait may be as long as anybody says.
    for _ in 0..<min(max(0, attempt), 20) where longest < limit {
      longest = longest > limit / 2 ? limit : longest * 2
    }
    let jitter = self.jitter.isNaN ? 0.5 : min(max(0, self.jitter), 1)
    let share = Double.random(in: (1 - jitter)...1, using: &generator)
    return asked + .seconds(min(longest.seconds, Self.longestWait) * share)
  }
}
