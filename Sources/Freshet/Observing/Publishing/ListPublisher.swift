internal import FreshetLists

/// Publishes what a live list shows, to any number of observers, from any thread.
///
/// It is how `LiveList` is observed: ask the list.
public final class ListPublisher<Item: ListItem>: Sendable {
  let steps: StepPublisher

  /// Creates the publisher of a list that shows this value.
  init(_ value: ListValue<Item> = ListValue()) { steps = StepPublisher(value.shared) }

  /// All that is shown now.
  var value: ListValue<Item> { ListValue(shared: steps.contents) }

  /// How many observers there are.
  var observers: Int { steps.observers }

  /// All that is shown from now on, the newest for an observer that falls behind.
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

  /// Shows another value; see `StepPublisher.show(_:_:isNew:)`.
  func show(
    _ value: ListValue<Item>, _ updates: [ListUpdate<Item>], isNew: Bool
  ) -> @Sendable () -> Void {
    steps.show(value.shared, updates.map(\.contents), isNew: isNew)
  }
}
