internal import FreshetLists
internal import struct Foundation.Date

/// Runs a feed, whatever the type of its items: the machine decides, and this does it.
///
/// `Feed` makes rows of items for it, and items of its rows.
final class FeedEngine: Sendable {
  typealias Effects = [FeedMachine.Effect]

  /// What happens to events, one at a time: the machine, and what it has under way.
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
  /// The feed, which is there until what was asked of it has happened.
  private let owner = Locked(Owner())

  private struct Owner { weak var feed: (any AnyObject & Sendable)? }

  /// - Parameters:
  ///   - publisher: shows what the machine has.
  ///   - storage: stores its steps; `nil` keeps them in memory only.
  init(
    _ machine: FeedMachine, source: OpaqueSource, storage: (any FeedStorage)?,
    publisher: StepPublisher
  ) {
    eventQueue = EventQueue(State(machine: machine))
    (self.publisher, self.source, self.storage) = (publisher, source, storage)
    (clock, now) = (machine.configuration.clock, machine.configuration.now)
  }

  deinit {
    var tasks: [Task<Void, Never>] = []
    eventQueue.close { tasks = $0.tasks.values.map(\.task) }
    for task in tasks { task.cancel() }
    publisher.finish()
  }

  /// Sets whose engine it is.
  func setOwner(_ feed: some AnyObject & Sendable) { owner.withLock { $0.feed = feed } }

  /// Lets an event happen after those before it, and keeps the feed until it has.
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

  /// A number for a waiter, an edit or a piece of news.
  func newNumber() -> Int { lastNumber.next() }

  /// As many rows as a caller on the main actor can take in itself.
  static var fewRows: Int { 256 }

  /// Lets an event happen after those before it, and performs its effects.
  ///
  /// - Parameter isLong: whether it takes longer than a caller on the main actor can spare.
  func perform(
    asTaskIf isLong: (FeedMachine) -> Bool = { _ in false },
    _ event: @escaping @Sendable (inout FeedMachine, Date) -> Effects
  ) {
    post(asTaskIf: { isLong($0.machine) }) { [self] state in
      happen(to: &state) { event(&$0.machine, $1) }
    }
  }

  /// Lets an event happen, and waits until it has.
  func performed(_ event: @escaping @Sendable (inout State, Date) -> Effects) async {
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

  /// Lets an event happen that ends in an answer; the last caller who is cancelled takes the load
  /// with it (rule R3).
  func wait(
    for event: @escaping @Sendable (inout FeedMachine, _ waiter: Int) -> Effects
  ) async -> LoadState {
    let waiter = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        post { [self] state in
          happen(to: &state) { state, _ in
            state.waiters[waiter] = continuation
            return event(&state.machine, waiter)
          }
        }
        if Task.isCancelled { cancel(waiter) }
      }
    } onCancel: {
      cancel(waiter)
    }
  }

  /// Answers that waited for the load may be taken in then.
  private func cancel(_ waiter: Int) {
    perform(asTaskIf: { _ in true }) { $0.cancel(waiter: waiter, at: $1) }
  }

  private func happen(
    to state: inout State, _ event: (inout State, Date) -> Effects
  ) -> EventQueue<State>.DeferredActions {
    act(on: event(&state, now()), &state)
  }

  /// Performs effects, in their order, but for what may run code of others: that is done when the
  /// engine is free again.
  private func act(on effects: Effects, _ state: inout State) -> EventQueue<State>.DeferredActions {
    var steps: [StepContents] = []
    // The anchor may have moved on since it was set.
    var isNew = !ListContents.areOneAnchor(
      state.machine.contents.anchor, publisher.contents.value.anchor)
    var resumed: [(waiter: CheckedContinuation<LoadState, Never>, outcome: LoadState)] = []
    var cancelled: [Task<Void, Never>] = []
    for effect in effects {
      switch effect {
      case .publish(let step):
        isNew = true
        if let step { steps.append(step) }
      case .save(let commit): storage?.save(commit)
      case .load(.fetch(let ticket, let request)):
        state.tasks[ticket.load] = (ticket, fetch(request, for: ticket))
      case .load(.wait(let ticket, let duration)):
        state.tasks[ticket.load] = (ticket, wait(duration, for: ticket))
      case .load(.cancel(let load)):
        if let task = state.tasks.removeValue(forKey: load)?.task { cancelled.append(task) }
      case .load(.read(let ticket, let range, let count)):
        storage?.load(range, of: count) { [weak self] rows in
          self?.perform { $0.readBack(rows, for: ticket, at: $1) }
        }
      case .load(.resume(let waiters, let outcome)):
        for waiter in waiters {
          if let waiter = state.waiters.removeValue(forKey: waiter) {
            resumed.append((waiter, outcome))
          }
        }
      }
    }
    let wake = publisher.show(state.machine.share(), steps, isNew: isNew)
    return { [resumed, cancelled] in
      wake()
      for task in cancelled { task.cancel() }
      for (waiter, outcome) in resumed { waiter.resume(returning: outcome) }
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
    _ request: PageRequest<PageKey>, for ticket: LoadTicket
  ) -> Task<Void, Never> {
    let source = source
    // A device that sleeps is no server that is slow.
    let clock: any Clock<Duration> = clock is ContinuousClock ? SuspendingClock() : clock
    return Task { @concurrent [weak self] in
      let (answer, duration) = await clock.timing { await source.page(request) }
      guard let self else { return }
      post { [self, answer] state in
        happen(to: &state) { state, now in
          // A load that asks again has another task by now.
          if state.tasks[ticket.load]?.ticket == ticket { state.tasks[ticket.load] = nil }
          return state.machine.receive(answer, for: ticket, at: now, after: duration)
        }
      }
    }
  }

  // MARK: - The cache

  /// Reads the cache, unless that was done.
  ///
  /// Its first rows are one event, so that nothing can come before them; the rest follows when it
  /// is there, and answers wait for it.
  ///
  /// - Parameter isElsewhere: whether a task reads the first rows; the caller reads files only
  ///   if it asked to.
  func startLoadingCache(asTaskIf isElsewhere: (State) -> Bool = { !$0.isCacheLoaded }) {
    guard let storage else { return }
    post(asTaskIf: isElsewhere) { [self] state in
      guard !state.isCacheLoaded else { return {} }
      state.isCacheLoaded = true
      state.machine.beginRestoring()
      let first = storage.loadFirst()
      let afterwards = act(on: state.machine.restore(first, at: now()), &state)
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
  /// What work gives, and how long it takes.
  fileprivate func timing<Value>(_ work: () async -> Value) async -> (Value, Duration) {
    let began = now
    let value = await work()
    return (value, began.duration(to: now))
  }
}
