internal import FreshetLists

// `QuerySwitch` makes the decisions, and this extension performs them.
extension QueryFeed {
  typealias Held = FamilyMembers<Query, Item>.Held

  /// The mutable state of the list.
  struct Engine: Sendable {
    var queries: QuerySwitch<Query>
    /// The feed whose rows are shown.
    var shown: FeedSubscription<Query, Item>
    /// The feed of the requested query, until its rows are shown.
    var asked: FeedSubscription<Query, Item>?
    /// The task that reports the end of a delay.
    var waiting: Task<Void, Never>?
    /// The loads of this list, by number.
    var loads: [Int: Task<LoadState, Never>] = [:]
    var lastLoad = 0
    var isPaused = false
    /// The number of times the list switched to the rows of another query.
    var turns = 0
    let waker: CallbackBox

    /// The identity of the list for the feeds that it shares with other lists.
    var id: ObjectIdentifier { ObjectIdentifier(waker) }

    /// The feeds that the list observes, as members of their family.
    var members: [FamilyMember<Query, Item>] {
      [shown.held.member] + [asked?.held.member].compactMap(\.self)
    }

    /// The feed of the requested query.
    var current: FeedSubscription<Query, Item> { asked ?? shown }

    /// Whether a switch to this number of rows takes too long for a caller on the main actor.
    func isLongTurn(to rows: Int) -> Bool {
      rows > 0 && shown.value.rows.count + rows > FeedEngine.fewRows
    }

    /// Whether taking in the pending changes may be such a long switch.
    var isLong: Bool { isLongTurn(to: asked?.held.feed.value.rows.count ?? 0) }
  }

  /// The updates of an event, and the actions to run when the engine is idle again.
  private struct Step {
    var updates: [ListUpdate<Item>] = []
    var afterwards: [EventQueue<Engine>.DeferredActions] = []
  }

  /// Takes in the changes of the feeds.
  func catchUp() {
    eventQueue.post(asTaskIf: \.isLong) { [self] engine in happen(to: &engine) { _ in [] } }
  }

  /// Applies an event, after the earlier changes of the feeds, and publishes the result.
  func happen(
    to engine: inout Engine, _ event: (inout Engine) -> [QuerySwitch<Query>.Effect]
  ) -> EventQueue<Engine>.DeferredActions {
    var step = Step()
    advance(&engine, &step)
    perform(event(&engine), &engine, &step)
    advance(&engine, &step)
    let (shown, loading) = (engine.shown.held.feed, engine.loadingFeed)
    feeds.withLock { $0 = (shown, loading) }
    let wake = publisher.show(engine.value, step.updates, isNew: true)
    return { [afterwards = step.afterwards] in
      wake()
      for body in afterwards { body() }
    }
  }

  /// Takes the changes of the feeds, and switches to the requested one once it has arrived.
  private func advance(_ engine: inout Engine, _ step: inout Step) {
    let updates = engine.shown.advance()
    // The rows of the requested query are shown in one step, however many steps loaded them.
    _ = engine.asked?.advance()
    let state = engine.oldState
    step.updates += updates.map { $0.with(engine.shown($0.value, while: state)) }
    guard engine.asked?.hasArrived == true else { return }
    perform(engine.queries.arrived(), &engine, &step)
  }

  private func perform(
    _ effects: [QuerySwitch<Query>.Effect], _ engine: inout Engine, _ step: inout Step
  ) {
    for effect in effects {
      switch effect {
      case .stopWaiting:
        let waiting = engine.waiting
        engine.waiting = nil
        step.afterwards.append { waiting?.cancel() }
      case .cancelLoads: leave(&engine, &step)
      case .wait(let number, let duration): engine.waiting = wait(number, duration)
      case .open: open(&engine, &step)
      case .turn: turn(&engine, &step)
      }
    }
  }

  private func wait(_ number: Int, _ duration: Duration) -> Task<Void, Never> {
    let clock = family.clock
    return Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: duration)) != nil, let self else { return }
      eventQueue.post(asTaskIf: { _ in true }) { [self] engine in
        happen(to: &engine) { $0.queries.waited(number) }
      }
    }
  }

  /// Cancels the loads that only this list requested.
  private func leave(_ engine: inout Engine, _ step: inout Step) {
    let (left, loads) = (engine.current, engine.loads.values)
    if engine.asked != nil { setPaused(false, left.held.member, &engine, &step) }
    engine.loads = [:]
    engine.asked = nil
    step.afterwards.append {
      if !left.isShared { left.held.feed.engine.perform { $0.leave(at: $1) } }
      for load in loads { load.cancel() }
    }
  }

  /// Observes the feed of the requested query, and loads from its source if necessary.
  private func open(_ engine: inout Engine, _ step: inout Step) {
    if engine.queries.isShowingOldRows, engine.asked == nil {
      engine.asked = FeedSubscription(family.held(engine.queries.asked)) { [waker = engine.waker] in
        waker.wake()
      }
    }
    setPaused(true, engine.current.held.member, &engine, &step)
    _ = begin(&engine) { held in await held.member.freshen() }
  }

  /// Shows the rows of the requested query, in one exact step.
  private func turn(_ engine: inout Engine, _ step: inout Step) {
    guard let asked = engine.asked else { return }
    let old = engine.shown
    engine.shown = asked
    engine.asked = nil
    engine.turns += 1
    let turn = ListStep(
      from: old.value.list, to: asked.value.list, origin: asked.value.origin)
    if !turn.changes.isEmpty {
      step.updates.append(
        ListUpdate(step: turn, value: engine.shown(asked.value, while: nil)))
    }
    setPaused(false, old.held.member, &engine, &step)
    // Released once the engine is idle, because the feed may be released with it.
    step.afterwards.append { withExtendedLifetime(old) {} }
  }

  /// Applies the pause of this list, if it is paused, to a feed that it opens or leaves.
  ///
  /// It pauses a feed that the list opens. It ends its pause of a feed that the list leaves,
  /// because other lists may observe that feed.
  private func setPaused(
    _ isPaused: Bool, _ member: FamilyMember<Query, Item>, _ engine: inout Engine,
    _ step: inout Step
  ) {
    guard engine.isPaused else { return }
    member.setPaused(isPaused, by: engine.id)
    step.afterwards.append { member.tellPauses() }
  }

  // MARK: - Loads

  /// Loads part of the requested query and waits for it; a load by the user ends a delay.
  func load(
    hurrying: Bool = true, _ action: @escaping @Sendable (Held) async -> LoadState
  ) async -> LoadState {
    let load = await withCheckedContinuation { continuation in
      eventQueue.post { [self] engine in
        var load: Task<LoadState, Never>?
        let afterwards = happen(to: &engine) { hurrying ? $0.queries.hurry() : [] }
        load = begin(&engine, action)
        return { [load] in
          afterwards()
          if let load { continuation.resume(returning: load) }
        }
      }
    }
    return await withTaskCancellationHandler {
      await load.value
    } onCancel: {
      load.cancel()
    }
  }

  private func begin(
    _ engine: inout Engine, _ action: @escaping @Sendable (Held) async -> LoadState
  ) -> Task<LoadState, Never> {
    engine.lastLoad += 1
    let (number, held) = (engine.lastLoad, engine.current.held)
    let load = Task { @concurrent [weak self] in
      // Applied before the load: a pause may be recorded, but not yet applied to the feed.
      if held.member.isPaused { held.member.tellPauses() }
      let outcome = await action(held)
      await self?.end(number)
      return outcome
    }
    engine.loads[number] = load
    return load
  }

  /// Removes a finished load, and publishes its rows before its caller continues.
  private func end(_ number: Int) async {
    await withCheckedContinuation { continuation in
      eventQueue.post(asTaskIf: \.isLong) { [self] engine in
        engine.loads[number] = nil
        let afterwards = happen(to: &engine) { _ in [] }
        return {
          afterwards()
          continuation.resume()
        }
      }
    }
  }
}

extension QueryFeed.Engine {
  /// The state of the requested query, if the rows belong to another one.
  var oldState: ListState? {
    queries.isShowingOldRows ? asked?.value.state ?? ListState() : nil
  }

  /// The value of the list as it is shown.
  var value: ListValue<Item> { shown(shown.value, while: oldState) }

  /// Returns a value of a feed as the list shows it, with the number of query switches.
  ///
  /// - Parameter state: the state of the requested query, if the rows belong to another one.
  func shown(_ value: ListValue<Item>, while state: ListState?) -> ListValue<Item> {
    if state == nil, value.state.turns == turns { return value }
    var contents = value.contents
    if let state {
      // Gaps among rows that are about to be removed are not loaded.
      let gaps = contents.state.gaps.mapValues { _ in LoadState.idle }
      contents.state = state
      contents.state.gaps = gaps
      contents.state.isShowingOldRows = true
    }
    contents.state.turns = turns
    return ListValue(contents)
  }

  /// The feed that is loaded; `nil` while the list waits before it loads the requested query.
  var loadingFeed: Feed<Item>? {
    queries.isShowingOldRows ? asked?.held.feed : shown.held.feed
  }
}

extension QueryFeed: FeedList {
  /// The feed of the query whose rows are on display.
  public var feed: Feed<Item> { feeds.withLock { $0.displayed } }
  /// The feed of the requested query; `nil` while the list waits before it loads that query.
  public var loadingFeed: Feed<Item>? { feeds.withLock { $0.loading } }

  /// Notes that an item appears on screen, unless the rows shown are about to be replaced.
  public func willDisplay(_ item: Item) {
    if !value.state.isShowingOldRows { feed.willDisplay(item) }
  }

  /// Pauses loads, of every query; see `Feed.pause()`.
  public func pause() { setPaused(true) }

  /// Sends the loads that `pause()` held back.
  ///
  /// Loads that failed because the source was unreachable are retried.
  public func resume() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) {
    // If the list is released meanwhile, its `deinit` runs after this, and ends the pause.
    eventQueue.post { [self] engine in
      engine.isPaused = isPaused
      let members = engine.members
      for member in members { member.setPaused(isPaused, by: engine.id) }
      return { [self] in
        for member in members { member.tellPauses() }
        withExtendedLifetime(self) {}
      }
    }
  }
}
