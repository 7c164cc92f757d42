public import FreshetLists

/// The steps of a feed, as one observer sees them.
public typealias FeedUpdates<Item: ListItem> = UpdateStream<FeedUpdate<Item>>

/// The steps of a list, as one observer sees them: in order, and several as one where the observer
/// falls behind.
public struct UpdateStream<Update: LiveUpdate>: AsyncSequence, Sendable {
  private let publisher: ListPublisher<Update>
  private let subscription: StepSubscription

  /// Begins to observe; the first update inserts what there is.
  init(_ publisher: ListPublisher<Update>) {
    self.publisher = publisher
    subscription = publisher.steps.subscribe(to: .steps, isNew: true).0
  }

  /// Creates an iterator that takes one update after the other.
  public func makeAsyncIterator() -> Iterator {
    Iterator(publisher: publisher, subscription: subscription)
  }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let publisher: ListPublisher<Update>
    let subscription: StepSubscription

    /// The next update, or `nil` once the list is gone or the task cancelled.
    ///
    /// Steps that undid each other before they were taken are one without changes: the state
    /// counts.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Update? {
      let buffer = subscription.buffer
      while true {
        if let step = buffer.take() { return publisher.makeUpdate(step) }
        var signals = buffer.signals.makeAsyncIterator()
        if await signals.next(isolation: actor) == nil {
          return buffer.take().map(publisher.makeUpdate)
        }
      }
    }
  }
}
