internal import Freshet

/// A clock whose time changes only when a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(30)) }
/// let isAsleep = await clock.sleepers(1)
/// assert(isAsleep)  // with Swift Testing: #expect(await clock.sleepers(1))
/// clock.advance(by: .seconds(30))
/// ```
public final class ManualClock: Clock, Sendable {
  /// A moment, counted from the clock's start.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public var offset: Duration

    /// Returns the moment that much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the time from this moment to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether the first moment is before the second.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastSleeper = 0
    var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
  }

  private let state = Locked(State())

  /// Creates a clock at its start.
  public init() {}

  /// The moment to which the test has moved the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// The number of tasks that sleep on this clock now.
  public var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Zero, as a test decides how time passes.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock is moved to a moment.
  ///
  /// A cancelled task throws at once.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeps = state.withLock { state in
          if deadline <= state.now || Task.isCancelled { return false }
          state.sleepers[id] = (deadline, continuation)
          return true
        }
        if !sleeps {
          continuation.resume(
            with: Task.isCancelled ? .failure(CancellationError()) : .success(()))
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: id) }?
        .continuation.resume(throwing: CancellationError())
    }
  }

  /// Moves the clock and wakes the tasks whose deadline is reached, earliest first.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
    }
    for (_, sleeper) in due { sleeper.continuation.resume() }
  }

  /// Waits until this many tasks sleep, as `eventually(within:_:)` does.
  ///
  /// - Returns: `false` if they did not within 30 seconds, or the task was cancelled.
  public func sleepers(_ count: Int) async -> Bool {
    await eventually { sleeping >= count }
  }
}
