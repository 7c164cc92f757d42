internal import FreshetLists

// Refreshes that read further than the first page.
extension LoadPlanner {
  /// Returns whether a refresh reads from the head through the rows on display, or through all.
  ///
  /// If the rows on display are found by their position, they are read after the head.
  func readsFurther(_ load: Load, _ displayed: Int, in timeline: Timeline) -> Bool {
    load.scope == .all
      || load.scope == .visible && displayedRows(around: displayed, in: timeline) == nil
  }

  /// Returns the index of the last row on display, estimated from the row that appeared last.
  ///
  /// That row may be the first one on display. Rows below a gap count only if the gap is on disk.
  private func lastDisplayed(from displayed: Int, in timeline: Timeline) -> Int {
    let end = timeline.endOfSegment(from: displayed)
    let isStored = end < timeline.count && timeline.rows[end].gap?.isStored == true
    return min(
      displayed + configuration.prefetchDistance, (isStored ? timeline.count : end) - 1)
  }

  /// Decides about a page of a refresh through the rows on display, or through all loaded rows.
  ///
  /// If as many rows were read as are known, and the last known row is not among them, that row is
  /// further down or deleted. In a refresh of all rows, the rows that were read become the list,
  /// and scrolling loads the rest again. In a refresh of the rows on display, the rest stays below
  /// a gap.
  mutating func readFurther(
    _ page: Page<AnyItem, PageKey>, _ run: Run, for load: Load, in timeline: Timeline,
    _ displayed: Int
  ) -> PageDecision {
    var load = load
    let reached = page.items.compactMap { timeline.index(of: $0.id) }.max() ?? -1
    load.walk.pagesSinceReached = reached > load.walk.reached ? 0 : load.walk.pagesSinceReached + 1
    load.walk.reached = max(load.walk.reached, reached)
    let keepsStored = load.scope < .all
    guard let next = run.next, !load.walk.readKeys.contains(next) else {
      guard let plan = timeline.match(run, at: .head, keepingStored: keepsStored) else {
        return .finish(load)
      }
      return mergeAndGoOn(run, plan, for: load, in: timeline)
    }
    if load.walk.repeatedPages == Self.fruitlessLimit {
      fail(.refresh, .pagingLoop(key: next.shown), load.scope)
      return mergeSoFar(load, in: timeline)
    }
    let last =
      load.scope == .all ? timeline.count - 1 : lastDisplayed(from: displayed, in: timeline)
    if load.walk.reached >= last,
      let plan = timeline.match(run, at: .head, keepingStored: keepsStored), plan.end > last
    {
      return mergeAndGoOn(run, plan, for: load, in: timeline)
    }
    let stored = timeline.stored
    let known = load.scope == .all ? stored.count - 1 : stored.index(of: max(0, last))
    if run.items.count > known, load.walk.pagesSinceReached >= configuration.refreshPages {
      if keepsStored, let plan = timeline.match(run, at: .head) {
        return mergeAndGoOn(run, plan, for: load, in: timeline)
      }
      return .replace(run, load, [])
    }
    return readOn(load, at: next, in: timeline)
  }

  /// Applies the `replace` policy: a first page that differs from the head becomes the list.
  ///
  /// A page that does not differ is evidence like any other. The policy corresponds to the
  /// first-page cache deletion of the ancestors of this library.
  mutating func replaceList(
    by run: Run, _ page: Page<AnyItem, PageKey>, for load: Load, in timeline: Timeline,
    _ displayed: Int
  ) -> PageDecision {
    if run.items.isEmpty, let next = run.next {
      if load.walk.pages < Self.fruitlessLimit { return readOn(load, at: next, in: timeline) }
      fail(.refresh, .pagingLoop(key: next.shown), load.scope)
      return .finish(load)
    }
    if timeline.startsWith(run.items), run.next != nil || timeline.count == run.items.count,
      let plan = timeline.match(run, at: .head)
    {
      guard readsFurther(load, displayed, in: timeline) else {
        return merge(run, plan, for: load, then: .finish, in: timeline)
      }
      var load = load
      load.walk.keepsList = true
      return readFurther(page, run, for: load, in: timeline, displayed)
    }
    let others = queue.removeAll { $0.ticket.load != load.ticket.load }
    failures.removeAll()
    return .replace(
      run, load,
      others.flatMap { other -> [LoadAction] in
        [.cancel(other.ticket.load), .resume(other.demand.waiters.keys.sorted(), .idle)]
      })
  }
}
