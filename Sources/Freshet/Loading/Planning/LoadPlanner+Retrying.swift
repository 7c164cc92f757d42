internal import FreshetLists

// Loads that wait, and edges that are asked for again.
extension LoadPlanner {
  /// Lets a load wait before it is asked for again.
  ///
  /// After the waits of the retry policy, which are bounded, it goes on where it stopped: a server
  /// that lets few requests pass would never see the end of a long load else. It does so only while
  /// nothing newer was taken in (rule R2). After a pause of any length it restarts.
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

  /// The wait of a load is over, or a caller asked that does not want to wait.
  mutating func proceed(
    with ticket: LoadTicket, isAsked: Bool = false, in timeline: Timeline
  ) -> [LoadAction] {
    guard !isPaused, queue[ticket]?.isPausing == true, var load = queue.remove(ticket) else {
      return []
    }
    // What others read meanwhile is newer.
    if load.walk.run != nil, load.oldestRequest < lastMerged { load = load.withoutProgress }
    load.attempts.isPausing = false
    if isAsked { load.attempts.failure = nil }
    load.ticket.attempt += 1
    if load.walk.run == nil { aim(&load, in: timeline) }
    queue.insertInOrder(load)
    return [.cancel(ticket.load)] + fetch(load.ticket, in: timeline)
  }

  /// Loads wait from now on: the source cannot be reached.
  mutating func pause() { isPaused = true }

  /// The source can be reached again: what waits is asked for, and what failed while it could not
  /// be (rule R7).
  mutating func resume(in timeline: Timeline) -> [LoadAction] {
    isPaused = false
    let pausing = queue.pausing
    let actions = loadAgain(failures.passing, in: timeline)
    return pausing.reduce(actions) { $0 + proceed(with: $1.ticket, isAsked: true, in: timeline) }
  }

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int?, in timeline: Timeline) -> [LoadAction] {
    let pausing = queue.pausing
    let failed = failures.edges
    guard let first = pausing.first?.edge ?? failed.first else { return resume(waiter, .idle) }
    let actions = loadAgain(
      pausing.isEmpty ? failed : [first] + failed, waiter: waiter.map { (first, $0) }, in: timeline)
    return pausing.reduce(actions) { $0 + proceed(with: $1.ticket, isAsked: true, in: timeline) }
  }

  /// Asks again for edges that failed, each as it was asked for before, and for the edge of the
  /// waiter, if there is one.
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

  /// The source failed, or could not be reached.
  mutating func fail(_ load: Load, _ error: FeedError, in timeline: Timeline) -> PageDecision {
    if error.isStaleKey, let key = load.request.key, load.attempts.staleKeys < 2 {
      // The next key above still leads here, or else the way down from the head does; what was read
      // on the way is read again.
      var load = load
      load.attempts.staleKeys += 1
      if load.isStart { start = nil }
      diagnostics.expiredKeys += 1
      let stale = load.attempts.staleKeys == 1 || load.walk.run != nil ? key : nil
      answered.forget(naming: stale)
      return .forget(stale, load)
    }
    if let actions = postpone(load, after: error) { return .wait(actions) }
    fail(load.edge, error, load.scope, from: load.side)
    // What came before the failure is evidence all the same.
    return mergeSoFar(load, in: timeline)
  }

  /// Notes why an edge could not be loaded.
  ///
  /// What could not be renewed is a matter of the next refresh, and no failure of one that is under
  /// way.
  mutating func fail(
    _ edge: FeedEdge, _ error: FeedError, _ scope: RefreshScope = .head, from side: Gap.Side? = nil
  ) {
    guard case .page = edge else {
      return failures.note(error, at: edge, scope: scope, side: side)
    }
    if !queue.contains(.refresh) { failures.note(error, at: .refresh, scope: .visible) }
  }

  /// The source answers, so that it can be reached: why it could not be is no reason any more, and
  /// the head, which the list still lacks, is asked for again (rule R7).
  mutating func noteReached() {
    for edge in failures.passing {
      guard edge == .refresh else {
        _ = failures.takeSide(of: edge)
        failures.forget(edge)
        continue
      }
      // Once: where the head alone fails, other pages ask for it no more.
      if hasAskedHeadAgain { continue }
      hasAskedHeadAgain = true
      followUp.join(nil, for: edge, failures.scope)
    }
  }
}
