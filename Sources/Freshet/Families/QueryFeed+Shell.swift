internal import FreshetLists

// The switch decides, and this does it.
extension QueryFeed {
  typealias Held = FamilyMembers<Query, Item>.Held

  /// What there is under way.
  struct Engine: Sendable {
    var queries: QuerySwitch<Query>
    /// The feed whose rows are shown.
    var shown: FeedSubscription<Query, Item>
    /// The feed of the query asked for, until its rows are shown.
    var asked: FeedSubscription<Query, Item>?
    /// Says when a wait is over.
    var waiting: Task<Void, Never>?
    /// What is loaded for this list, by number.
    var loads: [Int: Task<LoadState, Never>] = [:]
    var lastLoad = 0
    var isPaused = false
    /// How often the list turned to the rows of another query.
    var turns = 0
    let waker: CallbackBox

    /// Which list it is, to the feeds that it shares with others.
    var id: ObjectIdentifier { ObjectIdentifier(waker) }

    /// The feeds that it looks at, as their family knows them.
    var members: [FamilyMember<Query, Item>] {
      [shown.held.member] + [asked?.held.member].compactMap(\.self)
    }

    /// The feed of the query asked for.
    var current: FeedSubscription<Query, Item> { asked ?? shown }

    /// Whether a turn to so many rows takes longer than a caller on the main actor can spare.
    func isLongTurn(to rows: Int) -> Bool {
      rows > 0 && shown.value.rows.count + rows > FeedEngine.fewRows
    }

    /// Whether taking in what is new may be a long turn.
    var isLong: Bool { isLongTurn(to: asked?.held.feed.value.rows.count ?? 0) }
  }

  /// What a step leaves to be done when the engine is free again.
  private struct Step {
    var updates: [ListUpdate<Item>] = []
    var afterwards: [EventQueue<Engine>.DeferredActions] = []
  }

  /// Takes in what became of the feeds.
  func catchUp() {
    eventQueue.post(asTaskIf: \.isLong) { [self] engine in happen(to: &engine) { _ in [] } }
  }

  /// Lets something happen after what happened to the feeds before.
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

  /// Takes what is new of the feeds, and turns to the one asked for once it has something to show.
  private func advance(_ engine: inout Engine, _ step: inout Step) {
    let updates = engine.shown.advance()
    // The rows asked for are shown in one step, however many it took them to come.
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

  /// Cancels what is loaded for this list alone.
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

  /// Looks at the feed of the query asked for, and asks its source if that has to be.
  private func open(_ engine: inout Engine, _ step: inout Step) {
    if engine.queries.isShowingOldRows, engine.asked == nil {
      engine.asked = FeedSubscription(family.held(engine.queries.asked)) { [waker = engine.waker] in
        waker.wake()
      }
    }
    setPaused(true, engine.current.held.member, &engine, &step)
    _ = begin(&engine) { held in await held.member.freshen() }
  }

  /// Shows the rows of the query asked for, in one exact step.
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
    // Another feed may end with it.
    step.afterwards.append { withExtendedLifetime(old) {} }
  }

  /// Where the list is paused: lets a feed wait that it comes to, and not one that it leaves, at
  /// which others look.
  private func setPaused(
    _ isPaused: Bool, _ member: FamilyMember<Query, Item>, _ engine: inout Engine,
    _ step: inout Step
  ) {
    guard engine.isPaused else { return }
    member.setPaused(isPaused, by: engine.id)
    step.afterwards.append { member.tellPauses() }
  }

  // MARK: - Loads

  /// Loads something of the query asked for and waits for it, at once where a person wants it.
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
      // Before anything is loaded: whoever paused the list may not have come to tell the feed yet.
      if held.member.isPaused { held.member.tellPauses() }
      let outcome = await action(held)
      await self?.end(number)
      return outcome
    }
    engine.loads[number] = load
    return load
  }

  /// A load is over: what it brought is shown when its caller goes on.
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
  /// How the query asked for stands, where the rows are those of another one.
  var oldState: ListState? {
    queries.isShowingOldRows ? asked?.value.state ?? ListState() : nil
  }

  /// All that is shown.
  var value: ListValue<Item> { shown(shown.value, while: oldState) }

  /// A value of a feed as the list shows it, which says how often the list has turned.
  ///
  /// - Parameter state: how the query asked for stands, where the rows are those of another one.
  func shown(_ value: ListValue<Item>, while state: ListState?) -> ListValue<Item> {
    if state == nil, value.state.turns == turns { return value }
    var contents = value.contents
    if let state {
      // What is about to go is not loaded.
      let gaps = contents.state.gaps.mapValues { _ in LoadState.idle }
      contents.state = state
      contents.state.gaps = gaps
      contents.state.isShowingOldRows = true
    }
    contents.state.turns = turns
    return ListValue(contents)
  }

  /// The feed that is loaded; `nil` while the list waits for yet another query.
  var loadingFeed: Feed<Item>? {
    queries.isShowingOldRows ? asked?.held.feed : shown.held.feed
  }
}

extension QueryFeed: FeedList {
  /// The feed of the query whose rows are on display.
  public var feed: Feed<Item> { feeds.withLock { $0.displayed } }
  /// The feed of the query asked for; `nil` while the list waits for another query.
  public var loadingFeed: Feed<Item>? { feeds.withLock { $0.loading } }

  /// Tells the feed on display which item came on screen, unless its rows are about to go.
  public func willDisplay(_ item: Item) {
    if !value.state.isShowingOldRows { feed.willDisplay(item) }
  }

  /// Lets loads wait, whatever is shown; see `Feed.pause()`.
  public func pause() { setPaused(true) }

  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) {
    // A list that goes meanwhile goes after that, and takes its pause along.
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
