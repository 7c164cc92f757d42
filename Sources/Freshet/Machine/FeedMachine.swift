internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: events go in, effects come out.
///
/// It does nothing itself: no task, no clock, no lock. An event that depends on the time is told
/// it. What is asked for and what becomes of an answer is the planner's to decide, what is known
/// the timeline's, and what is shown the presentation's: an event is a few calls on these three.
struct FeedMachine: Sendable {
  /// Something for the shell to do.
  enum Effect: Sendable {
    /// Ask for something, or answer who waits.
    case load(LoadAction)
    /// Show the machine's contents; a step where rows changed.
    case publish(StepContents?)
    /// Store a step.
    case save(FeedCommit<AnyItem>)
  }

  /// Which requests run, and for whom.
  var planner: LoadPlanner
  /// What answers proved.
  var timeline = Timeline()
  /// What is shown of it.
  var presentation: Presentation
  var contents = ListContents() { didSet { shared = nil } }
  /// The contents as they were shared, until they change.
  private var shared: Shared<ListContents>?
  /// What waits while rows are being read from disk; `nil` where that is done.
  var restoring: RestoreProgress?
  var pending = PendingCommit()
  /// News of items that belong beyond what is loaded.
  var unplacedNews: [RowID: (item: AnyItem, token: Int, request: Int)] = [:]
  /// Items that an edit put out of order, and that answers showed not to be there.
  var misplaced: [AnyItem] = []
  /// The item that came on screen last.
  var displayed: RowID?
  /// The item that the last load of an edge came to.
  var reached: RowID?
  /// How the source orders its items, where that is known.
  let order: Timeline.Order?
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
    (self.order, self.isCached) = (order, isCached)
    presentation = Presentation(sectionedBy: section)
    timeline.isSorted = order != nil
  }

  var configuration: FeedConfiguration {
    get { planner.configuration }
    set { planner.configuration = newValue }
  }
  var isRestoring: Bool { restoring != nil }

  /// The contents, to be copied as one reference.
  mutating func share() -> Shared<ListContents> {
    let shared = shared ?? Shared(contents)
    self.shared = shared
    return shared
  }

  // MARK: - What the user asks for

  /// Somebody wants an edge loaded, and waits for it or not.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    waiter: Int? = nil
  ) -> [Effect] {
    var ask = LoadAsk(edge, waiter: waiter)
    (ask.side, ask.scope) = (side, scope)
    return perform(planner.load(ask, in: timeline)) + publish()
  }

  /// An edge is wanted because of what is on screen (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int) -> [Effect] {
    perform(planner.loadAhead(edge, waiter: waiter, in: timeline)) + publish()
  }

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    perform(planner.retry(waiter: waiter, in: timeline)) + publish()
  }

  /// The wait of a load is over.
  mutating func proceed(with ticket: LoadTicket) -> [Effect] {
    perform(planner.proceed(with: ticket, in: timeline))
  }

  /// The source cannot be reached: loads wait.
  mutating func pause() -> [Effect] {
    planner.pause()
    return publish()
  }

  /// The source can be reached again (rule R7).
  mutating func resume() -> [Effect] {
    perform(planner.resume(in: timeline)) + publish()
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int, at now: Date) -> [Effect] {
    guard let (edge, actions, endsLoad) = planner.cancel(waiter) else { return [] }
    let effects = endsLoad ? endLoads(actions, at: now) : publish()
    return effects + [.load(.resume([waiter], contents.state[edge]))]
      + (endsLoad ? readAnswers() : [])
  }

  /// Nobody looks any more: what is loaded for nobody who waits ends.
  mutating func leave(at now: Date) -> [Effect] {
    let actions = planner.leave()
    return actions.isEmpty ? publish() : endLoads(actions, at: now) + readAnswers()
  }

  /// What was loaded for nobody else is no more: answers that waited for it may be taken in.
  private mutating func endLoads(_ actions: [LoadAction], at now: Date) -> [Effect] {
    perform(actions) + settle(at: now) + placeMisplaced(at: now) + publish()
  }

  /// An item comes on screen: that may ask for more, or for its page (rules R4, T3).
  mutating func willDisplay(_ id: RowID, at now: Date) -> [Effect] {
    displayed = id
    guard timeline.count > 0, let index = presentation.overlay.timelineIndex(of: id, in: timeline)
    else { return [] }
    let actions = planner.rowAppears(at: index, in: timeline, at: now)
    return actions.isEmpty ? [] : perform(actions) + publish()
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
      guard let decision = planner.read(next.ticket, in: timeline, lastDisplayed: lastDisplayed)
      else { continue }
      effects += execute(decision, at: next.at)
    }
    isReading = false
    let actions = planner.refreshOnceMore(in: timeline)
    return actions.isEmpty ? effects : effects + perform(actions) + publish()
  }

  /// The index of the last row on display: what came on screen last may be the first one there.
  private var lastDisplayed: Int {
    let id = displayed ?? presentation.reader
    let index = id.flatMap { presentation.overlay.timelineIndex(of: $0, in: timeline) } ?? 0
    return min(index + configuration.prefetchDistance, timeline.count - 1)
  }

  /// Does what the planner decided of an answer.
  mutating func execute(_ decision: PageDecision, at now: Date) -> [Effect] {
    switch decision {
    case .wait(let actions): return perform(actions) + publish()
    case .forget(let key, let load):
      timeline.forget(key)
      return restart(load)
    case .lead(let id, let key, let load):
      var edit = TimelineEdit()
      timeline.mark(id, &edit) { $0.previous = key }
      return perform(planner.ask(load, for: key, in: timeline)) + publish()
    case .merge(let merge): return execute(merge, at: now)
    case .replace(let run, let load, let actions):
      return perform(actions) + finish(load, replaceList(by: run, for: load, at: now), at: now)
    case .finish(let load): return finish(load, at: now)
    }
  }

  /// A load begins anew.
  mutating func restart(_ load: Load) -> [Effect] {
    perform(planner.restart(load, in: timeline)) + publish()
  }

  private mutating func execute(_ merge: PageMerge, at now: Date) -> [Effect] {
    let change = self.merge(merge, at: now)
    var load = merge.load
    switch merge.then {
    case .finish: break
    case .above: load.walk.run = merge.run
    case .goOn:
      switch planner.goOn(merge, after: change.edit, in: timeline) {
      case .next(let actions):
        return perform(actions) + publish(change) + save(change)
          + removeDeleted(merge.run, at: now)
      case .end(let ended): load = ended
      }
    }
    return finish(load, change, at: now)
  }

  /// What the planner wants done, for the shell: a validator is withheld where an edit is ahead of
  /// the page that it stands for.
  mutating func perform(_ actions: [LoadAction]) -> [Effect] {
    actions.map { action in
      guard case .fetch(let ticket, var request) = action, request.validator != nil,
        let page = planner.sentPage(ticket),
        presentation.overlay.isAhead(of: page.items, in: timeline)
      else { return .load(action) }
      planner.withholdValidator(ticket)
      request.validator = nil
      return .load(.fetch(ticket, request))
    }
  }
}
