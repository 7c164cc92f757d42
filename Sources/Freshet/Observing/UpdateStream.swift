public import FreshetLists

/// The steps of a feed, as one observer sees them.
public typealias FeedUpdates<Item: ListItem> = UpdateStream<FeedUpdate<Item>>

/// The steps of a list, as one observer sees them: in order, and several as one where the observer
/// falls behind.
public struct UpdateStream<Update: LiveUpdate>: AsyncSequence, Sendable {
  let subscription: UpdateSubscription<Update>

  /// Creates an iterator that takes one update after the other.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: UpdateSubscription<Update>

    /// The next update, or `nil` once the list is gone or the task cancelled.
    ///
    /// Steps that undid each other before they were taken are one without changes: the state
    /// counts.
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
