public import FreshetLists

/// A step that can be taken together with the one that follows.
public protocol JoinableUpdate: Sendable {
  /// What the step does to the screen.
  var changes: ListChanges { get }

  /// Two steps as one: without changes where they undo each other, and still with the state that came
  /// with the second.
  func followed(by next: Self) -> Self
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

    /// Steps that undid each other before they were taken are none (rule L3).
    private func takeChange() -> Update? {
      while let update = subscription.buffer.take() {
        if !update.changes.isEmpty { return update }
      }
      return nil
    }

    /// The next update, or `nil` once the list is gone or the task cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Update? {
      let buffer = subscription.buffer
      while true {
        if let update = takeChange() { return update }
        var signals = buffer.signals.makeAsyncIterator()
        if await signals.next(isolation: actor) == nil { return takeChange() }
      }
    }
  }
}

/// What one observer has not taken yet.
///
/// Updates in order; if too many wait, they become one.
final class UpdateBuffer<Update: JoinableUpdate>: Sendable {
  private struct Waiting {
    var updates: [Update] = []
    /// Whether a task makes one of them: nobody takes any until it is there.
    var isJoining = false
  }

  private static var limit: Int { 32 }

  private let waiting = Locked(Waiting())
  private let signal: AsyncStream<Void>.Continuation
  let signals: AsyncStream<Void>
  /// Whether its observer is woken for changes of load states alone.
  let wantsStates: Bool

  init(wantsStates: Bool) {
    self.wantsStates = wantsStates
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Keeps an update until it is taken; one at a time calls it, in their order.
  func append(_ update: Update) {
    let areTooMany = waiting.withLock { waiting in
      waiting.updates.append(update)
      guard !waiting.isJoining, waiting.updates.count > Self.limit else { return false }
      waiting.isJoining = true
      return true
    }
    // The difference may take long: neither who makes the updates nor who takes them waits for it.
    if areTooMany { Task { @concurrent in self.join() } }
  }

  /// Makes one update of those that wait, until they are few.
  private func join() {
    var areTooMany = true
    while areTooMany {
      let updates = waiting.withLock { $0.updates }
      guard let first = updates.first, let last = updates.last else { return }
      let all = first.followed(by: last)
      areTooMany = waiting.withLock { waiting in
        waiting.updates.replaceSubrange(0..<updates.count, with: [all])
        waiting.isJoining = waiting.updates.count > Self.limit
        return waiting.isJoining
      }
    }
    wake()
  }

  /// Wakes the observer, if it waits.
  func wake() { signal.yield() }

  func take() -> Update? {
    waiting.withLock { waiting in
      waiting.isJoining || waiting.updates.isEmpty ? nil : waiting.updates.removeFirst()
    }
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
