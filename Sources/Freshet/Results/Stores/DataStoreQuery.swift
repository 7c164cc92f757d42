public import FreshetLists

/// One running fetch: what is asked for, and where the store enqueues what it finds.
///
/// The first results, and the first change after a quiet time, are taken at once. Changes that
/// follow gather for a moment, one for each id, and are taken as one batch. A store may enqueue
/// from any thread, as fast as it can, and never does the work of laying the items out: however far
/// live results are behind, one change for each id waits.
///
/// ```swift
/// query.enqueue(await server.todos.filter { asks(query.request, for: $0) }, as: .insert)
/// query.finishInitialResults()
/// ```
public final class DataStoreQuery<Item: ListItem, Request: Sendable>: Sendable {
  private struct State {
    var gathered = ChangeCoalescer<Item>()
    /// Says when the window has ended.
    var timer: Task<Void, Never>?
  }

  /// What the query asks the store for.
  public let request: Request
  private let window: Duration
  private let clock: any Clock<Duration>
  private let receive: @Sendable (ChangeBatch<Item>, QueryStatus) -> Void
  private let state = Locked(State())

  /// Creates a query, to try a store of one's own.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - window: how long changes gather that follow another one; zero lets each be taken as it
  ///     comes.
  ///   - clock: what measures that.
  ///   - receive: is given a batch, and how the query stands with it; one at a time and in order,
  ///     on the thread that enqueues or on none in particular. It must not call the query.
  public init(
    _ request: Request, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    receive: @escaping @Sendable (_ changes: ChangeBatch<Item>, _ status: QueryStatus) -> Void
  ) {
    self.request = request
    self.window = window
    self.clock = clock
    self.receive = receive
    state.withLock { $0.gathered.isImmediate = window <= .zero }
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// Enqueues items that came, changed or went.
  public func enqueue(_ items: [Item], as kind: ChangeKind) {
    add { $0.add(items, as: kind) }
  }

  /// Enqueues the ids of items that went.
  public func enqueue(deleting ids: [Item.ID]) {
    add { batch in for id in ids { batch.addDeletion(of: id) } }
  }

  /// Enqueues changes that belong together.
  ///
  /// What changed together goes in as one batch: the first change after a quiet time is shown at
  /// once, without those that are enqueued after it.
  public func enqueue(_ changes: ChangeBatch<Item>) { add { $0.add(changes) } }

  /// Whether changes are taken as they come, without a window.
  public var processesChangesImmediately: Bool {
    get { state.withLock { $0.gathered.isImmediate } }
    set {
      pass { gathered in
        gathered.isImmediate = newValue
        return newValue ? gathered.deliver() : nil
      }
    }
  }

  /// Lets what was enqueued so far be taken now.
  public func processPendingChanges() { pass { $0.deliver() } }

  /// Says that all there is now was enqueued: what an earlier fetch of the same request showed and
  /// this one did not find goes.
  ///
  /// Returning from `execute(_:)` says so too.
  public func finishInitialResults() {
    pass {
      $0.change { status in
        status.isComplete = true
        status.progress = nil
      }
    }
  }

  /// Says how far the initial results are, where they take a while.
  ///
  /// - Parameters:
  ///   - completed: how many items were looked at.
  ///   - total: how many there are, as far as that is known.
  public func report(completed: Int, of total: Int? = nil) {
    pass { $0.change { $0.progress = FetchProgress(completed: completed, total: total) } }
  }

  /// Says how many of the rows that are asked for are left out now, because they do not decode or
  /// because another row has the same id.
  ///
  /// The query goes on without them, and with each as soon as it decodes: one row that another
  /// program wrote wrong takes no other one from the screen (rule S2).
  ///
  /// - Parameters:
  ///   - invalidItems: how many there are; zero once all decode.
  ///   - error: what is wrong with the first of them.
  public func report(invalidItems: Int, first error: (any Error)?) {
    pass { $0.change { ($0.invalidItems, $0.invalidItem) = (invalidItems, error) } }
  }

  /// Why no changes arrive at the moment: the way to the store is lost, and it is trying again.
  ///
  /// Set it to `nil` once everything that was missed is enqueued.
  public var interruption: (any Error)? {
    get { state.withLock { $0.gathered.status.interruption } }
    set { pass { $0.change { $0.interruption = newValue } } }
  }

  /// Stands as another query does: for a store over another one.
  ///
  /// What was said before is not said again: changes that come with it gather in their window.
  func follow(_ status: QueryStatus) { pass { $0.follow(status) } }

  /// Waits until nobody wants the results any more: for a store that is told of changes and has
  /// nothing else to wait for.
  public func untilStopped() async {
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
  }

  private func add(_ change: (inout ChangeBatch<Item>) -> Void) { pass { $0.add(change) } }

  /// Lets the gathered changes decide what is taken now, under the lock: batches cannot overtake
  /// each other.
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
