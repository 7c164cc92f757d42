internal import FreshetLists
internal import struct Foundation.Date

/// Decides which pages are requested, for which callers and when, and what their answers change.
///
/// It reads the timeline and changes no row: the effect of an answer is a `PageDecision`. Answers
/// are processed in the order of their requests, even if they arrive in another order (rule R2).
struct LoadPlanner: Sendable {
  var configuration: FeedConfiguration
  /// How pages are connected, as far as is known.
  ///
  /// The answers of a source may reveal that its pages shift.
  var continuity: PageContinuity
  var retryPolicy: RetryPolicy
  /// The page to begin with; `nil` for the head.
  var start: PageKey?
  /// The state of a preview, regardless of the loads that are requested.
  var fixedState: ListState?

  var queue = LoadQueue()
  var failures = LoadFailures()
  /// The answers that a source may report as unchanged.
  var answered = AnsweredPages()
  /// The loads held back while rows are being read from disk; `nil` once that is done.
  var deferred: DeferredLoads?
  /// The pages that were requested again because they were old.
  var renewals = PageRenewals()
  /// Whether a total that differs from the list is a reason to read it again.
  var totals = TotalCheck()
  var total = ReportedTotal()
  var unloaded = UnloadedRows()
  var diagnostics = FeedDiagnostics()
  /// Whether the source reads windows again, and the validators of those that the list shows.
  var windows = WindowValidators()
  /// Whether the source finds pages by the number of rows between them and others.
  let finds: RowFinding

  /// Whether loads wait until the user reports that the source can be reached again.
  var isPaused = false
  /// The keys of the pages processed since the head was last read from scratch.
  var usedKeys: Set<PageKey> = []
  /// The callers that want one more refresh, now that the one before has ended.
  var followUp = Demand()
  /// Whether the head was requested again because another page was answered.
  var hasAskedHeadAgain = false
  /// The number of the newest request.
  var lastRequest = 0
  /// The newest request whose answer was processed.
  var lastMerged = 0
  private var lastLoad = 0
  /// The request whose answer had another total, until a page beside others was read later.
  ///
  /// In a list whose pages shift, rows may be elsewhere until then.
  var shiftedAfter: Int?
  /// The last jump, or load of rows that are read again, that failed, and why.
  var failed: (load: LoadTicket, error: FeedError)?
  /// The newest request before the last known change at the source.
  private var changedAfter: Int?
  /// The gaps that are loading in the last published state.
  var loadingGaps: Set<Gap.ID> = []

  init(
    configuration: FeedConfiguration, continuity: PageContinuity, retryPolicy: RetryPolicy,
    start: PageKey?, readsWindows: Bool = false, finds: RowFinding = .nothing
  ) {
    windows.areRead = readsWindows
    self.finds = finds
    (self.configuration, self.continuity) = (configuration, continuity)
    (self.retryPolicy, self.start) = (retryPolicy, start)
  }

  // MARK: - Loading

  /// Records a change at the source, which answers to earlier requests may lack (rule R2).
  ///
  /// - Parameter request: the last request before the change; `nil` for the newest.
  mutating func markChanged(after request: Int?) {
    changedAfter = max(changedAfter ?? 0, request ?? lastRequest)
  }

  /// Loads an edge, or joins a load of it that is under way.
  ///
  /// A refresh whose request was sent before a change at the source is followed by another one.
  mutating func load(_ ask: LoadAsk, in timeline: Timeline) -> [LoadAction] {
    if let state = fixedState { return resume(ask.waiter, state[ask.edge]) }
    // A feed begins in its middle only if nothing is stored. A refresh also waits for the stored
    // page at the head, whose validator may save the body of the answer.
    if let deferred, ask.edge != .refresh || start != nil || deferred.isHeadUnread {
      self.deferred?.asks.append(ask)
      return []
    }
    guard let ask = located(ask, in: timeline) else { return resume(ask.waiter, .idle) }
    let (asked, waiter) = (ask.edge, ask.waiter)
    guard let edge = edgeToLoad(asked, in: timeline) else { return resume(waiter, .end) }
    // A request clears the failure, even if another edge is loaded first.
    if !ask.isPatient { failures.forget(asked.shown) }
    if !ask.isPatient, asked == .refresh { hasAskedHeadAgain = false }
    let joined = queue.update(edge) { [changedAfter] load -> LoadTicket? in
      if load.isOutdated(after: changedAfter) {
        load.followUp.join(waiter, for: asked, ask.scope)
        return nil
      }
      load.demand.join(waiter, for: asked, ask.scope)
      // A caller that requests the edge does not want to wait for the next attempt.
      return load.isPausing && waiter != nil && !ask.isPatient ? load.ticket : nil
    }
    if let joined {
      return joined.map { proceed(with: $0, isAsked: true, in: timeline) } ?? []
    }
    var demand = Demand()
    demand.join(waiter, for: asked, ask.scope)
    // If the beginning of the list failed, a request for later rows repeats it, and has no
    // attempts left for retries.
    let isSpent = edge == .refresh && asked != .refresh && failures[.refresh] != nil
    return begin(edge, from: ask.side, middle: ask.middle, demand, isSpent: isSpent, in: timeline)
  }

  /// Loads an edge because of the rows on screen.
  ///
  /// An edge that failed is not requested again, and a load that waits for its next attempt keeps
  /// waiting (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int, in timeline: Timeline) -> [LoadAction] {
    let wanted = edgeToLoad(edge, in: timeline) ?? edge
    // The rows after the last one may be on disk; then no failure of the source counts.
    let isOnDisk = edge == .next && timeline.endGap != nil
    let edges: [FeedEdge] = isOnDisk ? [wanted] : [edge, wanted, .refresh]
    if let failure = edges.compactMap({ failures[$0] }).first {
      return resume(waiter, .failed(failure))
    }
    var ask = LoadAsk(edge, waiter: waiter)
    ask.isPatient = true
    return load(ask, in: timeline)
  }

  /// Begins to load an edge.
  ///
  /// - Parameter isSpent: whether the load is not retried automatically.
  mutating func begin(
    _ edge: FeedEdge, from side: Gap.Side = .above, middle: Int? = nil, _ demand: Demand,
    isSpent: Bool = false, in timeline: Timeline
  ) -> [LoadAction] {
    lastLoad += 1
    var load = Load(ticket: LoadTicket(load: lastLoad, attempt: 0), edge: edge)
    load.demand = demand
    load.side = edge == .previous ? .below : side
    load.middle = middle
    aim(&load, in: timeline)
    load.attempts.isPausing = isPaused && load.disk == nil
    if isSpent { load.attempts.retries = retryPolicy.attempts }
    queue.append(load)
    failures.forget(edge.shown)
    return load.isPausing ? [] : fetch(load.ticket, in: timeline)
  }

  /// Refreshes once more if callers want it, after all available answers were processed.
  ///
  /// Only then is it known which rows the list still lacks.
  ///
  /// - Returns: `nil` if no caller wants it.
  mutating func refreshOnceMore(in timeline: Timeline) -> [LoadAction]? {
    let demand = followUp
    if demand.isEmpty { return nil }
    followUp = Demand()
    let joined: Void? = queue.update(.refresh) { [changedAfter] load in
      if load.isOutdated(after: changedAfter) {
        load.followUp.join(demand)
      } else {
        load.demand.join(demand)
      }
    }
    return joined == nil ? begin(.refresh, demand, in: timeline) : []
  }

  /// Returns the edge whose load gets the wanted rows; `nil` if there are no more rows.
  func edgeToLoad(_ edge: FeedEdge, in timeline: Timeline) -> FeedEdge? {
    switch edge {
    case .previous where timeline.head == .end,
      .next where timeline.tail == .end && timeline.endGap == nil:
      nil
    case .previous where timeline.key(below: 0) == nil: .refresh
    // The rows after the last one are on disk.
    case .next where timeline.endGap != nil: timeline.endGap.map { .gap($0.id) }
    case .next where timeline.tail == .unknown || timeline.count == 0: .refresh
    case .gap(let id) where timeline.gaps[id] == nil: nil
    default: edge
    }
  }

  // MARK: - Cancelling

  /// Cancels a waiter; the last one cancels the request too (rule R3).
  ///
  /// - Returns: the edge it waited for, and the load that ended with it; `nil` if it does not
  ///   wait.
  mutating func cancel(_ waiter: Int) -> (edge: FeedEdge, ended: Load?)? {
    if let edge = deferred?.cancel(waiter) { return (edge, nil) }
    return queue.cancel(waiter)
  }

  /// Ends loads without waiters, because the list is no longer shown.
  mutating func leave() -> [Load] {
    deferred?.asks.removeAll { $0.waiter == nil }
    return queue.removeUnattended()
  }

  /// Keeps the follow-up of a load that was cancelled: other callers want one more refresh.
  mutating func joinFollowUp(of load: Load) { followUp.join(load.followUp) }

  /// Ends the loads whose edges no longer exist.
  mutating func endClosed(in timeline: Timeline) -> [Load] {
    if queue.isEmpty { return [] }
    return queue.removeAll { load in
      switch load.edge.shown {
      case .refresh, .page, .reread, .jump: false
      case .previous: timeline.head == .end
      case .next: timeline.tail == .end
      case .gap(let id): timeline.gaps[id] == nil
      }
    }
  }

  // MARK: - Requests and answers

  /// The number of loads under way.
  var loadCount: Int { queue.count }
  /// The failure that is being retried automatically; that of the head if there are several.
  var retriedFailure: FeedError? { queue.retriedFailure }
  /// The load and the time of the answer that is to be read next; `nil` until it arrives.
  var nextAnswered: (ticket: LoadTicket, at: Date)? { queue.nextAnswered }

  subscript(ticket: LoadTicket) -> Load? { queue[ticket] }

  /// The state of the requests, as needed by other parts of the feed.
  var requests: RequestContext {
    RequestContext(
      newest: lastRequest, oldest: queue.oldestRequest, isRestoring: deferred != nil,
      startsInMiddle: start != nil, deletionHorizon: configuration.deletionHorizon)
  }

  /// Returns the row around which rows are being read from disk, counted among all rows on disk.
  func storedAnchor(in timeline: Timeline) -> Int? {
    guard let (gap, row) = queue.middle(of: timeline.evicted.runs) else { return nil }
    return timeline.index(ofGap: gap).map { timeline.stored.index(of: $0) + row }
  }

  /// Forgets which keys were used: they may be used again, with rows that were evicted.
  mutating func forgetUsedKeys() { usedKeys = [] }

  /// Returns the head as a cache stores it; `nil` if the list does not begin with its page.
  mutating func storedPage(in timeline: Timeline) -> CachedHeadPage? {
    answered.stored(in: timeline)
  }

  // MARK: - The timeline changed

  /// Follows a change of rows, and forgets failures of edges that no longer exist.
  ///
  /// A gap that now represents rows on disk counts as another gap.
  mutating func follow(
    _ edit: TimelineEdit, _ rows: RowEdits, because cause: RowTrace.Cause, in timeline: Timeline
  ) {
    answered.rowsChanged(rows, because: cause)
    windows.follow(edit)
    unloaded.follow(edit, in: timeline)
    switch cause {
    // A row may have moved to rows that are not loaded, or from there; a local one counts nowhere.
    case .event, .edit: if edit.changesItems { unloaded.doubt(after: lastRequest) }
    case .page, .cache: break
    }
    if timeline.head == .end { failures.forget(.previous) }
    if timeline.tail == .end { failures.forget(.next) }
    for (_, row) in edit.removed {
      if let gap = row.gap, timeline.gaps[gap.id] == nil { failures.forget(.gap(gap.id)) }
    }
    for (_, _, row) in edit.updated { if let gap = row.gap { failures.forget(.gap(gap.id)) } }
  }

  /// Returns a description of a broken invariant; `nil` if there is none.
  ///
  /// - Complexity: O(loads + failures).
  func brokenInvariant(in timeline: Timeline) -> String? {
    let edges = queue.edges
    if Set(edges).count < edges.count { return "two loads of one edge" }
    if let edge = edges.first(where: { failures[$0] != nil }) {
      return "\(edge) is under way and has failed"
    }
    for case .gap(let id) in failures.edges where timeline.gaps[id] == nil {
      return "gap \(id) has failed and is not there"
    }
    return nil
  }
}
