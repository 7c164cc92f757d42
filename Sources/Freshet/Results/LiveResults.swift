public import FreshetLists

/// The engine of live results: a store's items become one list that stays filtered, sorted and
/// sectioned, on no particular actor.
///
/// A server or a command-line tool uses it as it is; an app sees it through `ResultsController`. Every
/// method may be called from any thread. A batch of changes costs what changed, not what is shown
/// (rule C4).
///
/// ```swift
/// let results = LiveResults(store: quakes, arrangement: .sorted(by: \.time, .reverse))
/// await results.fetch(.all)
/// for await update in results.updates { print(update.changes) }
/// ```
public final class LiveResults<Item: ListItem, Request: Sendable>: Sendable {
  private struct State {
    var machine: ResultsMachine<Item>
    var request: Request?
    var task: Task<Void, Never>?
    var waiters: [CheckedContinuation<ResultsState, Never>] = []
    var observers: [Int: UpdateBuffer<ResultsUpdate<Item>>] = [:]
    var lastObserver = 0
  }

  private let store: any DataStore<Item, Request>
  private let arrangement: (@Sendable (Request) -> Arrangement<Item>)?
  private let window: Duration
  private let clock: any Clock<Duration>
  private let state: Locked<State>
  private let shown = Locked(ResultsValue<Item>())

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
    state = Locked(State(machine: ResultsMachine(arrangement: arrangement)))
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
    state = Locked(State(machine: ResultsMachine(arrangement: .all)))
  }

  deinit {
    let (task, observers, waiters) = state.withLock { state in
      (state.task, Array(state.observers.values), state.waiters)
    }
    task?.cancel()
    for observer in observers { observer.finish() }
    for waiter in waiters { waiter.resume(returning: .initial) }
  }

  // MARK: - What it shows

  /// All that is shown now.
  public var value: ResultsValue<Item> { shown.withLock { $0 } }

  /// What was asked for last.
  public var request: Request? { state.withLock { $0.request } }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them.
  public var updates: ResultsUpdates<Item> { UpdateStream(subscription: subscribe()) }

  /// All that is shown from now on: rows with how the fetch stands, how far it is, and whether the store
  /// is out of reach.
  ///
  /// An observer that falls behind gets the newest; the first value is the one now.
  public var values: AsyncStream<ResultsValue<Item>> {
    let subscription = subscribe(states: true)
    let isFirst = Locked(true)
    return AsyncStream { [weak self] in
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return !isFirst
      }
      if waits {
        var signals = subscription.buffer.signals.makeAsyncIterator()
        guard await signals.next() != nil else { return nil }
      }
      while subscription.buffer.take() != nil {}
      return self?.value
    }
  }

  /// Where an item is shown.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? { state.withLock { $0.machine.list.path(of: id) } }

  /// The item with an id, shown or left out by the arrangement.
  public func item(withID id: Item.ID) -> Item? { state.withLock { $0.machine.list[id] } }

  func subscribe(states: Bool = false) -> UpdateSubscription<ResultsUpdate<Item>> {
    let buffer = UpdateBuffer<ResultsUpdate<Item>>(wantsStates: states)
    let observer = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      let value = state.machine.value
      if value.list.count > 0 {
        let list = ListUpdate(from: ListSnapshot(), to: value.list, origin: .cache)
        buffer.yield(ResultsUpdate(list: list, value: value))
      }
      return state.lastObserver
    }
    return UpdateSubscription(buffer: buffer) { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: observer) }
    }
  }

  // MARK: - Fetching

  /// Begins a fetch; one that is running is stopped.
  ///
  /// What is shown stays until the first results of another request are there, or all of the same
  /// one.
  public func performFetch(_ request: Request) { begin(request, waiter: nil) }

  /// Begins a fetch, and waits for its initial results, or until another one begins.
  ///
  /// - Returns: `loaded`, or `failed` with the reason.
  @discardableResult
  public func fetch(_ request: Request) async -> ResultsState {
    await withCheckedContinuation { begin(request, waiter: $0) }
  }

  /// Lays the items out in another way.
  ///
  /// - Complexity: O(*n* log *n*).
  public func arrange(_ arrangement: Arrangement<Item>) { perform { $0.arrange(arrangement) } }

  /// Stops the query; what is shown stays.
  public func stop() {
    let task = state.withLock { state in
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
  }

  private func begin(_ request: Request, waiter: CheckedContinuation<ResultsState, Never>?) {
    let arrangement = arrangement?(request)
    let old = state.withLock { state in
      let isSame = state.request.map { Self.isSame($0, request) } ?? false
      state.request = request
      publish(state.machine.begin(isSame: isSame, arrangement: arrangement), &state)
      let old = (task: state.task, waiters: state.waiters)
      state.waiters = waiter.map { [$0] } ?? []
      state.task = run(request, state.machine.fetch)
      return old
    }
    old.task?.cancel()
    for waiter in old.waiters { waiter.resume(returning: .loading) }
  }

  private func run(_ request: Request, _ fetch: Int) -> Task<Void, Never> {
    let query = DataStoreQuery<Item, Request>(request, window: window, clock: clock) {
      [weak self] batch, status in
      self?.perform { $0.take(batch, status, of: fetch) }
    }
    return Task { @concurrent [weak self, store] in
      do {
        try await store.execute(query)
        if !Task.isCancelled { query.finishInitialResults() }
      } catch  where !Task.isCancelled {
        query.processPendingChanges()
        self?.perform {
          $0.end(error, of: fetch)
          return nil
        }
      } catch {}
      if Task.isCancelled {
        self?.perform {
          $0.stop(fetch)
          return nil
        }
      }
    }
  }

  private func perform(_ event: (inout ResultsMachine<Item>) -> ResultsUpdate<Item>?) {
    let (waiters, outcome) = state.withLock { state in
      publish(event(&state.machine), &state)
      let outcome = state.machine.value.state
      guard !outcome.isLoading else {
        return ([CheckedContinuation<ResultsState, Never>](), outcome)
      }
      defer { state.waiters = [] }
      return (state.waiters, outcome)
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  /// Tells every observer, under the lock: no later update can overtake this one.
  private func publish(_ update: ResultsUpdate<Item>?, _ state: inout State) {
    let value = state.machine.value
    shown.withLock { $0 = value }
    for observer in state.observers.values { observer.yield(update) }
  }

  /// Whether two requests ask for the same, as far as they can be compared.
  private static func isSame(_ first: Request, _ second: Request) -> Bool {
    func equals<Value: Equatable>(_ first: Value) -> Bool { first == second as? Value }
    return (first as? any Equatable).map { equals($0) } ?? false
  }
}
