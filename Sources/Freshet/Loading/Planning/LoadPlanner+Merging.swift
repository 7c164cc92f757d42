internal import FreshetLists

// Merging the rows of loads into the timeline.
extension LoadPlanner {
  /// The largest number of pages that are read again if a total contradicts them (rule T8).
  private static var doubtLimit: Int { 20 }

  func merge(
    _ run: Run, _ plan: MergePlan, for load: Load, then next: PageMerge.Next,
    in timeline: Timeline
  ) -> PageDecision {
    .merge(PageMerge(run: run, plan: plan, load: load, then: next, gaps: timeline.gaps.count))
  }

  /// Merges the rows that were read before a load ended.
  func mergeSoFar(_ load: Load, in timeline: Timeline) -> PageDecision {
    let isReread = load.edge.isReread
    guard let run = load.walk.run,
      let plan = timeline.match(run, at: load.place, overlapping: isReread),
      !(isReread && plan.isApart)
    else { return .finish(load) }
    return merge(run, plan, for: load, then: .finish, in: timeline)
  }

  /// Merges a run, and lets its load continue as long as it makes progress (rule T7).
  mutating func mergeAndGoOn(
    _ run: Run, _ plan: MergePlan, for load: Load, in timeline: Timeline
  ) -> PageDecision {
    if load.place == .head { usedKeys = [] }
    if let key = load.request.key { usedKeys.insert(key) }
    return merge(run, plan, for: load, then: .goOn, in: timeline)
  }

  /// Records that the rows of a load are about to be merged.
  mutating func willMerge(_ merge: PageMerge) {
    lastMerged = max(lastMerged, merge.load.request.number)
    if merge.load.place == .head, !merge.isAbove { answered.headMerged() }
  }

  /// Records that the rows of a load were merged.
  mutating func didMerge(_ merge: PageMerge, _ edit: TimelineEdit, in timeline: Timeline) {
    let load = merge.load
    if let jump = load.jump {
      if jump.edge == .next { queue.update(.next) { $0.isPassed = true } }
      unloaded.noteLoaded(load, jump, edit, in: timeline)
    } else {
      let isBeside = load.edge != .refresh && !load.edge.isReread && !merge.plan.isApart
      if isBeside, shiftedAfter.map({ load.request.number >= $0 }) == true { shiftedAfter = nil }
      unloaded.noteLoaded(load, edit, in: timeline)
      if load.place == .head, timeline.gaps.isEmpty,
        merge.run.items.count == timeline.count
      {
        unloaded.noteReadAgain(since: load.oldestRequest)
      }
    }
    notePosition(of: load, in: timeline)
    guard case .above(_, let previous) = merge.then else {
      return noteUnread(behind: merge.run, at: load.edge, by: load, in: timeline)
    }
    if load.edge == .previous, !edit.hasNewItems, let previous {
      fail(.previous, .pagingLoop(key: previous.shown))
    }
  }

  /// Records that the rows of a load are about to replace the list.
  mutating func willReplace(by load: Load) {
    lastMerged = max(lastMerged, load.request.number)
    usedKeys = []
    answered.headMerged()
  }

  /// Records how many rows are above the page that was merged, if its answer says so.
  private mutating func notePosition(of load: Load, in timeline: Timeline) {
    guard let (id, rowsAbove) = load.request.position else { return }
    unloaded.note(
      rowsAbove, id, of: load.request.number, continuesLast: load.edge == .next, in: timeline)
  }

  /// Records that the rows of a load replaced the list.
  mutating func didReplace(by run: Run, of load: Load, in timeline: Timeline) {
    unloaded.noteReplaced(since: load.oldestRequest)
    notePosition(of: load, in: timeline)
    noteUnread(behind: run, at: .next, by: load, in: timeline)
  }

  /// Continues a load whose page was merged; if nothing was new, it may request another page.
  mutating func goOn(
    _ merge: PageMerge, after edit: TimelineEdit, in timeline: Timeline
  ) -> LoadContinuation {
    let run = merge.run
    var load = merge.load
    switch merge.then {
    case .finish, .apart: return .end(load)
    case .above:
      load.walk.run = run
      return .end(load)
    case .goOn: break
    }
    if merge.plan.skipped > 0 { load.walk.sawRowsAbove = true }
    let isGone = { (row: ListRow<AnyItem>) in
      row.item.map { timeline.index(of: $0.id) == nil } ?? false
    }
    if load.walk.sawRowsAbove, edit.removed.contains(where: { isGone($0.row) }) {
      // These rows may now be above all known rows, which no load has requested (rule T3).
      followUp.join(nil, for: .refresh, .head)
    }
    forgetUnread(behind: run, in: timeline)
    guard let next = run.next else { return .end(load) }
    if next == load.request.key || load.edge == .next && leadsBack(next, from: run, in: timeline) {
      fail(load.edge, .pagingLoop(key: next.shown))
      return .end(load)
    }
    let isFruitless = !edit.hasNewItems && timeline.gaps.count >= merge.gaps
    guard isFruitless, !load.edge.place.isKnown || timeline.count == 0 else {
      return .end(load)
    }
    // A walk down known rows makes progress; one that stays in its place does not.
    let reached = run.items.last.flatMap { timeline.index(of: $0.id) } ?? -1
    load.walk.readIDs = []
    load.walk.fruitlessPages = reached > load.walk.reached ? 1 : load.walk.fruitlessPages + 1
    load.walk.reached = max(load.walk.reached, reached)
    // The next page continues a page that was just read.
    load.walk.stepsBack = min(load.walk.stepsBack, 1)
    load.walk.run = nil
    load.place = load.edge.place
    if !load.isStart { load.target = .below(run.items.last?.id ?? load.after, isAimed: false) }
    if load.walk.fruitlessPages == Self.fruitlessLimit {
      fail(load.edge, .pagingLoop(key: next.shown))
      return .end(load)
    }
    return .ask(ask(load, for: next, in: timeline))
  }

  /// Whether a key was used before, and another row still has it as its next page (rule T7).
  ///
  /// If there is no such row, the rows that led there are gone, and the key may be right again.
  private func leadsBack(_ next: PageKey, from run: Run, in timeline: Timeline) -> Bool {
    continuity == .stable && usedKeys.contains(next)
      && timeline.marks.contains { $0.value.next == next && $0.key != run.items.last?.id }
  }

  // MARK: - Ends

  /// Ends a load.
  ///
  /// - Parameter isEdited: whether the list has edits by the user that no answer includes.
  mutating func end(_ load: Load, in timeline: Timeline, isEdited: Bool) {
    queue.remove(load.ticket)
    diagnostics.duplicatesDropped += load.duplicates
    diagnostics.duplicateIDs += load.collisions
    if failures[load.edge.shown] == nil { checkTotal(load, in: timeline, isEdited: isEdited) }
  }

  /// Records that other callers want a load after one that ended, whose waiters were resumed.
  ///
  /// If the load failed, the next one would fail for the same reason. Then only the retry policy
  /// and the user cause another request (rule R4).
  mutating func conclude(_ load: Load, in timeline: Timeline) {
    if failures[load.edge.shown] == nil {
      followUp.join(load.followUp)
      if load.edge == .refresh { hasAskedHeadAgain = false }
    } else if load.readsWindows, load.followUp.isUnattended {
      // The source changed after the request, perhaps for the better.
      followUp.join(nil, for: .refresh, .head)
    }
    if case .gap(let id) = load.edge, timeline.gaps[id] == nil { failures.forget(load.edge) }
  }

  /// Requests the whole list again if it is complete, but its total contradicts it (rule T8).
  ///
  /// If the list is too long for that, the diagnostics report the total instead.
  private mutating func checkTotal(_ load: Load, in timeline: Timeline, isEdited: Bool) {
    guard load.edge == .refresh else { return }
    diagnostics.unexplainedTotal = nil
    guard timeline.head == .end, timeline.tail == .end, timeline.gaps.isEmpty, !isEdited else {
      return
    }
    let difference = load.walk.total.map { $0 - timeline.count }
    if load.scope == .all || load.walk.run?.isEnd == true { return totals.settle(difference) }
    guard let difference, totals.isUnexplained(difference) else { return }
    if timeline.count <= Self.doubtLimit * max(1, load.walk.firstRows) {
      totals.begin(for: difference)
      followUp.join(nil, for: .refresh, .all)
    } else if difference != 0 {
      diagnostics.unexplainedTotal = load.walk.total
    }
  }

  /// Fails the edge after a run if the source has more rows than can be requested (rule T8).
  ///
  /// If another load of that edge is under way, its answer decides.
  private mutating func noteUnread(
    behind run: Run, at start: FeedEdge, by load: Load, in timeline: Timeline
  ) {
    guard let error = run.unread else { return }
    if let edge = edge(behind: run, in: timeline) {
      if let other = queue[edge], other.ticket != load.ticket { return }
      failures.note(error, at: edge)
    } else if run.items.isEmpty, state(of: start, in: timeline) != .end {
      // A run without rows ends at its start. A repeated request would get the same answer forever
      // (rule T7).
      failures.note(error, at: start)
    } else if load.edge == .refresh, !run.items.isEmpty {
      // Known rows follow, and nothing proves whether they still exist.
      fail(.refresh, error, load.scope)
    }
  }

  /// Forgets the failure of an edge if an answer has a next page there again.
  private mutating func forgetUnread(behind run: Run, in timeline: Timeline) {
    guard run.next != nil, let edge = edge(behind: run, in: timeline),
      case .unreadPages = failures[edge]
    else { return }
    failures.forget(edge)
  }

  /// Returns the edge at which a run ends, unless a known row follows.
  private func edge(behind run: Run, in timeline: Timeline) -> FeedEdge? {
    if run.items.isEmpty, timeline.count > 0 { return nil }
    let last = run.items.last.map { timeline.index(of: $0.id) } ?? -1
    guard let last, last < timeline.count else { return nil }
    if last + 1 == timeline.count { return .next }
    return timeline.rows[last + 1].gap.map { .gap($0.id) }
  }
}
