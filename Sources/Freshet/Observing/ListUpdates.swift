public import FreshetLists

/// The steps of a list, as one observer sees them: in order, and several as one if the observer
/// falls behind.
public struct ListUpdates<Item: ListItem>: AsyncSequence, Sendable {
  private let subscription: StepSubscription

  /// Begins to observe; the first update inserts the rows that are there.
  init(_ publisher: ListPublisher<Item>) {
    subscription = publisher.steps.subscribe(to: .steps, isNew: true).0
  }

  /// Creates an iterator that takes one update after the other.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// Takes one update after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: StepSubscription

    /// The next update, or `nil` once the list is gone or the task cancelled.
    ///
    /// Steps that undid each other before they were taken are one without changes: the state
    /// counts.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> ListUpdate<Item>? {
      let buffer = subscription.buffer
      while true {
        if let step = buffer.take() { return ListUpdate(step) }
        guard await buffer.waitForStep() else { return buffer.take().map { ListUpdate($0) } }
      }
    }

    /// The next update: what `for await` calls before iOS 18 and macOS 15.
    public mutating func next() async -> ListUpdate<Item>? { await next(isolation: #isolation) }
  }
}
