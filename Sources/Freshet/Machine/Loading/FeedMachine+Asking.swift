internal import FreshetLists
internal import struct Foundation.Date

// Who asks for an edge, and who does not any more.
extension FeedMachine {
  /// Something changed at the source: what was asked for before may not have it (rule R2).
  ///
  /// - Parameter request: the last request made before; `nil` for the newest.
  mutating func markChanged(after request: Int? = nil) {
    traffic.changedAfter = max(traffic.changedAfter ?? 0, request ?? traffic.lastRequest)
  }

  /// Somebody wants an edge loaded, and waits for it or not.
  ///
  /// A refresh that was sent before something changed is followed by one more.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    middle: Int? = nil, waiter: Int? = nil, isPatient: Bool = false
  ) -> [Effect] {
    if let state = setup.fixedState { return resume(waiter, state[edge]) }
    // A feed that begins in the middle does so only where nothing is stored, and what is stored of
    // the page at the head may spare its body.
    if let restoring, edge != .refresh || setup.start != nil || restoring.isHeadUnread {
      let event: Restoring.Event = { machine, _ in
        // What failed meanwhile is known by then.
        if isPatient, let waiter { return machine.loadAhead(edge, waiter: waiter) }
        return machine.load(edge, from: side, scope: scope, waiter: waiter)
      }
      self.restoring?.deferred.append((edge, waiter, event))
      return publish()
    }
    let asked = edge
    guard let edge = edgeToLoad(asked) else { return resume(waiter, .end) }
    // Why it failed is known no more where somebody asks, whatever is to be loaded first.
    if !isPatient { failures[asked] = nil }
    if !isPatient, asked == .refresh { traffic.hasAskedHeadAgain = false }
    if let index = loads.firstIndex(where: { $0.edge == edge }) {
      if edge == .refresh, let request = traffic.changedAfter, loads[index].hasAsked(by: request) {
        loads[index].followUp.join(waiter, for: asked, scope)
        return []
      }
      loads[index].demand.join(waiter, for: asked, scope)
      // Who asks does not want to wait for the next attempt.
      let isUrgent = waiter != nil && !isPatient
      guard loads[index].isPausing, isUrgent else { return [] }
      return proceed(with: loads[index].ticket, isAsked: true) + publish()
    }
    var demand = Demand()
    demand.join(waiter, for: asked, scope)
    // Where the list did not even begin, what follows is asked for with the attempts that its
    // beginning left: none.
    let isSpent = edge == .refresh && asked != .refresh && failures[.refresh] != nil
    return begin(edge, from: side, middle: middle, demand, isSpent: isSpent)
  }

  /// An edge is wanted because of what is on screen: what failed is not asked for again by itself,
  /// and what waits for its next attempt goes on waiting (rule R4).
  mutating func loadAhead(_ edge: FeedEdge, waiter: Int) -> [Effect] {
    let wanted = edgeToLoad(edge) ?? edge
    // What follows the last row may be on disk: no failure of the source's counts there.
    let isOnDisk = edge == .next && timeline.endGap != nil
    let edges: [FeedEdge] = isOnDisk ? [wanted] : [edge, wanted, .refresh]
    if let failure = edges.compactMap({ failures[$0] }).first {
      return resume(waiter, .failed(failure))
    }
    return load(edge, waiter: waiter, isPatient: true)
  }

  /// Begins to load an edge.
  ///
  /// - Parameter isSpent: whether it is not asked again by itself.
  mutating func begin(
    _ edge: FeedEdge, from side: Gap.Side = .above, middle: Int? = nil, _ demand: Demand,
    isSpent: Bool = false
  ) -> [Effect] {
    traffic.lastLoad += 1
    var load = Load(ticket: Ticket(load: traffic.lastLoad, attempt: 0), edge: edge)
    load.demand = demand
    load.side = edge == .previous ? .below : side
    load.middle = middle
    aim(&load)
    load.attempts.isPausing = traffic.isPaused && load.disk == nil
    if isSpent { load.attempts.retries = setup.retryPolicy.attempts }
    loads.append(load)
    failures[edge] = nil
    return (load.isPausing ? [] : fetch(at: loads.count - 1)) + publish()
  }

  /// Refreshes once more where somebody wants that, after all answers that are there were taken in:
  /// what is asked for is what the list lacks then.
  mutating func refreshOnceMore() -> [Effect] {
    let demand = traffic.followUp
    if demand.isEmpty { return [] }
    traffic.followUp = Demand()
    guard let index = loads.firstIndex(where: { $0.edge == .refresh }) else {
      return begin(.refresh, demand)
    }
    loads[index].demand.join(demand)
    return []
  }

  /// Where an answer begins that brings what somebody wants; `nil` where there is nothing more.
  private func edgeToLoad(_ edge: FeedEdge) -> FeedEdge? {
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

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    let pausing = loads.filter(\.isPausing)
    let failed = failures.edges
    guard let first = pausing.first?.edge ?? failed.first else { return resume(waiter, .idle) }
    let effects = loadAgain(
      pausing.isEmpty ? failed : [first] + failed, waiter: waiter.map { (first, $0) })
    return pausing.reduce(effects) { $0 + proceed(with: $1.ticket, isAsked: true) } + publish()
  }

  /// Asks again for edges that failed, each as it was asked for before, and for the edge of the
  /// waiter, if there is one.
  mutating func loadAgain(
    _ edges: [FeedEdge], waiter: (edge: FeedEdge, number: Int)? = nil
  ) -> [Effect] {
    let (scope, sides) = (failures.scope, failures.sides)
    var effects: [Effect] = []
    for edge in edges {
      let number = waiter?.edge == edge ? waiter?.number : nil
      guard number != nil || failures[edge] != nil else { continue }
      failures.sides[edge] = nil
      effects += load(edge, from: sides[edge] ?? .above, scope: scope, waiter: number)
    }
    return effects
  }

  /// The source answers, so that it can be reached: why it could not be is no reason any more, and
  /// the head, which the list still lacks, is asked for again (rule R7).
  ///
  /// - Returns: whether there were such reasons.
  mutating func noteReached() -> Bool {
    let passing = failures.passing
    for edge in passing {
      if edge == .refresh {
        // Once: where the head alone fails, other pages ask for it no more.
        guard !traffic.hasAskedHeadAgain else { continue }
        traffic.hasAskedHeadAgain = true
        traffic.followUp.join(nil, for: edge, failures.scope)
      } else {
        (failures[edge], failures.sides[edge]) = (nil, nil)
      }
    }
    return !passing.isEmpty
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int, at now: Date) -> [Effect] {
    if let index = restoring?.waiters.firstIndex(of: waiter) {
      restoring?.waiters.remove(at: index)
      return [.resume([waiter], contents.state.refresh)]
    }
    if let index = restoring?.deferred.firstIndex(where: { $0.waiter == waiter }),
      let edge = restoring?.deferred.remove(at: index).edge
    {
      return publish() + [.resume([waiter], contents.state[edge])]
    }
    for index in loads.indices {
      if let edge = loads[index].followUp.waiters.removeValue(forKey: waiter) {
        return [.resume([waiter], contents.state[edge])]
      }
      guard let edge = loads[index].demand.waiters.removeValue(forKey: waiter) else { continue }
      guard loads[index].demand.isEmpty else { return [.resume([waiter], contents.state[edge])] }
      return end([loads.remove(at: index)], at: now) {
        [.resume([waiter], $0.contents.state[edge])]
      }
    }
    return []
  }

  /// Nobody looks any more: what is loaded for nobody who waits ends.
  mutating func leave(at now: Date) -> [Effect] {
    restoring?.deferred.removeAll { $0.waiter == nil }
    for index in loads.indices {
      loads[index].demand.isUnattended = false
      loads[index].followUp.isUnattended = false
    }
    let ended = loads.filter(\.demand.isEmpty)
    loads.removeAll(where: \.demand.isEmpty)
    return ended.isEmpty ? publish() : end(ended, at: now) { _ in [] }
  }

  /// What was loaded for nobody else is no more: answers that waited for it may be taken in.
  private mutating func end(
    _ loads: [Load], at now: Date, telling waiters: (Self) -> [Effect]
  ) -> [Effect] {
    var effects = loads.map { Effect.cancel($0.ticket.load) } + settle(at: now)
    effects += placeMisplaced(at: now)
    for load in loads { traffic.followUp.join(load.followUp) }
    effects += publish()
    return effects + waiters(self) + readAnswers()
  }
}
