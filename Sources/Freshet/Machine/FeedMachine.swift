internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: takes events, and collects their effects.
///
/// It is a value without tasks, clocks or locks. An event that depends on the time has the time as
/// a parameter. The planner decides which requests to send and how to use an answer. The rows
/// decide what is known, what is shown, and how an edit affects both. The machine turns each event
/// into a few calls to the planner and the rows, and keeps their effects until they are taken.
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
  /// The contents that observers receive.
  var published = FeedContents()
  /// The changes to store with the next step.
  var pending = PendingCommit()
  /// The progress of reading the rows on disk; `nil` if no rows are being read.
  var restoring: RestoreProgress?
  /// Whether rows are stored, so that evicted rows can be restored.
  let isCached: Bool
  /// Whether `readAnswers()` is running: handling an answer may call it again.
  private var isReading = false
  /// The effects that were not taken yet, in order.
  private var effects: [Effect] = []
  /// What an identity map has to know of the rows; `nil` if the feed shares none.
  var shared: SharedRows?

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    sourcePolicy: RetryPolicy = .never, readsWindows: Bool = false, finds: RowFinding = .nothing,
    isCached: Bool = false,
    start: PageKey? = nil, order: Timeline.Order? = nil,
    sectionedBy section: (@Sendable (AnyItem) -> String)?
  ) {
    planner = LoadPlanner(
      configuration: configuration, continuity: continuity,
      retryPolicy: configuration.retryPolicy ?? sourcePolicy, start: start,
      readsWindows: readsWindows && !isCached, finds: finds)
    rows = FeedRows(order: order, sectionedBy: section)
    self.isCached = isCached
  }

  var configuration: FeedConfiguration {
    get { planner.configuration }
    set { planner.configuration = newValue }
  }
  var contents: ListContents { published.contents }
  var timeline: Timeline { rows.timeline }
  var presentation: Presentation { rows.presentation }
  var isRestoring: Bool { restoring != nil }

  /// Returns the effects of the events since the last call, in order.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: - Loading

  /// Loads an edge, on behalf of a waiting caller if there is one.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    waiter: Int? = nil
  ) {
    var ask = LoadAsk(edge, waiter: waiter)
    (ask.side, ask.scope) = (side, scope)
    perform(planner.load(ask, in: rows.timeline))
    publish()
  }

  /// Loads the rows around a row of the whole list, on behalf of a waiting caller.
  mutating func load(rowAt index: Int, waiter: Int) {
    let ask = LoadAsk(rowAt: index, waiter: waiter)
    if planner.located(ask, in: rows.timeline) != nil {
      (rows.isJumping, rows.reached) = (true, nil)
    }
    perform(planner.load(ask, in: rows.timeline))
    publish()
  }

  /// Returns whether a row of the whole list is not loaded, although the source can find it.
  func isMissing(rowAt index: Int) -> Bool {
    planner.finds != .nothing
      && planner.located(LoadAsk(rowAt: index, waiter: nil), in: rows.timeline) != nil
  }

  /// Loads an edge because of the rows on screen (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int) {
    perform(planner.loadAhead(edge, waiter: waiter, in: rows.timeline))
    publish()
  }

  /// Repeats every load that failed, and sends at once those that wait to be retried.
  mutating func retry(waiter: Int? = nil) {
    perform(planner.retry(waiter: waiter, in: rows.timeline))
    publish()
  }

  /// Continues a load whose wait is over.
  mutating func proceed(with ticket: LoadTicket) {
    perform(planner.proceed(with: ticket, in: rows.timeline))
    // The load of a jump may have ended, because its row is loaded by now.
    publish()
  }

  /// Notes that the source changed; a running load may not include the change.
  mutating func markChanged() { planner.markChanged(after: nil) }

  /// Holds back loads, because the source is unreachable.
  mutating func pause() {
    planner.pause()
    publish()
  }

  /// Sends the loads that were held back, because the source is reachable again (rule R7).
  mutating func resume() {
    perform(planner.resume(in: rows.timeline))
    publish()
  }

  /// Cancels a waiter, and the request together with its last waiter (rule R3).
  mutating func cancel(waiter: Int, at now: Date) {
    guard let (edge, ended) = planner.cancel(waiter) else { return }
    if let ended { end([ended], at: now) } else { publish() }
    perform([.resume([waiter], contents.state[edge])])
    if ended != nil { readAnswers() }
  }

  /// Ends the loads without waiters, because the list is no longer shown.
  mutating func leave(at now: Date) {
    let ended = planner.leave()
    if ended.isEmpty { return publish() }
    end(ended, at: now)
    readAnswers()
  }

  /// Ends loads that no caller waits for.
  private mutating func end(_ loads: [Load], at now: Date) {
    perform(loads.map { .cancel($0.ticket.load) })
    settle(at: now)
    placeMisplaced(at: now)
    for load in loads { planner.joinFollowUp(of: load) }
    publish()
  }

  /// Notes that an item appears on screen, which may load rows or reload its page (rules R4, T3).
  mutating func willDisplay(_ id: RowID, at now: Date) {
    rows.displayed = id
    guard rows.timeline.count > 0, let index = rows.timelineIndex(of: id),
      let actions = planner.rowAppears(at: index, in: rows.timeline, at: now)
    else { return }
    perform(actions)
    publish()
  }

  // MARK: - Answers

  /// Receives an answer that took `duration`.
  mutating func receive(
    _ answer: PageAnswer, for ticket: LoadTicket, at now: Date, after duration: Duration = .zero
  ) {
    guard planner.receive(answer, for: ticket, at: now, after: duration) else {
      return published.noteDiagnostics(of: planner)
    }
    readAnswers()
  }

  /// Reads the answers that are not held back by an earlier load.
  mutating func readAnswers() {
    // Handling an answer may call this function again.
    guard !isReading else { return }
    isReading = true
    while !isRestoring, let next = planner.nextAnswered {
      // An edit that is settled may close the edge of the load, and end the load with it.
      settle(at: next.at)
      let displayed = rows.displayedIndex
      guard let decision = planner.read(next.ticket, in: rows.timeline, displayed: displayed)
      else { continue }
      execute(decision, at: next.at)
      if case .wait = decision, planner[next.ticket] == nil {
        // A jump ended without rows. Its request may have been the last that contradicted an edit.
        settle(at: next.at)
        placeMisplaced(at: next.at)
      }
    }
    isReading = false
    guard let actions = planner.refreshOnceMore(in: rows.timeline) else { return }
    perform(actions)
    publish()
  }

  /// Carries out the planner's decision about an answer.
  mutating func execute(_ decision: PageDecision, at now: Date) {
    switch decision {
    case .wait(let actions):
      perform(actions)
      publish()
    case .forget(let key, let load):
      rows.timeline.forget(key)
      restart(load)
    case .lead(let id, let key, let load):
      rows.timeline.lead(to: id, by: key)
      perform(planner.ask(load, for: key, in: rows.timeline))
      publish()
    case .merge(let merge): take(merge, at: now)
    case .mergeWindows(let load): takeWindows(of: load, at: now)
    case .replace(let run, let load, let actions):
      published.noteAnswer(at: now)
      planner.willReplace(by: load)
      let step = absorb(rows.replaceList(by: run, for: load, at: now))
      planner.didReplace(by: run, of: load, in: rows.timeline)
      perform(actions)
      finish(load, step, at: now)
    case .finish(let load): finish(load, at: now)
    }
  }

  /// Restarts a load.
  mutating func restart(_ load: Load) {
    perform(planner.restart(load, in: rows.timeline))
    publish()
  }

  /// Merges the rows that a load read, and ends or continues the load.
  private mutating func take(_ merge: PageMerge, at now: Date) {
    if merge.head == .end { published.noteAnswer(at: now) }
    planner.willMerge(merge)
    let unproven = rows.timeline.unproven
    let step = absorb(rows.merge(merge, at: now))
    if rows.timeline.unproven != unproven { pending.isPlaceSaved = false }
    planner.didMerge(merge, step.edit, in: rows.timeline)
    switch planner.goOn(merge, after: step.edit, in: rows.timeline) {
    case .end(let load): finish(load, step, at: now)
    case .ask(let actions):
      perform(actions)
      publish(step)
      save(step)
      removeDeleted(merge.run, at: now)
    }
  }

  /// Ends a load, and publishes its changes of rows and state together (rule R5).
  ///
  /// - Parameter isSaved: whether the step is stored already.
  mutating func finish(_ load: Load, _ step: Step? = nil, isSaved: Bool = false, at now: Date) {
    planner.end(load, in: rows.timeline, isEdited: !rows.presentation.overlay.edits.isEmpty)
    if load.edge == .previous || !load.edge.place.isKnown,
      let last = step?.edit.inserted.last(where: { $0.row.item != nil })?.row.item?.id
    {
      rows.reached = last
    }
    if let step, !isSaved { save(step, by: load) }
    publish(step)
    removeDeleted(load.walk.run, at: now)
    settle(at: now)
    placeMisplaced(at: now)
    passFrontier(load.walk.since ?? load.request.number, by: load.walk.run, at: now)
    trim(at: now)
    var load = load
    var actions = planner.readDisplayed(
      after: &load, around: rows.displayedIndex, in: rows.timeline)
    perform(planner.tell(load, contents.state))
    planner.conclude(load, in: rows.timeline)
    let asks = step.map { planner.asksForEmptyGaps(beside: $0.edit, in: rows.timeline) } ?? []
    for ask in asks { actions += planner.load(ask, in: rows.timeline) }
    perform(actions)
    if !actions.isEmpty { publish() }
  }

  // MARK: - Effects

  /// A change that the planner and the contents have taken in.
  struct Step {
    let change: RowChange
    let list: ListStep<ListRow<AnyItem>>?
    var edit: TimelineEdit { change.edit }
  }

  /// Updates the planner and the contents after a change of the rows.
  mutating func absorb(_ change: RowChange) -> Step {
    planner.follow(change.edit, change.rows, because: change.cause, in: rows.timeline)
    shared?.note(change)
    return Step(change: change, list: published.apply(change, of: rows))
  }

  /// Publishes the changes, if there are any, and ends the loads whose edges no longer exist.
  mutating func publish(_ step: Step? = nil) {
    let closed = planner.endClosed(in: rows.timeline)
    let isNew = published.updateStates(&planner, &rows)
    assert(brokenInvariant == nil, brokenInvariant ?? "")
    if let step, let list = step.list {
      let contents = StepContents(
        step: list.refs, contents: published.share(), duplicatesDropped: step.change.duplicates)
      effects.append(.publish(contents))
    } else if isNew {
      effects.append(.publish(nil))
    }
    // Waiters receive the present state of the edge.
    for load in closed {
      perform([.cancel(load.ticket.load)] + planner.tell(load, contents.state))
    }
  }

  /// Stores a step.
  ///
  /// While rows on disk are still unread, nothing is stored over them.
  mutating func save(_ step: Step) {
    guard !isRestoring else {
      restoring?.holdsSave = true
      pending.isWhole = true
      return
    }
    let state = storedState()
    effects.append(.save(pending.commit(step.change, state, of: rows.timeline)))
  }

  /// Stores the changes of a load.
  private mutating func save(_ step: Step, by load: Load) {
    if load.edge == .refresh {
      let page = planner.storedPage(in: rows.timeline)
      if pending.postpone(step.edit, page: page, in: rows.timeline) { return }
    }
    if load.edge == .refresh || !step.edit.isEmpty { save(step) }
  }

  /// Stores which rows were deleted from and inserted into those on disk, as indices there.
  mutating func save(deleted: [Int], inserted: Range<Int> = 0..<0) {
    let state = storedState()
    effects.append(
      .save(
        pending.commit(deleted: deleted, inserted: Array(inserted), state, of: rows.timeline)))
  }

  /// Returns the state to store beside the rows.
  private mutating func storedState() -> CachedState {
    CachedState(
      head: rows.timeline.head, tail: rows.timeline.tail, refreshedAt: contents.refreshedAt,
      anchor: rows.storedAnchor ?? planner.storedAnchor(in: rows.timeline),
      unproven: rows.timeline.unprovenOnDisk, page: planner.storedPage(in: rows.timeline))
  }

  /// Adds the planner's actions to the effects.
  ///
  /// The validator of a request is removed if a confirmed edit is newer than the validated page.
  mutating func perform(_ actions: [LoadAction]) {
    for var action in actions {
      if case .fetch(let ticket, var request) = action, request.validator != nil,
        let page = planner.sentPage(ticket),
        rows.presentation.overlay.isAhead(of: page.items, in: rows.timeline)
      {
        planner.withholdValidator(ticket)
        request.validator = nil
        action = .fetch(ticket, request)
      }
      effects.append(.load(action))
    }
  }

  /// A description of the first broken invariant; `nil` if all of them hold.
  ///
  /// Debug builds check it at each publication.
  ///
  /// - Complexity: O(loads + failures).
  var brokenInvariant: String? {
    if contents.gaps.count != contents.state.gaps.count {
      return "\(contents.gaps.count) gaps are shown, \(contents.state.gaps.count) have a state"
    }
    return planner.brokenInvariant(in: rows.timeline) ?? rows.timeline.brokenInvariant
  }
}
