import Synchronization

/// Events in their order, for one who takes all that wait at once.
final class EventQueue<Event: Sendable>: Sendable {
  private let waiting = Mutex<[Event]>([])
  private let signal: AsyncStream<Void>.Continuation
  /// Says that events wait.
  let signals: AsyncStream<Void>

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Puts an event behind the others.
  func put(_ event: Event) {
    waiting.withLock { $0.append(event) }
    signal.yield()
  }

  /// All events that wait.
  func takeAll() -> [Event] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
