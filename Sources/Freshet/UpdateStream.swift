public import FreshetLists

/// A step that can be taken together with the one that follows.
public protocol JoinableUpdate: Sendable {
  /// Two steps as one, or `nil` where they undo each other.
  func followed(by next: Self) -> Self?
}

/// The steps of a feed, as one observer sees them.
public typealias FeedUpdates<Item: ListItem> = UpdateStream<FeedUpdate<Item>>

/// The steps of a list, as one observer sees them: in order, and several as one where the observer
/// falls behind.
public struct UpdateStream<Update: JoinableUpdate>: AsyncSequence, Sendable {
  let subscription: UpdateSubscription<Update>

  /// Starts to take updates.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: UpdateSubscription<Update>

    /// The next update, or `nil` once the list is gone or the task cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Update? {
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
final class UpdateBuffer<Update: JoinableUpdate>: Sendable {
  private static var limit: Int { 32 }

  private let waiting = Locked<[Update]>([])
  private let signal: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>
  private let wantsStates: Bool

  /// Creates a buffer that signals updates and, if wanted, changes of load states alone.
  init(wantsStates: Bool) {
    self.wantsStates = wantsStates
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func yield(_ update: Update?) {
    guard let update else {
      if wantsStates { signal.yield() }
      return
    }
    let tooMany = waiting.withLock { waiting in
      waiting.append(update)
      guard waiting.count > Self.limit else { return [Update]() }
      defer { waiting = [] }
      return waiting
    }
    // The difference is found outside the lock: who takes updates never waits for it.
    if let first = tooMany.first, let all = first.followed(by: update) {
      waiting.withLock { $0 = [all] }
    }
    signal.yield()
  }

  func take() -> Update? {
    waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  func finish() { signal.finish() }
}

/// The interest of one observer: it ends when nobody holds it any more.
final class UpdateSubscription<Update: JoinableUpdate>: Sendable {
  let buffer: UpdateBuffer<Update>
  private let end: @Sendable () -> Void

  init(buffer: UpdateBuffer<Update>, end: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.end = end
  }

  deinit {
    end()
    buffer.finish()
  }
}
