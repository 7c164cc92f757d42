internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: takes events, and returns effects.
///
/// It is a value without tasks, clocks or locks. An event that depends on the time has the time as
/// a parameter. The planner decides which requests to send and how to use an answer. The rows
/// decide what is known, what is shown, and how an edit affects both. The machine turns each event
/// into a few calls to the planner and the rows, and collects their effects.
struct FeedMachine: Sendable {
  /// An action for the engine to perform.
  enum Effect: Sendable {
    /// Send a request, or resume a waiter.
    case load(LoadAction)
    /// Publish the machine's contents, with a step if rows changed.
    case publish(StepContents?)
    /// Store a step.
    case save(FeedCommit<AnyItem>)
  }

  /// The requests that run, and the callers that wait for them.
  var planner: LoadPlanner
  /// The rows: the timeline and its presentation.
  var rows: FeedRows
  /// The changes to store with the next step.
  var pending = PendingCommit()
  /// The progress of reading the rows on disk; `nil` if no rows are being read.
  var restoring: RestoreProgress?
  var contents = ListContents() { didSet { shared = nil } }
  /// The contents as they were shared, until they change.
  private var shared: Shared<ListContents>?
  /// Whether rows are stored, so that evicted rows can be restored.
  let isCached: Bool
  /// Whether `readAnswers()` is running: handling an answer may call it again.
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

  // MARK: - Loading

  /// Loads an edge, on behalf of a waiting caller if there is one.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    waiter: Int? = nil
  ) -> [Effect] {
    var ask = LoadAsk(edge, waiter: waiter)
    (ask.side, ask.scope) = (side, scope)
    return perform(planner.load(ask, in: rows.timeline)) + publish()
  }

  /// Loads an edge because of the rows on screen (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int) -> [Effect] {
    perform(planner.loadAhead(edge, waiter: waiter, in: rows.timeline)) + publish()
  }

  /// Repeats every load that failed, and sends at once those that wait to be retried.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    perform(planner.retry(waiter: waiter, in: rows.timeline)) + publish()
  }

  /// Continues a load whose wait is over.
  mutating func proceed(with ticket: LoadTicket) -> [Effect] {
    perform(planner.proceed(with: ticket, in: rows.timeline))
  }

  /// Holds back loads, because the source is unreachable.
  mutating func pause() -> [Effect] {
    planner.pause()
    return publish()
  }

  /// Sends the loads that were held back, because the source is reachable again (rule R7).
  mutating func resume() -> [Effect] {
    perform(planner.resume(in: rows.timeline)) + publish()
  }

  /// Cancels a waiter, and the request together with its last waiter (rule R3).
  mutating func cancel(waiter: Int, at now: Date) -> [Effect] {
    guard let (edge, ended) = planner.cancel(waiter) else { return [] }
    let effects = ended.map { end([$0], at: now) } ?? publish()
    return effects + [.load(.resume([waiter], contents.state[edge]))]
      + (ended == nil ? [] : readAnswers())
  }

  /// Ends the loads without waiters, because the list is no longer shown.
  mutating func leave(at now: Date) -> [Effect] {
    let ended = planner.leave()
    return ended.isEmpty ? publish() : end(ended, at: now) + readAnswers()
  }

  /// Ends loads that no caller waits for; answers that were held back for them may be read.
  private mutating func end(_ loads: [Load], at now: Date) -> [Effect] {
    let effects =
      perform(loads.map { .cancel($0.ticket.load) }) + settle(at: now) + placeMisplaced(at: now)
    for load in loads { planner.joinFollowUp(of: load) }
    return effects + publish()
  }

  /// Notes that an item appears on screen, which may load rows or reload its page (rules R4, T3).
  mutating func willDisplay(_ id: RowID, at now: Date) -> [Effect] {
    rows.displayed = id
    guard rows.timeline.count > 0, let index = rows.timelineIndex(of: id) else { return [] }
    let actions = planner.rowAppears(at: index, in: rows.timeline, at: now)
    return actions.map { perform($0) + publish() } ?? []
  }

  // MARK: - Answers

  /// Receives an answer that took `duration`.
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
    // Handling an answer may call this function again.
    guard !isReading else { return [] }
    var effects: [Effect] = []
    isReading = true
    while !isRestoring, let next = planner.nextAnswered {
      // An edit that is settled may close the edge of the load, and end the load with it.
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

  /// Carries out the planner's decision about an answer.
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

  /// Merges the rows that a load read, and ends or continues the load.
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

  /// Ends a load, and publishes its changes of rows and state together (rule R5).
  ///
  /// - Parameter saved: the effects that store the change; `nil` to store `step`.
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

  /// Removes the items of an answer that the source has deleted since.
  private mutating func removeDeleted(_ run: Run?, at now: Date) -> [Effect] {
    rows.deletedItems(in: run).reduce([]) { effects, id in
      effects + edit(rows.remove(id, because: .edit, at: now), at: now)
    }
  }

  /// Returns the effects of the planner's actions.
  ///
  /// The validator of a request is removed if a confirmed edit is newer than the validated page.
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
