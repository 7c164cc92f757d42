internal import FreshetLists

/// Observes the updates and the load states of a list: takes updates in order, then the newest
/// state.
///
/// Controllers, and lists that are made of others, observe through it.
struct ListObserver<Item: ListItem>: Sendable {
  private let subscription: StepSubscription
  /// What the observer began with.
  let first: ListValue<Item>

  /// Begins with the current value, which is not delivered again.
  ///
  /// - Parameter wake: is called when there is something new, besides the signal.
  init(_ publisher: ListPublisher<Item>, wake: (@Sendable () -> Void)? = nil) {
    let (subscription, first) = publisher.steps.subscribe(
      to: .stepsAndStates, wake: wake)
    self.subscription = subscription
    self.first = ListValue(shared: first)
  }

  /// One signal for whatever is new since the last one.
  var signals: AsyncStream<Void> { subscription.buffer.signals }

  /// The next update; without changes where steps undid each other.
  func next() -> ListUpdate<Item>? { subscription.buffer.take().map { ListUpdate($0) } }

  /// The newest value, unless updates lead there.
  var newest: ListValue<Item>? { subscription.newest.map { ListValue(shared: $0) } }

  /// Takes in what is new: each update, then the state that came without one.
  ///
  /// - Parameters:
  ///   - shown: what the observer shows now.
  ///   - take: shows a value; with the update that led to it, where rows changed.
  func catchUp(
    from shown: () -> ListValue<Item>, _ take: (ListValue<Item>, ListUpdate<Item>?) -> Void
  ) {
    while let update = next() { take(update.value, update) }
    if let newest, !newest.parts(differingFrom: shown()).isEmpty { take(newest, nil) }
  }

  /// How many rows the updates name that wait.
  var waitingRows: Int { subscription.buffer.waitingRows }

  /// Calls a closure on the main actor whenever there is something new, as long as the list is
  /// observed.
  @MainActor
  func callWhenNew(_ body: @escaping @MainActor () -> Void) {
    let signals = signals
    Task { for await _ in signals { body() } }
  }
}
