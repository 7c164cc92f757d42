public import FreshetLists

/// The steps of a feed, as one observer sees them.
public struct FeedUpdates<Item: ListItem>: AsyncSequence, Sendable {
  let subscription: FeedSubscription<Item>

  /// Starts to take updates.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: FeedSubscription<Item>

    /// The next update, or `nil` once the feed is gone or the task cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> FeedUpdate<Item>? {
      let buffer = subscription.buffer
      while true {
        if let update = buffer.take() { return update }
        var signals = buffer.signals.makeAsyncIterator()
        if await signals.next(isolation: actor) == nil { return buffer.take() }
      }
    }
  }
}

/// What one observer has not taken yet.
///
/// Updates in order; if too many wait, they become one.
final class UpdateBuffer<Item: ListItem>: Sendable {
  private static var limit: Int { 32 }

  private let waiting = Locked<[FeedUpdate<Item>]>([])
  private let signal: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>
  private let wantsStates: Bool

  /// Creates a buffer that signals updates and, if wanted, changes of load states alone.
  init(wantsStates: Bool) {
    self.wantsStates = wantsStates
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func yield(_ update: FeedUpdate<Item>?) {
    guard let update else {
      if wantsStates { signal.yield() }
      return
    }
    let tooMany = waiting.withLock { waiting in
      waiting.append(update)
      guard waiting.count > Self.limit else { return [FeedUpdate<Item>]() }
      defer { waiting = [] }
      return waiting
    }
    // The difference is found outside the lock: who takes updates never waits for it.
    if let first = tooMany.first, let all = first.followed(by: update) {
      waiting.withLock { $0 = [all] }
    }
    signal.yield()
  }

  func take() -> FeedUpdate<Item>? {
    waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func finish() { signal.finish() }
}

/// The interest of one observer: it ends when nobody holds it any more.
final class FeedSubscription<Item: ListItem>: Sendable {
  let buffer: UpdateBuffer<Item>
  private let end: @Sendable () -> Void

  init(buffer: UpdateBuffer<Item>, end: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.end = end
  }

  deinit {
    end()
    buffer.finish()
  }
}
