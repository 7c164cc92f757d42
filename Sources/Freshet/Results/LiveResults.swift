public import FreshetLists

/// The engine of live results: a store's items become one list that stays filtered, sorted and
/// sectioned, on no particular actor.
///
/// A server or a command-line tool uses it as it is; an app sees it through `ResultsController`.
/// Every method may be called from any thread, and none waits for another's sort: what is called
/// happens in the order of the calls, on return where nothing else is to be done and it is little,
/// and else as soon as it can. A batch of changes costs what changed, not what is shown (rule C4).
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
  /// Publishes what is shown to its observers.
  public let publisher = ListPublisher<Item>(
    ListValue(shared: ListContents.unfetched))
  private let lastNumber = Locked(0)
  /// Timers that end edits which the store does not report in time.
  let confirmationTimers = Locked<[Int: Task<Void, Never>]>([:])

  /// Creates results that are all laid out in one way.
  ///
  /// - Parameters:
  ///   - store: where the items are.
  ///   - arrangement: how they are laid out; `arrange(_:)` changes it.
  ///   - window: how long changes gather before they are shown as one.
  ///   - clock: what measures that.
  public init(
    store: some DataStore<Item, Request>, arrangement: Arrangement<Item> = .all,
    window: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.store = store
    self.arrangement = nil
    self.window = window
    self.clock = clock
    eventQueue = EventQueue(Engine(machine: ResultsMachine(arrangement: arrangement.erased)))
  }

  /// Creates results that are laid out as each request says.
  public init(
    store: some DataStore<Item, Request>, window: Duration = .milliseconds(100),
    clock: any Clock<Duration> = ContinuousClock(),
    arrangement: @escaping @Sendable (Request) -> Arrangement<Item>
  ) {
    self.store = store
    self.arrangement = arrangement
    self.window = window
    self.clock = clock
    eventQueue = EventQueue(
      Engine(machine: ResultsMachine(arrangement: Arrangement<Item>.all.erased)))
  }

  deinit {
    var task: Task<Void, Never>?
    eventQueue.close { task = $0.task }
    task?.cancel()
    for timer in confirmationTimers.withLock({ $0.values }) { timer.cancel() }
    publisher.steps.finish()
  }

  // MARK: - What it shows

  /// The status of the last fetch, as `value` has it.
  public var fetchStatus: FetchStatus { value.fetchStatus ?? FetchStatus() }

  /// What was asked for last.
  ///
  /// It is asked for once what was called before has happened.
  public var request: Request? { get async { await eventQueue.ask { $0.request } } }

  /// The item with an id, shown or left out by the arrangement.
  ///
  /// It is asked for once what was called before has happened.
  public func item(withID id: Item.ID) async -> Item? {
    let key = RowID(id, of: Item.self)
    return await eventQueue.ask { $0.machine.list[key] }.map { Item._item(of: $0.row) }
  }

  // MARK: - Fetching

  /// Begins a fetch; one that is running is stopped.
  ///
  /// What is shown stays until the first results of another request are there, or all of the same
  /// one.
  public func performFetch(_ request: Request) { begin(request) }

  /// Begins a fetch, and waits for its initial results, or until another one begins or it is
  /// stopped.
  ///
  /// Where the same request is fetched again meanwhile, all wait for the results of that.
  /// Cancelling the last task that waits stops the fetch, as long as its initial results are not
  /// there (rule R3).
  ///
  /// - Returns: `loaded`, or `failed` with the reason; where it was stopped, how it stands.
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

  /// Lays the items out in another way; those of a large list a moment after it returns.
  ///
  /// - Complexity: O(*n* log *n*).
  public func arrange(_ arrangement: Arrangement<Item>) {
    perform(asTaskIf: { $0.list.count > Self.fewItems }) {
      $0.machine.arrange(arrangement.erased)
    }
  }

  /// Stops the query; what is shown stays.
  public func stop() {
    perform { engine in
      engine.stop()
      return nil
    }
  }

  /// A number that no waiter, edit or drop has.
  func newNumber() -> Int { lastNumber.next() }

  private func cancel(_ waiter: Int) {
    perform { engine in
      engine.cancel(waiter)
      return nil
    }
  }
}
