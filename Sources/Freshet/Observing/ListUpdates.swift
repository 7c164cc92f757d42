public import FreshetLists

/// The steps of a list, in order, for one observer.
///
/// A slow observer gets several steps as one.
public struct ListUpdates<Item: ListItem>: AsyncSequence, Sendable {
  private let subscription: StepSubscription

  /// Starts to observe; the first update inserts the current rows.
  init(_ publisher: ListPublisher<Item>) {
    subscription = publisher.steps.subscribe(to: .steps, isNew: true).0
  }

  /// Returns an iterator over the updates.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// An iterator over the updates.
  public struct Iterator: AsyncIteratorProtocol {
    let subscription: StepSubscription

    /// Returns the next update; `nil` once the list is deallocated or the task is cancelled.
    ///
    /// If steps undo each other before they are taken, they are one update without changes, which
    /// carries the new state.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> ListUpdate<Item>? {
      let buffer = subscription.buffer
      while true {
        if let step = buffer.take() { return ListUpdate(step) }
        guard await buffer.waitForStep() else { return buffer.take().map { ListUpdate($0) } }
      }
    }

    /// Returns the next update; `for await` calls this before iOS 18 and macOS 15.
    public mutating func next() async -> ListUpdate<Item>? { await next(isolation: #isolation) }
  }
}
