internal import FreshetLists
internal import struct Foundation.Date

/// Runs a feed of any item type: it performs the effects of the machine.
///
/// `Feed` converts items to rows for it, and its rows to items.
final class FeedEngine: Sendable {
  /// The state that events change, one at a time: the machine, its tasks and its waiters.
  struct State: Sendable {
    var machine: FeedMachine
    var tasks: [Int: (ticket: LoadTicket, task: Task<Void, Never>)] = [:]
    var waiters: [Int: CheckedContinuation<LoadState, Never>] = [:]
    var isCacheLoaded = false
  }

  let eventQueue: EventQueue<State>
  private let publisher: StepPublisher
  private let source: OpaqueSource
  private let storage: (any FeedStorage)?
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let lastNumber = Locked(0)
  /// The part of the feed in its identity map.
  private let sharing: FeedSharing?
  /// The feed, held weakly; each posted event keeps it alive until the event is applied.
  private let owner = Locked(Owner())

  private struct Owner { weak var feed: (any AnyObject & Sendable)? }

  /// - Parameters:
  ///   - publisher: publishes the contents of the machine.
  ///   - storage: stores the steps; `nil` keeps them in memory only.
  ///   - hub: connects the lists that share their items; `nil` if the feed has its own.
  init(
    _ machine: FeedMachine, source: OpaqueSource, storage: (any FeedStorage)?,
    publisher: StepPublisher, sharing hub: SharedItemsHub? = nil
  ) {
    var machine = machine
    machine.shared = hub.map { _ in SharedRows() }
    eventQueue = EventQueue(State(machine: machine))
    (self.publisher, self.source, self.storage) = (publisher, source, storage)
    (clock, now) = (machine.configuration.clock, machine.configuration.now)
    let waker = CallbackBox()
    sharing = hub.map { FeedSharing(member: SharedMember($0) { waker.wake() }) }
    if hub != nil { waker.set { [weak self] in self?.perform { _, _ in } } }
  }

  deinit {
    var tasks: [Task<Void, Never>] = []
    var release: (@Sendable () -> Void)?
    eventQueue.close { state in
      tasks = state.tasks.values.map(\.task)
      release = sharing?.leave(state.machine)
    }
    if let release { Task { @concurrent in release() } }
    for task in tasks { task.cancel() }
    publisher.finish()
  }

  /// Lets live results of the feed's store and its identity map know of the feed.
  ///
  /// - Parameter settle: stores what the feed shows, and returns whether that succeeded.
  func register(
    _ feed: StoredFeed, settle: @escaping @Sendable () async -> Bool
  ) -> StoredFeeds.Registration? {
    sharing.map { $0.member.hub.feeds.register(feed, $0.member.number, settle: settle) }
  }

  /// Sets the feed that owns the engine.
  func setOwner(_ feed: some AnyObject & Sendable) { owner.withLock { $0.feed = feed } }

  /// Posts an event, and keeps the feed alive until the event is applied.
  private func post(
    asTaskIf isLong: (State) -> Bool = { _ in false },
    _ event: @escaping @Sendable (inout State) -> EventQueue<State>.DeferredActions
  ) {
    eventQueue.post(asTaskIf: isLong) { [feed = owner.withLock(\.feed)] state in
      let afterwards = event(&state)
      return {
        afterwards()
        withExtendedLifetime(feed) {}
      }
    }
  }

  /// Returns a number for a waiter, an edit or a piece of news.
  func newNumber() -> Int { sharing?.member.newNumber() ?? lastNumber.next() }

  /// The number of rows that a caller on the main actor can process itself.
  static var fewRows: Int { 256 }

  /// Posts an event, and performs its effects.
  ///
  /// - Parameter isLong: whether the event takes longer than a caller on the main actor can spare.
  func perform(
    asTaskIf isLong: (FeedMachine) -> Bool = { _ in false },
    _ event: @escaping @Sendable (inout FeedMachine, Date) -> Void
  ) {
    post(asTaskIf: { isLong($0.machine) }) { [self] state in
      happen(to: &state) { event(&$0.machine, $1) }
    }
  }

  /// Posts an event, and waits until it is applied.
  func performed(_ event: @escaping @Sendable (inout State, Date) -> Void) async {
    await withCheckedContinuation { continuation in
      post { [self] state in
        let afterwards = happen(to: &state, event)
        return {
          afterwards()
          continuation.resume()
        }
      }
    }
  }

  /// Posts an event that has a load state as its outcome, and waits for that.
  ///
  /// Cancelling the last caller that waits for a load cancels the load (rule R3).
  func wait(
    for event: @escaping @Sendable (inout FeedMachine, _ waiter: Int) -> Void
  ) async -> LoadState {
    let waiter = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        post { [self] state in
          happen(to: &state) { state, _ in
            state.waiters[waiter] = continuation
            event(&state.machine, waiter)
          }
        }
        if Task.isCancelled { cancel(waiter) }
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  /// Cancels a waiter, in a task: answers that were held back for its load may be read then.
  private func cancel(_ waiter: Int) {
    perform(asTaskIf: { _ in true }) { $0.cancel(waiter: waiter, at: $1) }
  }

  private func happen(
    to state: inout State, _ event: (inout State, Date) -> Void
  ) -> EventQueue<State>.DeferredActions {
    let now = now()
    sharing?.prepare(&state.machine, at: now)
    event(&state, now)
    sharing?.follow(&state.machine, at: now)
    let afterwards = performEffects(&state)
    guard let sharing else { return afterwards }
    return {
      afterwards()
      sharing.member.wakeOthers()
    }
  }

  /// Stores and publishes what is new, then asks the source; effects of each kind keep their order.
  ///
  /// - Returns: the actions that may run client code, once the engine is idle again.
  private func performEffects(_ state: inout State) -> EventQueue<State>.DeferredActions {
    let effects = state.machine.takeEffects()
    var steps: [StepContents] = []
    // The anchor may differ from the published one without a `.publish` effect.
    var isNew = !ListContents.areOneAnchor(
      state.machine.contents.anchor, publisher.contents.value.anchor)
    for effect in effects {
      switch effect {
      case .publish(let step):
        isNew = true
        if let step { steps.append(step) }
      case .save(let commit): storage?.save(commit)
      case .load(.read(let ticket, let range, let count)):
        storage?.load(range, of: count) { [weak self] rows in
          self?.perform { $0.readBack(rows, for: ticket, at: $1) }
        }
      case .load: break
      }
    }
    // A source that is asked may look at the list: it is loading by then.
    let wake = publisher.show(state.machine.published.share(), steps, isNew: isNew)
    var endings = Endings()
    for case .load(let action) in effects { perform(action, &state, &endings) }
    return { [endings] in
      wake()
      for task in endings.cancelled { task.cancel() }
      for (waiter, outcome) in endings.resumed { waiter.resume(returning: outcome) }
    }
  }

  /// The callers to resume and the tasks to cancel once the engine is idle again.
  private struct Endings: Sendable {
    var resumed: [(waiter: CheckedContinuation<LoadState, Never>, outcome: LoadState)] = []
    var cancelled: [Task<Void, Never>] = []
  }

  /// Begins or ends what a load needs besides the cache.
  private func perform(_ action: LoadAction, _ state: inout State, _ endings: inout Endings) {
    switch action {
    case .fetch(let ticket, let request):
      state.tasks[ticket.load] = (ticket, fetch(request, for: ticket))
    case .fetchFar(let ticket, let request, let skip):
      state.tasks[ticket.load] = (ticket, fetch(request, skip, for: ticket))
    case .fetchWindows(let ticket, let windows):
      state.tasks[ticket.load] = (ticket, fetch(windows, for: ticket))
    case .wait(let ticket, let duration):
      state.tasks[ticket.load] = (ticket, wait(duration, for: ticket))
    case .cancel(let load):
      if let task = state.tasks.removeValue(forKey: load)?.task { endings.cancelled.append(task) }
    case .resume(let waiters, let outcome):
      for waiter in waiters {
        if let waiter = state.waiters.removeValue(forKey: waiter) {
          endings.resumed.append((waiter, outcome))
        }
      }
    case .read: break
    }
  }

  private func wait(
    _ duration: Duration, for ticket: LoadTicket
  ) -> Task<Void, Never> {
    let clock = clock
    return Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: duration)) != nil else { return }
      self?.perform { machine, _ in machine.proceed(with: ticket) }
    }
  }

  private func fetch(
    _ request: PageRequest<PageKey>, _ skip: PageSkip? = nil, for ticket: LoadTicket
  ) -> Task<Void, Never> {
    fetch(for: ticket) {
      await $0.page(request, skip)
    } then: { engine, answer, machine, now, duration in
      let answer = engine.sharing?.resolve(answer, for: ticket, &machine) ?? answer
      machine.receive(answer, for: ticket, at: now, after: duration)
    }
  }

  private func fetch(
    _ windows: [PageWindow<PageKey>], for ticket: LoadTicket
  ) -> Task<Void, Never> {
    fetch(for: ticket) {
      await $0.pages(in: windows)
    } then: {
      engine, answer, machine, now, duration in
      let answer = engine.sharing?.resolve(answer, for: ticket, &machine) ?? answer
      machine.receive(windows: answer, for: ticket, at: now, after: duration)
    }
  }

  /// Requests something from the source, and hands its answer to the machine.
  private func fetch<Answer: Sendable>(
    for ticket: LoadTicket,
    _ request: @escaping @Sendable (OpaqueSource) async -> Answer,
    then receive:
      @escaping @Sendable (FeedEngine, Answer, inout FeedMachine, Date, Duration) -> Void
  ) -> Task<Void, Never> {
    let source = source
    // The time for which a device sleeps does not count as a delay of the server.
    let clock: any Clock<Duration> = clock is ContinuousClock ? SuspendingClock() : clock
    return Task { @concurrent [weak self] in
      let (answer, duration) = await clock.timing { await request(source) }
      guard let self else { return }
      post { [self, answer] state in
        happen(to: &state) { state, now in
          // A load that was sent again has another task by now.
          if state.tasks[ticket.load]?.ticket == ticket { state.tasks[ticket.load] = nil }
          receive(self, answer, &state.machine, now, duration)
        }
      }
    }
  }

  // MARK: - Shared items

  /// Applies an event of the source, and reports it to the other lists of the identity map.
  func receive(_ event: FeedEvent<AnyItem>, token: Int) {
    let request = sharing?.member.lastRequest
    post { [self] state in
      happen(to: &state) { state, now in
        let event = sharing?.resolve(event, after: request ?? 0, &state.machine) ?? event
        state.machine.follow(event, token: token, at: now)
      }
    }
  }

  /// Shows an edit while it is sent.
  ///
  /// - Parameter isShared: whether the other lists of the identity map show it, too.
  func begin(_ edit: OptimisticEdit, token: Int, isShared: Bool) {
    perform { [sharing] machine, now in
      machine.begin(edit, token: token, at: now)
      if isShared { sharing?.member.begin(edit, token: token) }
    }
  }

  /// Confirms an edit.
  func confirm(_ token: Int, as item: AnyItem?) async {
    await performed { [sharing] state, now in
      guard let sharing else { return state.machine.confirm(token, as: item, at: now) }
      sharing.member.confirm(token, as: state.machine.confirmShared(token, as: item, at: now))
    }
  }

  /// Undoes an edit.
  func undo(_ token: Int) async {
    await performed { [sharing] state, now in
      state.machine.undo(token, at: now)
      sharing?.member.undo(token)
    }
  }

  // MARK: - The cache

  /// Starts reading the cache, unless that was done before.
  ///
  /// The first rows are read in one event, so no other event precedes them. A task reads the rest,
  /// and answers are held back until then.
  ///
  /// - Parameter isElsewhere: whether a task reads the first rows. The caller reads files itself
  ///   only if it asked to.
  func startLoadingCache(asTaskIf isElsewhere: (State) -> Bool = { !$0.isCacheLoaded }) {
    guard let storage else { return }
    post(asTaskIf: isElsewhere) { [self] state in
      guard !state.isCacheLoaded else { return {} }
      state.isCacheLoaded = true
      let afterwards = happen(to: &state) { state, now in
        state.machine.beginRestoring()
        state.machine.restore(storage.loadFirst(), at: now)
      }
      let isRestoring = state.machine.isRestoring
      return {
        afterwards()
        storage.reportIssues()
        guard isRestoring else { return }
        Task { @concurrent [feed = self.owner.withLock(\.feed)] in
          let rest = await storage.loadRest()
          self.perform { $0.restore(rest, at: $1) }
          storage.reportIssues()
          withExtendedLifetime(feed) {}
        }
      }
    }
  }
}

extension Clock where Duration == Swift.Duration {
  /// Returns the result of some work, and its duration.
  fileprivate func timing<Value>(_ work: () async -> Value) async -> (Value, Duration) {
    let began = now
    let value = await work()
    return (value, began.duration(to: now))
  }
}
