internal import FreshetLists

// Loads that wait for what is on disk.
extension LoadPlanner {
  /// Rows are being read from disk: loads wait until their page keys are known.
  mutating func beginRestoring() { deferred = DeferredLoads() }

  /// More rows came from disk.
  mutating func noteRestored(isHeadUnread: Bool) { deferred?.isHeadUnread = isHeadUnread }

  /// The rows of the page at the head came from disk.
  mutating func noteRestored(_ head: Page<AnyItem, PageKey>) { answered.note(head, for: nil) }

  /// Lets a caller wait until all that is on disk is there.
  mutating func waitForRestore(_ waiter: Int) { deferred?.waiters.append(waiter) }

  /// All that is on disk is there.
  ///
  /// - Returns: what waited for that.
  mutating func endRestoring() -> DeferredLoads {
    defer { deferred = nil }
    return deferred ?? DeferredLoads()
  }

  /// Reads the rows on disk around one of them: waiters for all rows wait for these too.
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

  /// What waited for the rows on disk is loaded.
  mutating func load(_ deferred: DeferredLoads, in timeline: Timeline) -> [LoadAction] {
    deferred.asks.flatMap { ask in
      guard ask.isPatient, let waiter = ask.waiter else { return load(ask, in: timeline) }
      // What failed meanwhile is known by now.
      return loadAhead(ask.edge, waiter: waiter, in: timeline)
    }
  }
}
