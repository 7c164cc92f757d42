internal import Freshet

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(30)) }
/// await clock.sleepers(1)
/// clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment, counted from the clock's start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// The moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time from this moment to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether the first moment comes before the second.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastSleeper = 0
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var awaited: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  /// Creates a clock that stands at its start.
  public init() {}

  /// The moment the test has moved the clock to.
  public var now: Instant { state.withLock { $0.now } }

  /// How many tasks sleep on this clock now.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Zero: a test decides what passes.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock is moved to a moment.
  ///
  /// A cancelled task throws at once.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
          if deadline <= state.now || Task.isCancelled { return nil }
          state.sleepers[id] = (deadline, continuation)
          let ready = state.awaited.filter { $0.count <= state.sleepers.count }
          state.awaited.removeAll { $0.count <= state.sleepers.count }
          return ready.map(\.continuation)
        }
        guard let ready else {
          return continuation.resume(
            with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
        }
        for continuation in ready { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock and wakes those whose time has come, earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }

  /// Waits until this many tasks sleep.
  public func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.awaited.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
