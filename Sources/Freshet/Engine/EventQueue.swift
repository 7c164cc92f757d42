/// The events of an engine, applied one at a time in the order in which they were posted.
///
/// If the engine is idle, `post` applies the event on the caller's thread. Otherwise it enqueues
/// the event and returns, and a task applies it. So a call from the main actor costs only its own
/// event, never a merge or a sort for another caller. No lock is held for longer than a moment
/// while another thread waits for it.
final class EventQueue<Engine: Sendable>: Sendable {
  /// Changes the engine, and returns the actions to run once it is free again.
  typealias Event = @Sendable (inout Engine) -> DeferredActions

  /// Actions to run when the engine is idle, because they may run client code.
  ///
  /// They resume, cancel or notify.
  typealias DeferredActions = @Sendable () -> Void

  private struct Queue {
    var isAtWork = false
    /// The next events in reverse order, and the events that were posted after them.
    private var next: [Event] = []
    private var later: [Event] = []

    mutating func append(_ event: @escaping Event) { later.append(event) }

    /// Removes and returns the next event; if there is none, the engine is idle.
    mutating func take() -> Event? {
      if next.isEmpty {
        swap(&next, &later)
        next.reverse()
      }
      let event = next.popLast()
      isAtWork = event != nil
      return event
    }
  }

  private enum Turn { case here, task, later }

  private let queue = Locked(Queue())
  /// The engine, under a lock that no thread waits for.
  ///
  /// Either an event is being applied, or `post` reads the engine under the lock of the queue.
  private let engine: Locked<Engine>

  init(_ engine: Engine) { self.engine = Locked(engine) }

  /// Applies an event after those that were posted before.
  ///
  /// If the engine is idle and the event is short, it is applied on return.
  ///
  /// - Parameter isLong: whether the event takes longer than a caller on the main actor can spare.
  ///   A task applies it then.
  func post(asTaskIf isLong: (Engine) -> Bool = { _ in false }, _ event: @escaping Event) {
    let turn: Turn = queue.withLock { queue in
      let wasAtWork = queue.isAtWork
      queue.isAtWork = true
      if !wasAtWork, !engine.withLock({ isLong($0) }) { return .here }
      queue.append(event)
      return wasAtWork ? .later : .task
    }
    switch turn {
    case .later: break
    case .task: work()
    case .here:
      let (next, afterwards) = perform(event)
      if let next { work(from: next) }
      afterwards()
    }
  }

  /// Reads the engine, after the events that were posted before.
  func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (Engine) -> Answer
  ) async -> Answer {
    await withCheckedContinuation { continuation in
      post { engine in
        let answer = question(engine)
        return { continuation.resume(returning: answer) }
      }
    }
  }

  /// Changes the engine when its owner is released.
  ///
  /// Every event holds the owner, so no events are left by then.
  func close(_ body: (inout Engine) -> Void) { engine.withLock { body(&$0) } }

  /// Applies an event, and returns the next one, if there is one.
  private func perform(_ event: Event) -> (next: Event?, afterwards: DeferredActions) {
    let afterwards = engine.withLock { event(&$0) }
    return (queue.withLock { $0.take() }, afterwards)
  }

  /// Applies events, on no actor, until the engine is idle.
  private func work(from first: Event? = nil) {
    // A later caller may be more urgent than the first.
    Task(priority: .userInitiated) { @concurrent in
      var event = first ?? self.queue.withLock { $0.take() }
      while let current = event {
        let (next, afterwards) = self.perform(current)
        afterwards()
        event = next
      }
    }
  }
}
