public import FreshetLists

/// One running fetch: what is asked for, and where the store enqueues what it finds.
///
/// Changes gather for a moment, one for each id, and are taken as one batch; the first results are
/// taken at once. A store may enqueue from any thread, as fast as it can, and never does the work of
/// laying the items out: however far live results are behind, one change for each id waits.
public final class DataStoreQuery<Item: ListItem, Request: Sendable>: Sendable {
  private struct State {
    var pending = ChangeBatch<Item>()
    var status = QueryStatus()
    var isStatusNew = false
    /// What it followed last.
    var followed = 0
    var isImmediate = false
    var hasResults = false
    var timer: Task<Void, Never>?
  }

  /// How many changes may wait.
  private static var limit: Int { 4096 }

  /// What is asked for.
  public let request: Request
  private let window: Duration
  private let clock: any Clock<Duration>
  private let take: @Sendable (ChangeBatch<Item>, QueryStatus) -> Void
  private let state = Locked(State())

  /// Creates a query, to try a store of one's own.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - window: how long changes gather before they are taken.
  ///   - clock: what measures that.
  ///   - take: takes a batch, and how the query stands with it; one at a time and in order, on the
  ///     thread that enqueues or on none in particular.
  public init(
    _ request: Request, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    take: @escaping @Sendable (_ changes: ChangeBatch<Item>, _ status: QueryStatus) -> Void
  ) {
    self.request = request
    self.window = window
    self.clock = clock
    self.take = take
  }

  deinit { state.withLock { $0.timer }?.cancel() }

  /// Enqueues items that came, changed or went.
  public func enqueue(_ items: [Item], as kind: ChangeKind) {
    add { batch in for item in items { batch.add(item, as: kind) } }
  }

  /// Enqueues the ids of items that went.
  public func enqueue(deleting ids: [Item.ID]) {
    add { batch in for id in ids { batch.addDeletion(of: id) } }
  }

  /// Enqueues changes.
  public func enqueue(_ changes: ChangeBatch<Item>) { add { $0.add(changes) } }

  /// Whether changes are taken as they come, without a window.
  public var processesChangesImmediately: Bool {
    get { state.withLock { $0.isImmediate } }
    set {
      state.withLock { $0.isImmediate = newValue }
      if newValue { processPendingChanges() }
    }
  }

  /// Lets what was enqueued so far be taken now.
  public func processPendingChanges() { state.withLock { process(&$0) } }

  /// Says that all there is now was enqueued: what an earlier fetch of the same request showed and
  /// this one did not find goes.
  ///
  /// Returning from `execute(_:)` says so too.
  public func finishInitialResults() {
    change { status in
      status.isComplete = true
      status.progress = nil
    }
  }

  /// Says how far the initial results are, where they take a while.
  ///
  /// - Parameters:
  ///   - completed: how many items were looked at.
  ///   - total: how many there are, as far as that is known.
  public func report(completed: Int, of total: Int?) {
    change { $0.progress = FetchProgress(completed: completed, total: total) }
  }

  /// Why no changes arrive at the moment: the way to the store is lost, and it is trying again.
  ///
  /// Set it to `nil` once everything that was missed is enqueued.
  public var interruption: (any Error)? {
    get { state.withLock { $0.status.interruption } }
    set { change { $0.interruption = newValue } }
  }

  /// Stands as another query does: for a store over another one.
  ///
  /// What was said before is not said again: changes that come with it gather in their window.
  func follow(_ status: QueryStatus) {
    let isNew = state.withLock { state in
      defer { state.followed = status.revision }
      return state.followed != status.revision
    }
    guard isNew else { return }
    change { own in
      own.isComplete = status.isComplete
      own.progress = status.progress
      own.interruption = status.interruption
    }
  }

  /// Waits until nobody wants the results any more: for a store that is told of changes and has nothing
  /// else to wait for.
  public func untilStopped() async {
    let (never, continuation) = AsyncStream<Void>.makeStream()
    for await _ in never {}
    continuation.finish()
  }

  /// Changes how the query stands; what was enqueued before is taken with it.
  private func change(_ change: (inout QueryStatus) -> Void) {
    state.withLock { state in
      change(&state.status)
      state.status.revision += 1
      state.isStatusNew = true
      process(&state)
    }
  }

  private func add(_ change: (inout ChangeBatch<Item>) -> Void) {
    state.withLock { state in
      change(&state.pending)
      if state.isImmediate || !state.hasResults || state.pending.count >= Self.limit {
        process(&state)
      } else if state.timer == nil, !state.pending.isEmpty {
        state.timer = Task { @concurrent [weak self, clock, window] in
          guard (try? await clock.sleep(for: window)) != nil else { return }
          self?.processPendingChanges()
        }
      }
    }
  }

  /// Takes what waits, under the lock: batches cannot overtake each other.
  private func process(_ state: inout State) {
    state.timer?.cancel()
    state.timer = nil
    guard !state.pending.isEmpty || state.isStatusNew else { return }
    let batch = state.pending
    state.pending = ChangeBatch()
    state.isStatusNew = false
    state.hasResults = state.hasResults || !batch.isEmpty || state.status.isComplete
    take(batch, state.status)
  }
}
