internal import struct Foundation.URLError

/// One attempt to send a mutation: the task that sends it, and its time limit.
///
/// The one that ends first decides about the attempt.
struct AttemptTasks: Sendable {
  /// The number of the attempt, among those of all mutations.
  let number: Int
  let sending: Task<Void, Never>
  let limit: Task<Void, Never>
}

extension Outbox {
  /// Cancels the attempts that have ended.
  ///
  /// Their cancellation handlers are code of the app, which may call the outbox or wait for another
  /// thread that does. So no lock is held here.
  func cancelEnded() {
    let ended = state.withLock { state in
      defer { state.ended = [] }
      return state.ended
    }
    for sending in ended { sending.cancel() }
  }
}

extension Outbox.State {
  /// Ends all attempts, and the waits for others.
  ///
  /// `cancelEnded()` cancels what the attempts send.
  mutating func cancelAttempts() {
    for attempt in attempts.values {
      ended.append(attempt.sending)
      attempt.limit.cancel()
    }
    for wait in waits.values { wait.cancel() }
    (attempts, waits) = ([:], [:])
  }

  /// Ends everything that leads to an attempt.
  mutating func cancelSending() {
    cancelAttempts()
    for limit in rateLimits.values { limit.cancel() }
    rateLimits = [:]
    polling?.cancel()
  }

  /// Ends an attempt; returns `false` if it ended before, so that its outcome no longer counts.
  mutating func end(_ number: Int, of id: String) -> Bool {
    guard attempts[id]?.number == number else { return false }
    attempts.removeValue(forKey: id)?.limit.cancel()
    return true
  }
}

extension Error {
  /// Whether the source may take the same mutation later.
  ///
  /// Without an answer of the source it is unknown whether the mutation was applied. So it is sent
  /// again with the same key, unless that cannot succeed.
  var allowsAnotherAttempt: Bool {
    if case .source(let error)? = self as? FeedError { return error.allowsAnotherAttempt }
    if let error = self as? URLError { return !error.code.isForGood }
    return self is CancellationError || (self as? any LoadFailure)?.isTransient ?? false
  }

  /// The time for which the source asked to be sent nothing.
  var askedWait: Duration { max((self as? any LoadFailure)?.retryAfter ?? .zero, .zero) }
}
