/// A task in the background that coalesces requests, and never runs twice at once.
///
/// However often it is requested before it begins, it runs once.
final class CoalescedTask: Sendable {
  private struct State {
    /// Whether a run is requested that has not begun.
    var isDue = false
    /// The number of runs that were requested and have not ended.
    var running = 0
    /// The time of the last request.
    var asked: ContinuousClock.Instant?
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// Requests a run as soon as possible.
  ///
  /// - Parameters:
  ///   - interval: does nothing if the last request is more recent than this.
  ///   - priority: the priority of the task.
  ///   - body: the work to do, the same for every request.
  func perform(
    afterAtLeast interval: Duration = .zero, priority: TaskPriority? = nil,
    _ body: @escaping @Sendable () async -> Void
  ) {
    state.withLock { state in
      let isRecent = state.asked.map { $0.duration(to: .now) < interval } ?? false
      guard !state.isDue, !isRecent else { return }
      (state.isDue, state.asked) = (true, .now)
      state.running += 1
      state.task = Task(priority: priority) { @concurrent [self, last = state.task] in
        await last?.value
        begin()
        await body()
        end()
      }
    }
  }

  private func begin() { state.withLock { $0.isDue = false } }

  private func end() { state.withLock { $0.running -= 1 } }

  /// Whether a run is active or requested.
  var isUnderWay: Bool { state.withLock { $0.running > 0 } }

  /// Waits until the last requested run has ended.
  func done() async { await state.withLock { $0.task }?.value }
}
