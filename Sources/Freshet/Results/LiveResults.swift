public import FreshetLists

/// The engine of live results: one list that is kept filtered, sorted and sectioned.
///
/// Its items are those of a store, and it is bound to no actor. A server or a command-line tool
/// uses it directly; an app uses it through `ResultsController`.
///
/// Every method may be called from any thread, and never waits for the sort of another call. Calls
/// take effect in their order. If the engine is idle and the work is small, a call has taken
/// effect when it returns. Otherwise it takes effect as soon as possible. The cost of a batch
/// depends on the changes in it, not on the number of rows shown (rule C4).
///
/// ```swift
/// let results = LiveResults(store: quakes, arrangement: .sorted(by: \.time, .reverse))
/// await results.fetch(.all)
/// for await update in results.updates { print(update.changes) }
/// ```
public final class LiveResults<Item: ListItem, Request: Sendable>: Sendable {
  let store: any DataStore<Item, Request>
  let arrangement: (@Sendable (Request) -> Arrangement<Item>)?
  let window: Duration
  let clock: any Clock<Duration>
  let eventQueue: EventQueue<Engine>
  /// The publisher that reports the rows on display to observers.
  public let publisher = ListPublisher<Item>(
    ListValue(shared: ListContents.unfetched))
  /// The part of the results in their identity map.
  let sharing: ResultsSharing?
  private let lastNumber = Locked(0)
  /// The timers that end edits which the store does not report in time.
  let confirmationTimers = Locked<[Int: Task<Void, Never>]>([:])

  /// Creates results with one arrangement for all requests.
  ///
  /// - Parameters:
  ///   - store: the store of the items.
  ///   - arrangement: how the items are arranged; `arrange(_:)` changes it.
  ///   - identity: the map of the items that the results share with other lists; `nil` if they
  ///     share none.
  ///   - window: the time for which changes are collected before they are shown as one.
  ///   - clock: the clock that measures the window.
  public init(
    store: some DataStore<Item, Request>, arrangement: Arrangement<Item> = .all,
    identity: IdentityMap<Item>? = nil, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.arrangement = nil
    self.window = window
    self.clock = clock
    eventQueue = EventQueue(Engine(machine: ResultsMachine(arrangement: arrangement.erased)))
    let waker = CallbackBox()
    sharing = identity.map {
      ResultsSharing(member: SharedMember($0.hub) { waker.wake() }, store: store)
    }
    share(waker)
  }

  /// Creates results with an arrangement that depends on the request.
  public init(
    store: some DataStore<Item, Request>, identity: IdentityMap<Item>? = nil,
    window: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock(),
    arrangement: @escaping @Sendable (Request) -> Arrangement<Item>
  ) {
    self.store = store
    self.arrangement = arrangement
    self.window = window
    self.clock = clock
    eventQueue = EventQueue(
      Engine(machine: ResultsMachine(arrangement: Arrangement<Item>.all.erased)))
    let waker = CallbackBox()
    sharing = identity.map {
      ResultsSharing(member: SharedMember($0.hub) { waker.wake() }, store: store)
    }
    share(waker)
  }

  /// Notes from now on which items change, and follows the other lists of the identity map.
  private func share(_ waker: CallbackBox) {
    guard sharing != nil else { return }
    perform { engine in
      engine.machine.share()
      return nil
    }
    waker.set { [weak self] in self?.perform { _ in nil } }
  }

  deinit {
    var task: Task<Void, Never>?
    var release: (@Sendable () -> Void)?
    eventQueue.close { engine in
      task = engine.task
      release = sharing?.leave(engine.machine)
    }
    if let release { Task { @concurrent in release() } }
    task?.cancel()
    for timer in confirmationTimers.withLock({ $0.values }) { timer.cancel() }
    publisher.steps.finish()
  }

  // MARK: - What it shows

  /// The status of the last fetch, as `value` has it.
  public var fetchStatus: FetchStatus { value.fetchStatus ?? FetchStatus() }

  /// The request that was fetched last; `nil` before the first one.
  ///
  /// It is read after all earlier calls have taken effect.
  public var request: Request? { get async { await eventQueue.ask { $0.request } } }

  /// Returns the item with an id, even if the arrangement leaves it out.
  ///
  /// It is looked up after all earlier calls have taken effect.
  public func item(withID id: Item.ID) async -> Item? {
    let key = RowID(id, of: Item.self)
    return await eventQueue.ask { $0.machine.list[key] }.map { Item._item(of: $0.row) }
  }

  // MARK: - Fetching

  /// Begins a fetch, and stops the running one.
  ///
  /// The rows on display stay until the first results of a different request arrive, or until all
  /// results of the same request have arrived.
  public func performFetch(_ request: Request) { begin(request) }

  /// Begins a fetch, and waits for its initial results, until another one begins or it stops.
  ///
  /// If the same request is fetched again meanwhile, all waiting callers wait for the results of
  /// the new fetch. Cancelling the last waiting task stops the fetch, as long as its initial
  /// results have not arrived (rule R3).
  ///
  /// - Returns: `loaded`, or `failed` with the reason; if the fetch was stopped, its current
  ///   state.
  @discardableResult
  public func fetch(_ request: Request) async -> FetchState {
    let waiter = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(request, waiter: (waiter, continuation))
        if Task.isCancelled { cancel(waiter) }
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  /// Arranges the items in another way; a large list is arranged shortly after this returns.
  ///
  /// - Complexity: O(*n* log *n*).
  public func arrange(_ arrangement: Arrangement<Item>) {
    perform(asTaskIf: { $0.list.count > Self.fewItems }) {
      $0.machine.arrange(arrangement.erased)
    }
  }

  /// Stops the query; the rows on display stay.
  public func stop() {
    perform { engine in
      engine.stop()
      return nil
    }
  }

  /// Returns a number that no other waiter, edit or drop has.
  func newNumber() -> Int { sharing?.member.newNumber() ?? lastNumber.next() }

  private func cancel(_ waiter: Int) {
    perform { engine in
      engine.cancel(waiter)
      return nil
    }
  }
}
