internal import FreshetLists
internal import struct Foundation.Date

// The machine decides, and this does it.
extension Feed {
  /// What happens to events, one at a time: the machine, and what it has under way.
  struct Engine: Sendable {
    var machine: FeedMachine<AnyItem>
    var tasks: [Int: (ticket: FeedMachine<AnyItem>.Ticket, task: Task<Void, Never>)] = [:]
    var waiters: [Int: CheckedContinuation<LoadState, Never>] = [:]
    var isCacheLoaded = false
  }

  typealias Effects = [FeedMachine<AnyItem>.Effect]

  /// As many rows as a caller on the main actor can take in itself.
  static var fewRows: Int { 256 }

  /// How many loads are under way.
  package var loads: Int { get async { await mailbox.ask { $0.machine.loads.count } } }

  /// How many callers wait for a load.
  package var waiters: Int { get async { await mailbox.ask { $0.waiters.count } } }

  /// Lets an event happen after those before it, and performs its effects.
  ///
  /// - Parameter isLong: whether it takes longer than a caller on the main actor can spare.
  func perform(
    asTaskIf isLong: (FeedMachine<AnyItem>) -> Bool = { _ in false },
    _ event: @escaping @Sendable (inout FeedMachine<AnyItem>, Date) -> Effects
  ) {
    mailbox.post(asTaskIf: { isLong($0.machine) }) { [self] engine in
      happen(to: &engine) { event(&$0.machine, $1) }
    }
  }

  /// Lets an event happen, and waits until it has.
  func performed(_ event: @escaping @Sendable (inout Engine, Date) -> Effects) async {
    await withCheckedContinuation { continuation in
      mailbox.post { [self] engine in
        let afterwards = happen(to: &engine, event)
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
    for event: @escaping @Sendable (inout FeedMachine<AnyItem>, _ waiter: Int) -> Effects
  ) async -> LoadState {
    let waiter = newNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        mailbox.post { [self] engine in
          happen(to: &engine) { engine, _ in
            engine.waiters[waiter] = continuation
            return event(&engine.machine, waiter)
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
    to engine: inout Engine, _ event: (inout Engine, Date) -> Effects
  ) -> Mailbox<Engine>.Afterwards {
    act(on: event(&engine, now()), &engine)
  }

  /// Performs effects, in their order, but for what may run code of others: that is done when the
  /// engine is free again.
  func act(on effects: Effects, _ engine: inout Engine) -> Mailbox<Engine>.Afterwards {
    var updates: [FeedUpdate<Item>] = []
    // Whoever set the anchor may have gone on before it was set.
    var isNew = engine.machine.value.anchor.map { Item._id(of: $0.row) } != value.anchor
    var resumed: [(waiter: CheckedContinuation<LoadState, Never>, outcome: LoadState)] = []
    var cancelled: [Task<Void, Never>] = []
    for effect in effects {
      switch effect {
      case .fetch(let ticket, let request):
        engine.tasks[ticket.load] = (ticket, fetch(request, for: ticket))
      case .wait(let ticket, let duration):
        engine.tasks[ticket.load] = (ticket, wait(duration, for: ticket))
      case .cancel(let load):
        if let task = engine.tasks.removeValue(forKey: load)?.task { cancelled.append(task) }
      case .publish(let update):
        isNew = true
        if let update { updates.append(update.typed()) }
      case .save(let commit):
        cache?.save(commit.typed())
      case .read(let ticket, let range, let count):
        cache?.load(range, of: count) { [weak self] rows in
          let rows = rows.map { $0?.map(\.erased) }
          self?.perform { $0.readBack(rows, for: ticket, at: $1) }
        }
      case .resume(let waiters, let outcome):
        for waiter in waiters {
          if let waiter = engine.waiters.removeValue(forKey: waiter) {
            resumed.append((waiter, outcome))
          }
        }
      }
    }
    let wake = shown.show(engine.machine.value.typed(), updates, isNew: isNew)
    return { [resumed, cancelled] in
      wake()
      for task in cancelled { task.cancel() }
      for (waiter, outcome) in resumed { waiter.resume(returning: outcome) }
    }
  }

  private func wait(
    _ duration: Duration, for ticket: FeedMachine<AnyItem>.Ticket
  ) -> Task<Void, Never> {
    let clock = clock
    return Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: duration)) != nil else { return }
      self?.perform { machine, _ in machine.proceed(with: ticket) }
    }
  }

  private func fetch(
    _ request: PageRequest<PageKey>, for ticket: FeedMachine<AnyItem>.Ticket
  ) -> Task<Void, Never> {
    let source = source
    // A device that sleeps is no server that is slow.
    let clock: any Clock<Duration> = clock is ContinuousClock ? SuspendingClock() : clock
    return Task { @concurrent [weak self] in
      let (answer, duration) = await clock.timing { await source.page(request) }
      guard let self else { return }
      mailbox.post { [self, answer] engine in
        happen(to: &engine) { engine, now in
          // A load that asks again has another task by now.
          if engine.tasks[ticket.load]?.ticket == ticket { engine.tasks[ticket.load] = nil }
          return engine.machine.receive(answer, for: ticket, at: now, after: duration)
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
