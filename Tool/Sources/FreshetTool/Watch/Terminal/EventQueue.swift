import Synchronization

/// A queue of events whose reader takes all pending events at once.
final class EventQueue<Event: Sendable>: Sendable {
  private let waiting = Mutex<[Event]>([])
  private let signal: AsyncStream<Void>.Continuation
  /// The stream that yields after events were added.
  let signals: AsyncStream<Void>

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Appends an event to the queue.
  func put(_ event: Event) {
    waiting.withLock { $0.append(event) }
    signal.yield()
  }

  /// Removes and returns all pending events, in order.
  func takeAll() -> [Event] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
