internal import FreshetLists
internal import struct Foundation.Date

/// Decides which pages are asked for, for whom and when, and what becomes of their answers.
///
/// It reads the timeline and changes no row: what an answer is to do there is a `PageDecision`.
/// Answers are taken in the order in which they were asked for, whatever order they arrive in (rule
/// R2).
struct LoadPlanner: Sendable {
  var configuration: FeedConfiguration
  /// How pages hang together, as far as is known: a source may find out from its answers that they
  /// shift.
  var continuity: PageContinuity
  var retryPolicy: RetryPolicy
  /// The page to begin with; `nil` for the head.
  var start: PageKey?
  /// How a preview stands, whatever is asked for.
  var fixedState: ListState?

  var queue = LoadQueue()
  var failures = LoadFailures()
  /// The answers that a source may call unchanged.
  var answered = AnsweredPages()
  /// What waits while rows are being read from disk; `nil` where that is done.
  var deferred: DeferredLoads?
  /// The pages that were asked for again because they were old.
  var renewals = PageRenewals()
  /// Whether totals that differ from the list are a reason to read it again.
  var totals = TotalCheck()
  var diagnostics = FeedDiagnostics()

  /// Whether loads wait until the user says that the source can be reached again.
  var isPaused = false
  /// The keys of the pages taken since the head was last read from scratch.
  var usedKeys: Set<PageKey> = []
  /// The callers that want one more refresh, now that the one before has ended.
  var followUp = Demand()
  /// Whether the head was asked for again because another page came through.
  var hasAskedHeadAgain = false
  /// The number of the newest request.
  var lastRequest = 0
  /// The newest request whose answer was taken in.
  var lastMerged = 0
  private var lastLoad = 0
  /// The newest request that was made before something changed at the source, as far as that was
  /// told.
  private var changedAfter: Int?
  /// The gaps that are loading, as the last published state has it.
  var loadingGaps: Set<Gap.ID> = []

  init(
    configuration: FeedConfiguration, continuity: PageContinuity, retryPolicy: RetryPolicy,
    start: PageKey?
  ) {
    (self.configuration, self.continuity) = (configuration, continuity)
    (self.retryPolicy, self.start) = (retryPolicy, start)
  }

  // MARK: - What is asked for

  /// Something changed at the source: what was asked for before may not have it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
  mutating func markChanged(after request: Int?) {
    changedAfter = max(changedAfter ?? 0, request ?? lastRequest)
  }

  /// Loads an edge, or joins the load of it that is under way.
  ///
  /// A refresh that was sent before something changed is followed by one more.
  mutating func load(_ ask: LoadAsk, in timeline: Timeline) -> [LoadAction] {
    let (asked, waiter) = (ask.edge, ask.waiter)
    if let state = fixedState { return resume(waiter, state[asked]) }
    // A feed that begins in the middle does so only where nothing is stored, and what is stored of
    // the page at the head may spare its body.
    if let deferred, asked != .refresh || start != nil || deferred.isHeadUnread {
      self.deferred?.asks.append(ask)
      return []
    }
    guard let edge = edgeToLoad(asked, in: timeline) else { return resume(waiter, .end) }
    // A caller that asks clears the failure, whatever is to be loaded first.
    if !ask.isPatient { failures.forget(asked) }
    if !ask.isPatient, asked == .refresh { hasAskedHeadAgain = false }
    let joined = queue.update(edge) { [changedAfter] load -> LoadTicket? in
      if load.isOutdated(after: changedAfter) {
        load.followUp.join(waiter, for: asked, ask.scope)
        return nil
      }
      load.demand.join(waiter, for: asked, ask.scope)
      // A caller that asks does not want to wait for the next attempt.
      return load.isPausing && waiter != nil && !ask.isPatient ? load.ticket : nil
    }
    if let joined {
      return joined.map { proceed(with: $0, isAsked: true, in: timeline) } ?? []
    }
    var demand = Demand()
    demand.join(waiter, for: asked, ask.scope)
    // If the list did not even begin, what follows is asked for with the attempts that its
    // beginning left: none.
    let isSpent = edge == .refresh && asked != .refresh && failures[.refresh] != nil
    return begin(edge, from: ask.side, middle: ask.middle, demand, isSpent: isSpent, in: timeline)
  }

  /// An edge is wanted because of what is on screen: what failed is not asked for again by itself,
  /// and what waits for its next attempt goes on waiting (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int, in timeline: Timeline) -> [LoadAction] {
    let wanted = edgeToLoad(edge, in: timeline) ?? edge
    // What follows the last row may be on disk: no failure of the source's counts there.
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
  /// - Parameter isSpent: whether it is not asked again by itself.
  private mutating func begin(
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
    failures.forget(edge)
    return load.isPausing ? [] : fetch(load.ticket, in: timeline)
  }

  /// Refreshes once more if that is wanted, after all answers that are there were taken in: what is
  /// asked for is what the list lacks then.
  ///
  /// - Returns: `nil` if it is not wanted.
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

  /// The edge whose answer brings what is wanted; `nil` if there is nothing more.
  private func edgeToLoad(_ edge: FeedEdge, in timeline: Timeline) -> FeedEdge? {
    switch edge {
    case .previous where timeline.head == .end,
      .next where timeline.tail == .end && timeline.endGap == nil:
      nil
    case .previous where timeline.key(below: 0) == nil: .refresh
    // What follows the last row is on disk.
    case .next where timeline.endGap != nil: timeline.endGap.map { .gap($0.id) }
    case .next where timeline.tail == .unknown || timeline.count == 0: .refresh
    case .gap(let id) where timeline.gaps[id] == nil: nil
    default: edge
    }
  }

  // MARK: - Cancelling

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  ///
  /// - Returns: the edge it waited for, and the load that ended with it; `nil` if it does not wait.
  mutating func cancel(_ waiter: Int) -> (edge: FeedEdge, ended: Load?)? {
    if let edge = deferred?.cancel(waiter) { return (edge, nil) }
    return queue.cancel(waiter)
  }

  /// The list is no longer shown: loads without waiters end.
  mutating func leave() -> [Load] {
    deferred?.asks.removeAll { $0.waiter == nil }
    return queue.removeUnattended()
  }

  /// A load was cancelled, and others want one more refresh after it.
  mutating func joinFollowUp(of load: Load) { followUp.join(load.followUp) }

  /// Ends the loads whose edges are there no more.
  mutating func endClosed(in timeline: Timeline) -> [Load] {
    if queue.isEmpty { return [] }
    return queue.removeAll { load in
      switch load.edge {
      case .refresh, .page: false
      case .previous: timeline.head == .end
      case .next: timeline.tail == .end
      case .gap(let id): timeline.gaps[id] == nil
      }
    }
  }

  // MARK: - Requests and answers

  /// How many loads are under way.
  var loadCount: Int { queue.count }
  /// Why an edge is asked for again by itself: of the head, where several are.
  var retriedFailure: FeedError? { queue.retriedFailure }
  /// The load and the time of the answer that is to be read next; `nil` until it is there.
  var nextAnswered: (ticket: LoadTicket, at: Date)? { queue.nextAnswered }

  subscript(ticket: LoadTicket) -> Load? { queue[ticket] }

  /// The requests so far, as far as others have to know of them.
  var requests: RequestContext {
    RequestContext(
      newest: lastRequest, oldest: queue.oldestRequest, isRestoring: deferred != nil,
      startsInMiddle: start != nil, deletionHorizon: configuration.deletionHorizon)
  }

  /// The row on disk around which rows are being read, counted among all on disk.
  func storedAnchor(in timeline: Timeline) -> Int? {
    guard let (gap, row) = queue.middle(of: timeline.evicted.runs) else { return nil }
    return timeline.index(ofGap: gap).map { timeline.stored.index(of: $0) + row }
  }

  /// Forgets which keys were used: they may be again, with rows that were let go.
  mutating func forgetUsedKeys() { usedKeys = [] }

  /// What a cache keeps of the page at the head; `nil` where the list does not begin with that.
  mutating func storedPage(in timeline: Timeline) -> CachedPage? { answered.stored(in: timeline) }

  // MARK: - The timeline changed

  /// Rows changed: forgets why edges could not be loaded that are there no more.
  ///
  /// A gap that now represents rows on disk is another one.
  mutating func follow(
    _ edit: TimelineEdit, _ rows: RowEdits, because cause: RowTrace.Cause, in timeline: Timeline
  ) {
    answered.rowsChanged(rows, because: cause)
    if timeline.head == .end { failures.forget(.previous) }
    if timeline.tail == .end { failures.forget(.next) }
    for (_, row) in edit.removed {
      if let gap = row.gap, timeline.gaps[gap.id] == nil { failures.forget(.gap(gap.id)) }
    }
    for (_, _, row) in edit.updated { if let gap = row.gap { failures.forget(.gap(gap.id)) } }
  }

  /// What is wrong with it, in words; `nil` where nothing is.
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
