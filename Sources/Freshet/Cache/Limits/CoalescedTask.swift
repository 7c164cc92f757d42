/// Something done in the background, never twice at once: however often it is asked for before it
/// begins, it is done once.
final class CoalescedTask: Sendable {
  private struct State {
    /// Whether it has yet to begin.
    var isDue = false
    /// How often it was begun, or is yet to be, and has not ended.
    var running = 0
    /// When it was asked for last.
    var asked: ContinuousClock.Instant?
    var task: Task<Void, Never>?
  }

  private let state = Locked(State())

  /// Does it as soon as it can.
  ///
  /// - Parameters:
  ///   - interval: how long ago it has to be that it was asked for; else nothing happens.
  ///   - priority: how urgent it is.
  ///   - body: what is to be done; always the same.
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

  /// Whether it is being done, or is about to be.
  var isUnderWay: Bool { state.withLock { $0.running > 0 } }

  /// Waits until it is done, if it was asked for.
  func done() async { await state.withLock { $0.task }?.value }
}
