import Foundation
import FreshetTesting

@testable import Freshet

extension FeedError {
  /// A failure that may pass by itself: the network is gone.
  static let unreached = FeedError.source(ScriptedFailure(isTransient: true))

  /// A failure that may pass by itself: the server has no time.
  static func unavailable(_ retryAfter: Double? = nil) -> FeedError {
    .source(ScriptedFailure(isTransient: true, retryAfter: retryAfter.map { .seconds($0) }))
  }
}

// A source that cannot be reached now and then.
extension History {
  /// Twenty rows on the server, in pages of five; each request is made again so many times.
  static func retrying(
    _ attempts: Int, isCached: Bool = false, maximumRows: Int? = nil
  ) -> History {
    History(
      Array(0..<20), isCached: isCached,
      configuration: FeedConfiguration(
        pageSize: 5, maximumRows: maximumRows,
        retryPolicy: RetryPolicy(attempts: attempts, generator: SeededGenerator(seed: 1))))
  }

  /// The oldest request fails for a reason that may pass.
  mutating func failOldest() {
    let request = pending.removeFirst()
    perform("fail", machine.receive(.failure(.unreached), for: request.ticket, at: now))
  }

  /// The oldest wait is over.
  mutating func waitIsOver() {
    let ticket = pausing.removeFirst()
    perform("proceed", machine.proceed(with: ticket))
  }

  /// Somebody waits, and is told later.
  mutating func wait(
    _ waiter: Int, for event: (inout Machine, _ waiter: Int) -> Void
  ) {
    waiting.insert(waiter)
    begin { event(&$0, waiter) }
  }
}
