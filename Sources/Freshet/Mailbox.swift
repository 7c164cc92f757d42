/// The events of an engine: one happens at a time, in the order in which they were posted, and
/// nobody waits for another's.
///
/// Who finds the engine at rest performs the event at once. Who finds it at work leaves the event
/// to a task and goes on, and so does who finds that others posted meanwhile: a call from the main
/// actor costs its own event, never a merge or a sort that somebody else asked for. No lock is held
/// while anything else waits for it but for moments.
final class Mailbox<Engine: Sendable>: Sendable {
  /// Something that happens to the engine, and gives what is to be done when it is free again.
  typealias Event = @Sendable (inout Engine) -> Afterwards

  /// What may run the code of others, who find the engine at rest: resuming, cancelling, waking.
  typealias Afterwards = @Sendable () -> Void

  private struct Queue {
    var isAtWork = false
    /// The next events, the first one last, and those that came after them.
    private var next: [Event] = []
    private var later: [Event] = []

    mutating func append(_ event: @escaping Event) { later.append(event) }

    /// The next event, or rest.
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
  /// Nobody ever waits for it: who is at work has it, or who looks at it under the other lock while
  /// nobody is.
  private let engine: Locked<Engine>

  init(_ engine: Engine) { self.engine = Locked(engine) }

  /// Lets an event happen after those that were posted before.
  ///
  /// Where the engine is at rest and the event is short, it has happened on return.
  ///
  /// - Parameter isLong: whether the event takes longer than a caller on the main actor can spare:
  ///   then a task performs it.
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

  /// Waits until what was posted before has happened, and asks for something then.
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

  /// Has the engine to itself: for when its owner goes, whom every event holds.
  func close(_ body: (inout Engine) -> Void) { engine.withLock { body(&$0) } }

  /// Performs an event; the engine is at rest then, or the next one is to be performed.
  private func perform(_ event: Event) -> (next: Event?, afterwards: Afterwards) {
    let afterwards = engine.withLock { event(&$0) }
    return (queue.withLock { $0.take() }, afterwards)
  }

  /// Performs what is posted, on no actor, until the engine is at rest.
  private func work(from first: Event? = nil) {
    // Whoever posts next may be more urgent than who posted first.
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
