/// Waits until a condition holds, and returns whether it does.
///
/// It is for results of work on another task that a test has no handle to await:
///
/// ```swift
/// try await store.write(deleting: [1])
/// let isGone = await eventually { results.fetchedObjects.count == 2 }
/// assert(isGone)  // with Swift Testing: #expect(await eventually { … })
/// ```
///
/// Inside `#expect`, a failure prints the condition.
///
/// The condition is evaluated on the caller's actor, first at once and then after pauses. The
/// pauses grow to 10 milliseconds, so that a waiting test leaves the processor to the work it waits
/// for.
///
/// - Parameters:
///   - limit: how long to wait at most: 30 seconds by default, half of the shortest time limit that
///     Swift Testing allows. If the process did not run for a while, because the machine was
///     suspended or busy, only 100 milliseconds of that count.
///   - condition: what has to hold.
/// - Returns: `false` if the condition did not hold within the limit, or the task was cancelled.
/// - Throws: the error of the condition, at once.
public func eventually(
  within limit: Duration = .seconds(30), _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let clock = ContinuousClock()
  var (waited, last, pause) = (Duration.zero, clock.now, Duration.zero)
  while try await !condition() {
    guard waited < limit, !Task.isCancelled else { return false }
    // Most conditions hold after other tasks have run once or twice.
    await Task.yield()
    if pause > .zero { try? await clock.sleep(for: pause) }
    pause = min(pause + .microseconds(100), .milliseconds(10))
    let now = clock.now
    waited += min(last.duration(to: now), .milliseconds(100))
    last = now
  }
  return true
}
