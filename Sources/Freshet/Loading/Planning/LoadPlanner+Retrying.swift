internal import FreshetLists

// Loads that wait, and edges that are requested again.
extension LoadPlanner {
  /// Postpones the next request of a load.
  ///
  /// After a wait of the retry policy, the load continues with the pages it has read. Otherwise a
  /// load of many pages would never finish on a server that allows few requests at a time. These
  /// waits are bounded, and the load continues only if no newer answer was processed meanwhile
  /// (rule R2). After a pause, which may have any length, the load restarts.
  private mutating func postpone(_ load: Load, after error: FeedError) -> [LoadAction]? {
    let waitsForUser = isPaused && error.isTransient
    let wait =
      waitsForUser
      ? nil
      : retryPolicy.wait(after: error, attempt: load.attempts.retries, spent: load.attempts.spent)
    guard waitsForUser || wait != nil else { return nil }
    var again = load.walk.run == nil || waitsForUser ? load.withoutProgress : load
    again.ticket.attempt += 1
    again.attempts.retries = load.attempts.retries + (waitsForUser ? 0 : 1)
    again.attempts.isPausing = true
    again.attempts.failure = error.masked
    queue.remove(load.ticket)
    queue.append(again)
    guard let wait else { return [] }
    diagnostics.retries += 1
    return [.wait(again.ticket, wait)]
  }

  /// Continues a load after its wait, or earlier if a caller does not want to wait.
  mutating func proceed(
    with ticket: LoadTicket, isAsked: Bool = false, in timeline: Timeline
  ) -> [LoadAction] {
    guard !isPaused, queue[ticket]?.isPausing == true, var load = queue.remove(ticket) else {
      return []
    }
    // Rows that other loads read meanwhile are newer.
    if load.walk.run != nil, load.oldestRequest < lastMerged { load = load.withoutProgress }
    load.attempts.isPausing = false
    if isAsked { load.attempts.failure = nil }
    load.ticket.attempt += 1
    if let jump = load.jump, isElsewhere(jump, in: timeline) {
      return [.cancel(ticket.load)] + jumpAgain(load, jump, in: timeline)
    }
    if hasLostItsWay(load, in: timeline) {
      return [.cancel(ticket.load)] + loadNearer(load, in: timeline)
    }
    if load.walk.run == nil { aim(&load, in: timeline) }
    queue.insertInOrder(load)
    return [.cancel(ticket.load)] + fetch(load.ticket, in: timeline)
  }

  /// Pauses loads, because the source cannot be reached.
  mutating func pause() { isPaused = true }

  /// Resumes loads, because the source can be reached again (rule R7).
  ///
  /// It requests the loads that wait, and the edges that failed with a transient failure.
  mutating func resume(in timeline: Timeline) -> [LoadAction] {
    isPaused = false
    let pausing = queue.pausing
    let actions = loadAgain(failures.passing, in: timeline)
    return pausing.reduce(actions) { $0 + proceed(with: $1.ticket, isAsked: true, in: timeline) }
  }

  /// Requests every edge that failed, and continues waiting loads at once.
  mutating func retry(waiter: Int?, in timeline: Timeline) -> [LoadAction] {
    let pausing = queue.pausing
    let failed = failures.edges
    guard let first = pausing.first?.edge ?? failed.first else { return resume(waiter, .idle) }
    let actions = loadAgain(
      pausing.isEmpty ? failed : [first] + failed, waiter: waiter.map { (first, $0) }, in: timeline)
    return pausing.reduce(actions) { $0 + proceed(with: $1.ticket, isAsked: true, in: timeline) }
  }

  /// Requests failed edges again, each with its earlier parameters.
  ///
  /// It also requests the edge of the waiter, if there is one.
  private mutating func loadAgain(
    _ edges: [FeedEdge], waiter: (edge: FeedEdge, number: Int)? = nil, in timeline: Timeline
  ) -> [LoadAction] {
    let scope = failures.scope
    var actions: [LoadAction] = []
    for edge in edges {
      var ask = LoadAsk(edge, waiter: waiter?.edge == edge ? waiter?.number : nil)
      guard ask.waiter != nil || failures[edge] != nil else { continue }
      ask.side = failures.takeSide(of: edge) ?? .above
      ask.scope = scope
      actions += load(ask, in: timeline)
    }
    return actions
  }

  // MARK: - Failures

  /// Decides what to do after a failure of a load.
  mutating func fail(_ load: Load, _ error: FeedError, in timeline: Timeline) -> PageDecision {
    // Which key is stale shows without a jump.
    if error.isStaleKey, load.jump != nil { return .wait(loadNearer(load, in: timeline)) }
    if error.isStaleKey, load.request.key != nil || load.readsWindows, load.attempts.staleKeys < 2 {
      // The next key above still leads here, or otherwise the way down from the head. Pages that
      // were read on the way are read again.
      var load = load
      load.attempts.staleKeys += 1
      if load.isStart || load.readsWindows { start = nil }
      diagnostics.expiredKeys += 1
      let stale =
        load.attempts.staleKeys == 1 || load.walk.run != nil ? load.request.key : nil
      answered.forget(naming: stale)
      return .forget(stale, load)
    }
    if let actions = postpone(load, after: error) { return .wait(actions) }
    fail(load.edge, error, load.scope, from: load.side)
    if load.jump != nil || load.edge.isReread { failed = (load.ticket, error.masked) }
    // The pages that arrived before the failure are valid evidence.
    return mergeSoFar(load, in: timeline)
  }

  /// Records the failure of an edge.
  ///
  /// A page that could not be renewed is left to the next refresh: its failure is recorded as that
  /// of the refresh, unless a refresh is under way.
  mutating func fail(
    _ edge: FeedEdge, _ error: FeedError, _ scope: RefreshScope = .head, from side: Gap.Side? = nil
  ) {
    switch edge {
    case .page, .reread:
      if !queue.contains(.refresh) { failures.note(error, at: .refresh, scope: .visible) }
    // If another load there is under way, its answer decides.
    case .jump(let jump) where queue.edges.contains { $0 != edge && $0.shown == jump.edge }: break
    default: failures.note(error, at: edge.shown, scope: scope, side: side)
    }
  }

  /// Records that the source can be reached, because it answered (rule R7).
  ///
  /// Transient failures of other edges than the head are forgotten. If the head has a transient
  /// failure, it is requested again, because the list still lacks its rows.
  mutating func noteReached() {
    for edge in failures.passing {
      guard edge == .refresh else {
        _ = failures.takeSide(of: edge)
        failures.forget(edge)
        continue
      }
      // Only once: if the head alone keeps failing, answers for other pages do not request it
      // again.
      if hasAskedHeadAgain { continue }
      hasAskedHeadAgain = true
      followUp.join(nil, for: edge, failures.scope)
    }
  }
}
