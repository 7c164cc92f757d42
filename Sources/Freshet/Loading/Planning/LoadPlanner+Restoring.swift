internal import FreshetLists

// Loads that wait for rows on disk.
extension LoadPlanner {
  /// Begins restoring rows from disk; loads wait until their page keys are known.
  mutating func beginRestoring() { deferred = DeferredLoads() }

  /// Records that more rows were restored from disk.
  mutating func noteRestored(isHeadUnread: Bool) { deferred?.isHeadUnread = isHeadUnread }

  /// Records that the rows of the page at the head were restored from disk.
  mutating func noteRestored(_ head: Page<AnyItem, PageKey>) { answered.note(head, for: nil) }

  /// Adds a caller that waits until all rows on disk are restored.
  mutating func waitForRestore(_ waiter: Int) { deferred?.waiters.append(waiter) }

  /// Ends restoring rows from disk.
  ///
  /// - Returns: the loads and callers that waited for it.
  mutating func endRestoring() -> DeferredLoads {
    defer { deferred = nil }
    return deferred ?? DeferredLoads()
  }

  /// Reads the rows on disk around one of them; waiters for all rows wait for these too.
  mutating func readRows(
    around row: Int, of gap: Gap.ID, for deferred: inout DeferredLoads, in timeline: Timeline
  ) -> [LoadAction] {
    var ask = LoadAsk(.gap(gap))
    ask.middle = row
    let actions = load(ask, in: timeline)
    queue.update(.gap(gap)) { load in
      for waiter in deferred.waiters { load.demand.waiters[waiter] = .refresh }
      deferred.waiters = []
    }
    return actions
  }

  /// Begins the loads that waited for the rows on disk.
  mutating func load(_ deferred: DeferredLoads, in timeline: Timeline) -> [LoadAction] {
    deferred.asks.flatMap { ask in
      guard ask.isPatient, let waiter = ask.waiter else { return load(ask, in: timeline) }
      // Failures that happened meanwhile are known by now.
      return loadAhead(ask.edge, waiter: waiter, in: timeline)
    }
  }
}
