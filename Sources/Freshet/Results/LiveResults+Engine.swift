internal import FreshetLists

// The shell performs effects; the machine decides.
extension LiveResults {
  typealias Waiter = CheckedContinuation<FetchState, Never>

  /// The machine and its running work, which events change one at a time.
  struct Engine: Sendable {
    var machine: ResultsMachine
    var request: Request?
    var task: Task<Void, Never>?
    /// The callers that wait for the initial results of the fetch.
    var waiters: [Int: Waiter] = [:]
    /// Whether a caller wants the fetch without waiting for it.
    ///
    /// Then cancelling waiters does not cancel the fetch.
    var isUnattended = false
    /// The tasks to cancel and the waiters to resume once the engine is idle again.
    var cancelled: [Task<Void, Never>] = []
    var resumed: [(waiter: Waiter, outcome: FetchState)] = []

    /// Begins a fetch in place of the running one; waiters for the same request keep waiting.
    ///
    /// - Parameter requestNumber: its number among the requests of the identity map.
    mutating func begin(
      _ request: Request, _ arrangement: Arrangement<Item>?, _ waiter: (Int, Waiter)?,
      as requestNumber: Int
    ) -> ListStep<AnyItem>? {
      let isSame = self.request.map { LiveResults.isSame($0, request) } ?? false
      self.request = request
      cancelTask()
      if !isSame || !machine.state.isLoading {
        resumeWaiters(with: .loading)
        isUnattended = false
      }
      if let (number, waiter) = waiter { waiters[number] = waiter } else { isUnattended = true }
      return machine.begin(
        isSame: isSame, arrangement: arrangement?.erased, requestNumber: requestNumber)
    }

    /// Stops the fetch; later changes of its store have no effect (rule R2).
    mutating func stop() {
      machine.stop()
      cancelTask()
    }

    /// Cancels a waiter; the last one cancels the fetch (rule R3).
    mutating func cancel(_ number: Int) {
      guard let waiter = waiters.removeValue(forKey: number) else { return }
      if waiters.isEmpty, !isUnattended { stop() }
      resumed.append((waiter, machine.state))
    }

    private mutating func cancelTask() {
      if let task { cancelled.append(task) }
      task = nil
    }

    mutating func resumeWaiters(with outcome: FetchState) {
      for waiter in waiters.values { resumed.append((waiter, outcome)) }
      waiters = [:]
    }
  }

  /// The number of items that a caller on the main actor can arrange itself.
  static var fewItems: Int { 256 }

  /// Applies an event after all earlier ones, and publishes its result.
  ///
  /// - Parameter isLong: returns whether the event takes longer than a caller on the main actor
  ///   can spare.
  func perform(
    asTaskIf isLong: (ResultsMachine) -> Bool = { _ in false },
    _ event: @escaping @Sendable (inout Engine) -> ListStep<AnyItem>?
  ) {
    eventQueue.post(asTaskIf: { isLong($0.machine) }) { [self] engine in
      let step = event(&engine)
      var updates = [engine.machine.publish(step)]
      follow(&engine, &updates)
      let state = engine.machine.state
      if !state.isLoading { engine.resumeWaiters(with: state) }
      let (cancelled, resumed) = (engine.cancelled, engine.resumed)
      (engine.cancelled, engine.resumed) = ([], [])
      let wake = publisher.steps.show(
        engine.machine.shown, updates.compactMap(\.self), isNew: true)
      return { [sharing] in
        wake()
        sharing?.member.wakeOthers()
        for task in cancelled { task.cancel() }
        for (waiter, outcome) in resumed { waiter.resume(returning: outcome) }
      }
    }
  }

  func begin(_ request: Request, waiter: (number: Int, continuation: Waiter)? = nil) {
    let arrangement = arrangement
    perform(asTaskIf: { arrangement != nil && $0.list.count > Self.fewItems }) { [self] engine in
      guard !engine.machine.isFixed else {
        if let waiter { engine.resumed.append((waiter.continuation, engine.machine.state)) }
        return nil
      }
      let feeds = sharing?.feeds ?? []
      let answer = sharing?.beginRequest(beside: feeds)
      let step = engine.begin(
        request, arrangement?(request), waiter, as: answer?.moment.request ?? 0)
      engine.task = run(request, engine.machine.fetch, answer, beside: feeds)
      return step
    }
  }

  /// Runs a query on the store.
  ///
  /// - Parameters:
  ///   - fetch: the number of the fetch.
  ///   - answer: the fetch among the requests of the identity map; `nil` if there is no map.
  ///   - feeds: the feeds of the map that keep their rows in the store.
  private func run(
    _ request: Request, _ fetch: Int, _ answer: StoreFetch?,
    beside feeds: [StoredFeeds.Registration]
  ) -> Task<Void, Never> {
    Task { @concurrent [weak self, store] in
      var answer = answer
      for feed in feeds where await !feed.settle() { answer?.settled = 0 }
      guard let query = self?.query(request, fetch, answer) else { return }
      do {
        try await store.execute(query)
        if Task.isCancelled { return }
        query.finishInitialResults()
        self?.perform { engine in
          engine.machine.finish(fetch)
          return nil
        }
      } catch  where !Task.isCancelled {
        query.processPendingChanges()
        self?.perform { engine in
          engine.machine.end(error, of: fetch)
          return nil
        }
      } catch {}
    }
  }

  private func query(
    _ request: Request, _ fetch: Int, _ answer: StoreFetch?
  ) -> DataStoreQuery<Item, Request> {
    let inbox = ChangeInbox<Item>()
    return DataStoreQuery(
      request, window: window, clock: clock,
      isEcho: { [sharing] in sharing?.isEcho(of: $0) ?? false },
      receive: { [weak self, sharing] changes, status in
        guard inbox.add(changes, status, after: sharing?.member.lastRequest ?? 0) else { return }
        // A caller that writes to a store, even on the main actor, does not sort for its observers.
        self?.perform(asTaskIf: { _ in true }) { engine in
          let (initial, later, last, status) = inbox.take()
          guard engine.machine.receives(from: fetch) else { return nil }
          var changes = initial
          changes.add(later)
          let items = answer.flatMap {
            sharing?.resolve(changes, later: later, after: last, in: $0)
          }
          return engine.machine.receive(
            upserting: items ?? changes.latest.map { AnyItem($0) },
            removing: changes.deleted.map { RowID($0, of: Item.self) }, status, of: fetch)
        }
      })
  }

  /// Takes in what happened in the other lists of the identity map.
  private func follow(_ engine: inout Engine, _ updates: inout [StepContents?]) {
    while let news = sharing?.exchange(&engine.machine), !news.isEmpty {
      for step in engine.machine.take(news) { updates.append(engine.machine.publish(step)) }
      for case .confirm(let token, _) in news.notices { later { $0.machine.settle(token) } }
    }
  }

  /// Whether two requests are the same, as far as they can be compared.
  private static func isSame(_ first: Request, _ second: Request) -> Bool {
    func equals<Value: Equatable>(_ first: Value) -> Bool { first == second as? Value }
    return (first as? any Equatable).map { equals($0) } ?? false
  }
}
