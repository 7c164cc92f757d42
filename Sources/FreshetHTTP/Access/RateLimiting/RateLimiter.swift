internal import Foundation
internal import Freshet

/// Sees to it that no server is asked more than it bears: few requests at once, and none while it
/// asked to be left alone (rule R4).
///
/// All sources of a process share one, so that two lists of a server are not two clients. A request
/// that is held back because of `Retry-After` or a used-up rate limit is not sent: it fails at once
/// with `HTTPError.heldBack`, which says how long to wait, so that the retry policy of the feed
/// does. What is refused to one account holds back no other, and its words are told to nobody else;
/// a server that is down (a status from 500 on) is left alone by all. Only a bounded number of
/// origins and rests is remembered.
public final class RateLimiter: Sendable {
  /// The one of the process.
  public static let shared = RateLimiter()

  /// How many origins are remembered while nothing is asked of them.
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

  /// Creates one of its own for a test, which gives a clock to move by hand.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
  }

  /// How many origins are remembered.
  var originCount: Int { state.withLock { $0.origins.count } }
  /// How many requests wait for their turn.
  var waitingCount: Int { state.withLock { $0.waiters.count } }

  /// Does something when it is its turn at an origin.
  func turn<Result>(
    at origin: Origin, limit: Int, _ body: () async throws -> Result
  ) async throws -> Result {
    try await enter(origin, limit: limit)
    defer { leave(origin) }
    return try await body()
  }

  /// Throws while a request would disturb the rest that the origin asked for.
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

  /// Takes note of what an answer asks for.
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

  /// Remembers an origin, and forgets one that nothing is asked of where they become too many: the
  /// one that has rested or been left alone for longest.
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
  /// What rests for itself where a limit is used up.
  fileprivate var path: String { String(url.path.prefix(512)) }
}
