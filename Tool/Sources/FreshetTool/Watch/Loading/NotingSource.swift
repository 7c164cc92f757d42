import Foundation
import Freshet
import FreshetHTTP
import Synchronization

/// A source that records its responses: the length of pages, and requests that are retried.
struct NotingSource: FeedSource {
  let base: HTTPFeedSource<WatchedItem>
  let attempts: Attempts

  var continuity: PageContinuity { base.continuity }
  var retryPolicy: RetryPolicy { base.retryPolicy }

  func page(_ request: PageRequest<HTTPPageKey>) async throws -> Page<WatchedItem, HTTPPageKey> {
    attempts.willAsk(for: request.key)
    do {
      let page = try await base.page(request)
      // If pages repeat rows, only the first page shows how long a page is.
      let isWhole = request.key == nil || (page.continuity ?? continuity) == .stable
      attempts.answered(rows: isWhole ? page.items.count : 0)
      return page
    } catch {
      attempts.failed(request.key, error)
      throw error
    }
  }
}

/// A record of requests, their failures and retries.
final class Attempts: Sendable {
  private struct State {
    var pageSize: Int?
    /// The number of rows of the first page on disk.
    var storedPageSize: Int?
    var failure: (key: HTTPPageKey?, error: FeedError)?
    /// The number of consecutive failures; `spent` is the time they took.
    var failures = 0
    var spent = Duration.zero
    var asked = SuspendingClock.now

    mutating func forgetFailure() { (failure, failures, spent) = (nil, 0, .zero) }
  }

  private let state = Mutex(State())
  private let notices: Notices
  private let policy: RetryPolicy
  private let wait: @Sendable (RequestWait?) -> Void

  /// Creates a record that reports retries.
  ///
  /// `notices` gets a note about each retry. If the server asks to wait and `policy` allows the
  /// retry, `wait` is called with the time; it is called with `nil` once a request is sent.
  init(
    _ notices: Notices, policy: RetryPolicy = RetryPolicy(),
    wait: @escaping @Sendable (RequestWait?) -> Void = { _ in }
  ) {
    self.notices = notices
    self.policy = policy
    self.wait = wait
  }

  /// The most rows that a page had; until a page is loaded, the number that is known from disk.
  var pageSize: Int? { state.withLock { $0.pageSize ?? $0.storedPageSize } }

  /// Records how many rows the first page on disk has, if that is known.
  func noteStored(pageSize: Int?) { state.withLock { $0.storedPageSize = pageSize } }

  /// Begins a round: the next request does not count as a retry of a failed one.
  func begin() { state.withLock { $0.forgetFailure() } }

  func willAsk(for key: HTTPPageKey?) {
    wait(nil)
    let failure = state.withLock { state in
      state.asked = .now
      return state.failure
    }
    guard let failure, failure.key == key else { return }
    say(failure.error, "asking again.")
  }

  func answered(rows: Int) {
    state.withLock {
      $0.forgetFailure()
      if rows > 0 { $0.pageSize = max($0.pageSize ?? 0, rows) }
    }
  }

  func failed(_ key: HTTPPageKey?, _ error: any Error) {
    guard !(error is CancellationError) else { return }
    let error = error as? FeedError ?? .source(error)
    let (failures, spent) = state.withLock { state in
      if state.failure?.key != key { state.forgetFailure() }
      state.failures += 1
      state.spent += state.asked.duration(to: .now)
      state.failure = (key, error)
      return (state.failures, state.spent)
    }
    // If the request is retried, report the wait now: the retry may be minutes away.
    guard failures <= policy.attempts, spent < policy.total,
      let asked = error.retryAfter, asked >= .zero, asked <= policy.limit
    else { return }
    let seconds = asked / .seconds(1)
    wait(RequestWait(reason: reason(error), until: Date(timeIntervalSinceNow: seconds)))
    let wait = Int(min(seconds, 1e6).rounded(.up))
    say(error, "asking again in \(wait) \(wait == 1 ? "second" : "seconds").")
  }

  /// Notes briefly why a request is retried; the full error is reported if it is given up.
  private func say(_ error: FeedError, _ what: String) {
    let summary = WatchFailure(error, isPartial: false).summary
    notices.note("\(reason(error)): \(what)", about: "again: \(summary)")
  }

  private func reason(_ error: FeedError) -> String {
    switch error.httpError {
    case .status(let status, let url, _, _): "Status \(status) from \(url.host ?? "the server")"
    case .heldBack(let url, _, _): "\(url.host ?? "The server") asked to be left alone"
    case .unreachable(let url, _, _): "\(url.host ?? "The server") is not reached"
    default: "A page failed"
    }
  }
}
