internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: events go in, effects come out.
///
/// It does nothing itself: no task, no clock, no lock. An event that depends on the time has it as
/// a parameter. The planner decides what is asked for and what becomes of an answer. The rows
/// decide what is known, what is shown of it and what an edit means to both. An event is a few
/// calls on the two, and this collects what they want done.
struct FeedMachine: Sendable {
  /// Something for the shell to do.
  enum Effect: Sendable {
    /// Ask for something, or answer a waiter.
    case load(LoadAction)
    /// Show the machine's contents; a step where rows changed.
    case publish(StepContents?)
    /// Store a step.
    case save(FeedCommit<AnyItem>)
  }

  /// Which requests run, and for whom.
  var planner: LoadPlanner
  /// What is known of the rows, and what is shown.
  var rows: FeedRows
  /// What is to be stored with the next step.
  var pending = PendingCommit()
  /// How far the rows on disk are read; `nil` where that is done.
  var restoring: RestoreProgress?
  var contents = ListContents() { didSet { shared = nil } }
  /// The contents as they were shared, until they change.
  private var shared: Shared<ListContents>?
  /// Whether rows are stored, so that those that are let go can be read back.
  let isCached: Bool
  /// Whether answers are being taken in: that may lead to the same place again.
  private var isReading = false

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    sourcePolicy: RetryPolicy = .never, isCached: Bool = false, start: PageKey? = nil,
    order: Timeline.Order? = nil, sectionedBy section: (@Sendable (AnyItem) -> String)?
  ) {
    planner = LoadPlanner(
      configuration: configuration, continuity: continuity,
      retryPolicy: configuration.retryPolicy ?? sourcePolicy, start: start)
    rows = FeedRows(order: order, sectionedBy: section)
    self.isCached = isCached
  }

  var configuration: FeedConfiguration {
    get { planner.configuration }
    set { planner.configuration = newValue }
  }
  var timeline: Timeline { rows.timeline }
  var presentation: Presentation { rows.presentation }
  var isRestoring: Bool { restoring != nil }

  /// The contents, to be copied as one reference.
  mutating func share() -> Shared<ListContents> {
    let shared = shared ?? Shared(contents)
    self.shared = shared
    return shared
  }

  // MARK: - What is asked for

  /// Loads an edge, for a caller that waits for it or not.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    waiter: Int? = nil
  ) -> [Effect] {
    var ask = LoadAsk(edge, waiter: waiter)
    (ask.side, ask.scope) = (side, scope)
    return perform(planner.load(ask, in: rows.timeline)) + publish()
  }

  /// An edge is wanted because of what is on screen (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int) -> [Effect] {
    perform(planner.loadAhead(edge, waiter: waiter, in: rows.timeline)) + publish()
  }

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    perform(planner.retry(waiter: waiter, in: rows.timeline)) + publish()
  }

  /// The wait of a load is over.
  mutating func proceed(with ticket: LoadTicket) -> [Effect] {
    perform(planner.proceed(with: ticket, in: rows.timeline))
  }

  /// The source cannot be reached: loads wait.
  mutating func pause() -> [Effect] {
    planner.pause()
    return publish()
  }

  /// The source can be reached again (rule R7).
  mutating func resume() -> [Effect] {
    perform(planner.resume(in: rows.timeline)) + publish()
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int, at now: Date) -> [Effect] {
    guard let (edge, ended) = planner.cancel(waiter) else { return [] }
    let effects = ended.map { end([$0], at: now) } ?? publish()
    return effects + [.load(.resume([waiter], contents.state[edge]))]
      + (ended == nil ? [] : readAnswers())
  }

  /// The list is no longer shown: loads without waiters end.
  mutating func leave(at now: Date) -> [Effect] {
    let ended = planner.leave()
    return ended.isEmpty ? publish() : end(ended, at: now) + readAnswers()
  }

  /// Ends loads that no caller wants: answers that waited for them may be taken in.
  private mutating func end(_ loads: [Load], at now: Date) -> [Effect] {
    let effects =
      perform(loads.map { .cancel($0.ticket.load) }) + settle(at: now) + placeMisplaced(at: now)
    for load in loads { planner.joinFollowUp(of: load) }
    return effects + publish()
  }

  /// An item comes on screen: that may ask for more, or for its page (rules R4, T3).
  mutating func willDisplay(_ id: RowID, at now: Date) -> [Effect] {
    rows.displayed = id
    guard rows.timeline.count > 0, let index = rows.timelineIndex(of: id) else { return [] }
    let actions = planner.rowAppears(at: index, in: rows.timeline, at: now)
    return actions.map { perform($0) + publish() } ?? []
  }

  // MARK: - What the source answers

  /// Takes in an answer that took `duration`.
  mutating func receive(
    _ answer: PageAnswer, for ticket: LoadTicket, at now: Date, after duration: Duration = .zero
  ) -> [Effect] {
    guard planner.receive(answer, for: ticket, at: now, after: duration) else {
      contents.diagnostics = planner.diagnostics
      return []
    }
    return readAnswers()
  }

  mutating func readAnswers() -> [Effect] {
    // Taking one in may lead here again.
    guard !isReading else { return [] }
    var effects: [Effect] = []
    isReading = true
    while !isRestoring, let next = planner.nextAnswered {
      // What settles may close the edge that is loaded, and end the load with it.
      effects += settle(at: next.at)
      let last = rows.lastDisplayed(ahead: configuration.prefetchDistance)
      guard let decision = planner.read(next.ticket, in: rows.timeline, lastDisplayed: last) else {
        continue
      }
      effects += execute(decision, at: next.at)
    }
    isReading = false
    guard let actions = planner.refreshOnceMore(in: rows.timeline) else { return effects }
    return effects + perform(actions) + publish()
  }

  /// Does what the planner decided of an answer.
  mutating func execute(_ decision: PageDecision, at now: Date) -> [Effect] {
    switch decision {
    case .wait(let actions): return perform(actions) + publish()
    case .forget(let key, let load):
      rows.timeline.forget(key)
      return restart(load)
    case .lead(let id, let key, let load):
      rows.timeline.lead(to: id, by: key)
      return perform(planner.ask(load, for: key, in: rows.timeline)) + publish()
    case .merge(let merge): return take(merge, at: now)
    case .replace(let run, let load, let actions):
      (contents.refreshedAt, contents.isAnswered) = (now, true)
      planner.willReplace(by: load)
      let step = absorb(rows.replaceList(by: run, for: load, at: now))
      planner.didReplace(by: run, of: load, in: rows.timeline)
      return perform(actions) + finish(load, step, at: now)
    case .finish(let load): return finish(load, at: now)
    }
  }

  /// Restarts a load.
  mutating func restart(_ load: Load) -> [Effect] {
    perform(planner.restart(load, in: rows.timeline)) + publish()
  }

  /// Takes in what a load read, which ends it or lets it go on.
  private mutating func take(_ merge: PageMerge, at now: Date) -> [Effect] {
    if merge.head == .end { (contents.refreshedAt, contents.isAnswered) = (now, true) }
    planner.willMerge(merge)
    let unproven = rows.timeline.unproven
    let step = absorb(rows.merge(merge, at: now))
    if rows.timeline.unproven != unproven { pending.isPlaceSaved = false }
    planner.didMerge(merge, step.edit, in: rows.timeline)
    switch planner.goOn(merge, after: step.edit, in: rows.timeline) {
    case .end(let load): return finish(load, step, at: now)
    case .ask(let actions):
      return perform(actions) + publish(step) + save(step) + removeDeleted(merge.run, at: now)
    }
  }

  /// Ends a load, and with it tells what it changed: rows and state as one (rule R5).
  ///
  /// - Parameter saved: what stores the change, where that is not the change itself.
  mutating func finish(
    _ load: Load, _ step: Step? = nil, saved: [Effect]? = nil, at now: Date
  ) -> [Effect] {
    planner.end(load, in: rows.timeline, isEdited: !rows.presentation.overlay.edits.isEmpty)
    if load.edge == .previous || !load.edge.place.isKnown,
      let last = step?.edit.inserted.last?.row.item?.id
    {
      rows.reached = last
    }
    let saved = saved ?? step.map { save($0, by: load) } ?? []
    let effects =
      publish(step) + saved + removeDeleted(load.walk.run, at: now)
      + settle(at: now) + placeMisplaced(at: now)
      + passFrontier(load.walk.since ?? load.request.number, by: load.walk.run, at: now)
      + trim(at: now) + perform(planner.tell(load, contents.state))
    planner.conclude(load, in: rows.timeline)
    return effects
  }

  /// Takes out the items of an answer that are gone.
  private mutating func removeDeleted(_ run: Run?, at now: Date) -> [Effect] {
    rows.deletedItems(in: run).reduce([]) { effects, id in
      effects + edit(rows.remove(id, because: .edit, at: now), at: now)
    }
  }

  /// What the planner wants done, for the shell: a validator is withheld if an edit is ahead of its
  /// page.
  mutating func perform(_ actions: [LoadAction]) -> [Effect] {
    actions.map { action in
      guard case .fetch(let ticket, var request) = action, request.validator != nil,
        let page = planner.sentPage(ticket),
        rows.presentation.overlay.isAhead(of: page.items, in: rows.timeline)
      else { return .load(action) }
      planner.withholdValidator(ticket)
      request.validator = nil
      return .load(.fetch(ticket, request))
    }
  }
}
