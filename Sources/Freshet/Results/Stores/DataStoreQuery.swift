public import FreshetLists

/// A running fetch: its request, and the place where the store enqueues items and changes.
///
/// The first results are delivered at once, and so is the first change after a quiet time. Later
/// changes are collected for a moment, one for each id, and delivered as one batch. A store may
/// enqueue from any thread, as fast as it can, and never does the work of arranging the items.
/// Even if live results cannot keep up, only one change for each id is pending.
///
/// ```swift
/// query.enqueue(await server.todos.filter { asks(query.request, for: $0) }, as: .insert)
/// query.finishInitialResults()
/// ```
public final class DataStoreQuery<Item: ListItem, Request: Sendable>: Sendable {
  private struct State {
    var gathered = ChangeCoalescer<Item>()
    /// The task that ends the window.
    var timer: Task<Void, Never>?
  }

  /// The request that the store answers.
  public let request: Request
  private let window: Duration
  private let clock: any Clock<Duration>
  /// Returns whether the identity map of the receiver knows what a feed writes into the store.
  let isEcho: @Sendable (_ feed: String) -> Bool
  private let receive: @Sendable (ChangeBatch<Item>, QueryStatus) -> Void
  private let state = Locked(State())

  /// Creates a query, for tests of a custom store.
  ///
  /// - Parameters:
  ///   - request: the request of the query.
  ///   - window: the time for which changes that follow another one are collected. Zero delivers
  ///     each change at once.
  ///   - clock: the clock that measures the window.
  ///   - receive: receives each batch and the status of the query, one call at a time and in
  ///     order. It runs on the thread that enqueues, or on an arbitrary one. It must not call the
  ///     query.
  public convenience init(
    _ request: Request, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    receive: @escaping @Sendable (_ changes: ChangeBatch<Item>, _ status: QueryStatus) -> Void
  ) {
    self.init(request, window: window, clock: clock, isEcho: { _ in false }, receive: receive)
  }

  /// Creates a query of live results whose identity map may have feeds over the store.
  package init(
    _ request: Request, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    isEcho: @escaping @Sendable (_ feed: String) -> Bool,
    receive: @escaping @Sendable (_ changes: ChangeBatch<Item>, _ status: QueryStatus) -> Void
  ) {
    self.request = request
    self.window = window
    self.clock = clock
    self.isEcho = isEcho
    self.receive = receive
    state.withLock { $0.gathered.isImmediate = window <= .zero }
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// Enqueues items that were inserted, updated or deleted.
  public func enqueue(_ items: [Item], as kind: ChangeKind) {
    add { $0.add(items, as: kind) }
  }

  /// Enqueues the ids of items that were deleted.
  public func enqueue(deleting ids: [Item.ID]) {
    add { batch in for id in ids { batch.addDeletion(of: id) } }
  }

  /// Enqueues changes that belong together.
  ///
  /// They are delivered as one batch. Changes that are enqueued one by one may be shown apart,
  /// because the first change after a quiet time is shown at once.
  public func enqueue(_ changes: ChangeBatch<Item>) { add { $0.add(changes) } }

  /// Enqueues changes that a feed wrote into the store (`FeedStore.write(_:notes:of:)`).
  ///
  /// If the feed and the receiver share an identity map, the map has known these versions since the
  /// feed learned them. So they never replace a newer one. For any other receiver, they are changes
  /// like all others.
  ///
  /// - Parameters:
  ///   - changes: the changes as the store has them now, with no later change of another writer.
  ///   - feed: the name of the feed that wrote them.
  public func enqueue(_ changes: ChangeBatch<Item>, of feed: String) {
    enqueue(attributing(changes, to: feed))
  }

  /// Returns changes that a feed wrote, as echoes if the receiver's identity map knows them.
  func attributing(_ changes: ChangeBatch<Item>, to feed: String) -> ChangeBatch<Item> {
    isEcho(feed) ? changes.asEchoes() : changes
  }

  /// Enqueues changes that belong together, and of which feeds wrote some.
  ///
  /// - Parameters:
  ///   - changes: the changes, as `enqueue(_:of:)` takes them.
  ///   - writers: the names of the feeds that wrote them, by item.
  package func enqueue(_ changes: ChangeBatch<Item>, of writers: [Item.ID: String]) {
    let known = Set(writers.values).filter(isEcho)
    if known.isEmpty { return enqueue(changes) }
    enqueue(changes.asEchoes { id in writers[id].map(known.contains) ?? false })
  }

  /// Whether each change is delivered at once, without a window.
  public var processesChangesImmediately: Bool {
    get { state.withLock { $0.gathered.isImmediate } }
    set {
      pass { gathered in
        gathered.isImmediate = newValue
        return newValue ? gathered.deliver() : nil
      }
    }
  }

  /// Delivers the changes that were enqueued so far.
  public func processPendingChanges() { pass { $0.deliver() } }

  /// Reports that all current items are enqueued.
  ///
  /// Items that an earlier fetch of the same request showed, and that this one did not find, are
  /// removed from the list. Returning from `execute(_:)` has the same effect.
  public func finishInitialResults() {
    pass {
      $0.change { status in
        status.isComplete = true
        status.progress = nil
      }
    }
  }

  /// Reports the progress of the initial results, if they take a while.
  ///
  /// - Parameters:
  ///   - completed: the number of items that were examined.
  ///   - total: the number of items that there are, if it is known.
  public func report(completed: Int, of total: Int? = nil) {
    pass { $0.change { $0.progress = FetchProgress(completed: completed, total: total) } }
  }

  /// Reports how many of the requested rows are left out now.
  ///
  /// A row is left out if it does not decode, or if another row has the same id. The query
  /// continues without these rows, and shows each one as soon as it decodes. So a malformed row
  /// that another program wrote does not remove any other row from the screen (rule S2).
  ///
  /// - Parameters:
  ///   - invalidItems: the number of these rows; zero once all of them decode.
  ///   - error: the error of the first of them.
  public func report(invalidItems: Int, first error: (any Error)?) {
    pass { $0.change { ($0.invalidItems, $0.invalidItem) = (invalidItems, error) } }
  }

  /// The reason why no changes arrive at the moment; `nil` if they do.
  ///
  /// A store sets it when it loses its connection and tries to restore it. Set it to `nil` once
  /// all missed changes are enqueued.
  public var interruption: (any Error)? {
    get { state.withLock { $0.gathered.status.interruption } }
    set { pass { $0.change { $0.interruption = newValue } } }
  }

  /// Adopts the status of another query, for a store that wraps another one.
  ///
  /// A revision that was already reported is not reported again, so that changes which arrive with
  /// it are still collected in their window.
  func follow(_ status: QueryStatus) { pass { $0.follow(status) } }

  /// Waits until the query is no longer needed.
  ///
  /// It is for a store that is notified of changes and has nothing else to wait for.
  public func untilStopped() async {
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
  }

  private func add(_ change: (inout ChangeBatch<Item>) -> Void) { pass { $0.add(change) } }

  /// Applies a decision of the coalescer, and delivers the changes that it returns.
  ///
  /// It holds the lock meanwhile, so that no batch overtakes another one.
  private func pass(
    _ decide: (inout ChangeCoalescer<Item>) -> ChangeCoalescer<Item>.Delivery?
  ) {
    state.withLock { state in
      guard let delivery = decide(&state.gathered) else { return }
      if delivery.opensWindow {
        state.timer = Task { @concurrent [weak self, clock, window] in
          guard (try? await clock.sleep(for: window)) != nil else { return }
          self?.pass { $0.windowEnded() }
        }
      }
      receive(delivery.changes, delivery.status)
    }
  }
}
