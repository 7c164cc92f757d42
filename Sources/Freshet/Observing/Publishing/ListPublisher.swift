internal import FreshetLists

/// Publishes what a live list shows, to any number of observers, from any thread.
///
/// It is how `LiveList` is observed: ask the list.
public final class ListPublisher<Update: LiveUpdate>: Sendable {
  let steps: StepPublisher
  /// Makes a value of contents that this list shows.
  let makeValue: @Sendable (Shared<ListContents>) -> Update.Value
  /// Makes an update of a step of this list.
  let makeUpdate: @Sendable (StepContents) -> Update

  private init(
    showing contents: Shared<ListContents>,
    _ value: @escaping @Sendable (Shared<ListContents>) -> Update.Value,
    _ update: @escaping @Sendable (StepContents) -> Update
  ) {
    steps = StepPublisher(contents)
    (makeValue, makeUpdate) = (value, update)
  }

  /// All that is shown now.
  var value: Update.Value { makeValue(steps.contents) }

  /// How many observers there are.
  var observers: Int { steps.observers }

  /// All that is shown from now on, the newest for an observer that falls behind.
  var values: AsyncStream<Update.Value> {
    let (subscription, _) = steps.subscribe(to: .states)
    let isFirst = Locked(true)
    return AsyncStream { [makeValue] in
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return !isFirst
      }
      if waits {
        var signals = subscription.buffer.signals.makeAsyncIterator()
        guard await signals.next() != nil else { return nil }
      }
      return makeValue(subscription.contents)
    }
  }
}

extension ListPublisher {
  /// A publisher of a list whose rows are items and gaps.
  convenience init<Item>(
    _ value: FeedValue<Item> = FeedValue()
  ) where Update == FeedUpdate<Item> {
    self.init(showing: value.shared, { FeedValue(shared: $0) }, { FeedUpdate(step: $0) })
  }

  /// A publisher of live results.
  convenience init<Item>() where Update == ResultsUpdate<Item> {
    self.init(
      showing: ListContents.none, { ResultsValue(shared: $0) }, { ResultsUpdate(step: $0) }
    )
  }
}

extension ListPublisher {
  /// Shows another value; see `StepPublisher.show(_:_:isNew:)`.
  func show<Item>(
    _ value: FeedValue<Item>, _ updates: [FeedUpdate<Item>], isNew: Bool
  ) -> @Sendable () -> Void where Update == FeedUpdate<Item> {
    steps.show(value.shared, updates.map(\.step), isNew: isNew)
  }
}
