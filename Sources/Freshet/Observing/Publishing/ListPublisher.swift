internal import FreshetLists

/// A publisher that delivers a live list to any number of observers, on any thread.
///
/// To observe, use the members of `LiveList`.
public final class ListPublisher<Item: ListItem>: Sendable {
  let steps: StepPublisher

  /// Creates the publisher of a list with this value.
  init(_ value: ListValue<Item> = ListValue()) { steps = StepPublisher(value.shared) }

  /// The value of the list now.
  var value: ListValue<Item> { ListValue(shared: steps.contents) }

  /// The number of observers.
  var observers: Int { steps.observers }

  /// The values of the list from now on; a slow observer gets the newest.
  var values: AsyncStream<ListValue<Item>> {
    let (subscription, _) = steps.subscribe(to: .states)
    let isFirst = Locked(true)
    return AsyncStream {
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return !isFirst
      }
      if waits {
        var signals = subscription.buffer.signals.makeAsyncIterator()
        guard await signals.next() != nil else { return nil }
      }
      return ListValue(shared: subscription.contents)
    }
  }

  /// Publishes another value; see `StepPublisher.show(_:_:isNew:)`.
  func show(
    _ value: ListValue<Item>, _ updates: [ListUpdate<Item>], isNew: Bool
  ) -> @Sendable () -> Void {
    steps.show(value.shared, updates.map(\.contents), isNew: isNew)
  }
}
