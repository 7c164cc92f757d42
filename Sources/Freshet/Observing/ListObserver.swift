internal import FreshetLists

/// An observer of a list, which takes its updates in order and then its newest state.
///
/// Controllers, and lists that are made of others, observe through it.
struct ListObserver<Item: ListItem>: Sendable {
  private let subscription: StepSubscription
  /// The value with which the observer started.
  let first: ListValue<Item>

  /// Starts with the current value, which is not delivered again.
  ///
  /// - Parameter wake: is called when there is something new, in addition to the signal.
  init(_ publisher: ListPublisher<Item>, wake: (@Sendable () -> Void)? = nil) {
    let (subscription, first) = publisher.steps.subscribe(
      to: .stepsAndStates, wake: wake)
    self.subscription = subscription
    self.first = ListValue(shared: first)
  }

  /// A stream with one signal for everything that is new since the last one.
  var signals: AsyncStream<Void> { subscription.buffer.signals }

  /// Returns the next update, which has no changes if steps undid each other.
  func next() -> ListUpdate<Item>? { subscription.buffer.take().map { ListUpdate($0) } }

  /// The newest value, unless there are updates to take first.
  var newest: ListValue<Item>? { subscription.newest.map { ListValue(shared: $0) } }

  /// Takes everything that is new: each update, then a state that changed without an update.
  ///
  /// - Parameters:
  ///   - shown: returns the value that the observer shows now.
  ///   - take: shows a value, with the update that led to it if rows changed.
  func catchUp(
    from shown: () -> ListValue<Item>, _ take: (ListValue<Item>, ListUpdate<Item>?) -> Void
  ) {
    while let update = next() { take(update.value, update) }
    if let newest, !newest.parts(differingFrom: shown()).isEmpty { take(newest, nil) }
  }

  /// The number of rows that the pending updates name.
  var waitingRows: Int { subscription.buffer.waitingRows }

  /// Calls a closure on the main actor when there is something new, while the list is observed.
  @MainActor
  func callWhenNew(_ body: @escaping @MainActor () -> Void) {
    let signals = signals
    Task { for await _ in signals { body() } }
  }
}
