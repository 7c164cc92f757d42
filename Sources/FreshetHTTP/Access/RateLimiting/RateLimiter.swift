internal import Foundation
internal import Freshet

/// The limiter for the requests to each server (rule R4).
///
/// It sends a few requests at a time, and none before the time that the server asked for.
///
/// All sources of a process share one limiter, so two lists of one server count as one client. If
/// `Retry-After` or an exhausted rate limit forbids a request, the request is not sent. It fails
/// at once with `HTTPError.heldBack`, which has the time to wait, and the feed's retry policy
/// waits for it. If the server refuses one account, other accounts are not affected, and its
/// message is shown to that account only. If the server is down (status 500 or higher), requests
/// of all accounts wait. The number of remembered origins and waiting times is bounded.
public final class RateLimiter: Sendable {
  /// The limiter that all sources of the process share.
  public static let shared = RateLimiter()

  /// The number of remembered origins from which idle ones are removed.
  static var originLimit: Int { 256 }

  private struct Entry {
    var queue = RequestQueue()
    var limits = OriginLimits()
    var lastUse: Duration
  }

  private struct State {
    var lastNumber = 0
    var origins: [Origin: Entry] = [:]
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Locked(State())
  private let elapsed: @Sendable () -> Duration

  /// Creates a separate limiter, such as for a test with a manual clock.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// The number of remembered origins.
  var originCount: Int { state.withLock { $0.origins.count } }
  /// The number of requests that wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Waits for a free slot at an origin, then runs `body`.
  func turn<Result>(
    at origin: Origin, limit: Int, _ body: () async throws -> Result
  ) async throws -> Result {
    try await enter(origin, limit: limit)
    defer { leave(origin) }
    return try await body()
  }

  /// Throws if the origin asked clients to wait before they send this request.
  func check(
    _ target: HTTPRequest, at origin: Origin, by limitKey: RateLimitKey
  ) throws(HTTPError) {
    let now = elapsed()
    let found = state.withLock {
      $0.origins[origin]?.limits.rest(of: target.path, by: limitKey, at: now)
    }
    guard let found else { return }
    throw .heldBack(
      target.url, retryAfter: .seconds(found.seconds),
      reason: found.rest.message ?? "it answered with status \(found.rest.status)")
  }

  /// Records the waiting time in a response.
  func note(
    _ asked: RetryAfter, _ request: HTTPRequest, at origin: Origin, by limitKey: RateLimitKey,
    status: Int, message: String?
  ) {
    let now = elapsed()
    state.withLock {
      Self.touch(origin, &$0, now)
      $0.origins[origin]?.limits.note(
        asked, of: request.path, by: limitKey, status: status, message: message, at: now)
    }
  }

  private func enter(_ origin: Origin, limit: Int) async throws {
    let now = elapsed()
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        let outcome = state.withLock { state -> Swift.Result<Void, any Error>? in
          if Task.isCancelled { return .failure(CancellationError()) }
          Self.touch(origin, &state, now)
          if state.origins[origin]?.queue.enter(number, limit: limit) == true {
            return .success(())
          }
          state.waiters[number] = waiter
          return nil
        }
        if let outcome { waiter.resume(with: outcome) }
      }
    } onCancel: {
      let (waiter, others) = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        let ready = waiter == nil ? [] : state.origins[origin]?.queue.cancel(number) ?? []
        return (waiter, ready.compactMap { state.waiters.removeValue(forKey: $0) })
      }
      waiter?.resume(throwing: CancellationError())
      for other in others { other.resume() }
    }
  }

  private func leave(_ origin: Origin) {
    let ready = state.withLock { state in
      let numbers = state.origins[origin]?.queue.leave() ?? []
      return numbers.compactMap { state.waiters.removeValue(forKey: $0) }
    }
    for waiter in ready { waiter.resume() }
  }

  /// Adds or updates an origin, and removes the oldest idle one if there are too many.
  ///
  /// An origin is idle if no requests to it run or wait. The oldest is the one whose last use and
  /// last waiting time both ended longest ago.
  private static func touch(_ origin: Origin, _ state: inout State, _ now: Duration) {
    if state.origins[origin] == nil, state.origins.count >= originLimit {
      let idle = state.origins.lazy.filter { $0.value.queue.isIdle }
      let oldest = idle.min {
        max($0.value.lastUse, $0.value.limits.end) < max($1.value.lastUse, $1.value.limits.end)
      }
      if let oldest { state.origins[oldest.key] = nil }
    }
    state.origins[origin, default: Entry(lastUse: now)].lastUse = now
  }
}

extension HTTPRequest {
  /// The path, for limits that apply to one path only.
  fileprivate var path: String { String(url.path.prefix(512)) }
}
