internal import FreshetLists

/// One observer that knows load states too: takes updates in their order, and the state that came
/// since.
///
/// The controllers and the lists that are made of others follow through it.
struct Following<Update: LiveUpdate>: Sendable {
  private let subscription: UpdateSubscription<Update>
  /// What the observer began with.
  let first: Update.Value

  /// Begins with what is shown, which is not told again.
  ///
  /// - Parameter wake: is called when there is something new, besides the signal.
  init(_ shown: Shown<Update>, wake: (@Sendable () -> Void)? = nil) {
    (subscription, first) = shown.subscribe(to: .updatesAndStates, wake: wake)
  }

  /// One signal for whatever is new since the last one.
  var signals: AsyncStream<Void> { subscription.buffer.signals }

  /// The next update; without changes where steps undid each other.
  func next() -> Update? { subscription.buffer.take() }

  /// The newest value, unless updates lead there.
  var newest: Update.Value? { subscription.newest }

  /// Takes in what is new: each update, then the state that came without one.
  ///
  /// - Parameters:
  ///   - shown: what the observer shows now.
  ///   - take: shows a value; with the update that led to it, where rows changed.
  func catchUp<Item>(
    from shown: () -> FeedValue<Item>, _ take: (FeedValue<Item>, Update?) -> Void
  ) where Update.Value == FeedValue<Item> {
    while let update = next() { take(update.value, update) }
    if let newest, newest.differsBesideRows(from: shown()) { take(newest, nil) }
  }

  /// How many rows the updates name that wait.
  var waitingRows: Int { subscription.buffer.waitingRows }

  /// Calls somebody on the main actor whenever there is something new, until nobody follows any
  /// more.
  @MainActor
  func callWhenNew(_ body: @escaping @MainActor () -> Void) {
    let signals = signals
    Task { for await _ in signals { body() } }
  }
}
