internal import FreshetLists

// From what a load read to what is known.
extension LoadPlanner {
  /// Pages that are read again where a total contradicts them (rule T8).
  private static var doubtLimit: Int { 20 }

  func merge(
    _ run: Run, _ plan: MergePlan, for load: Load, then next: PageMerge.Next,
    in timeline: Timeline
  ) -> PageDecision {
    .merge(PageMerge(run: run, plan: plan, load: load, then: next, gaps: timeline.gaps.count))
  }

  /// Merges what was read before a load ended.
  func mergeSoFar(_ load: Load, in timeline: Timeline) -> PageDecision {
    guard let run = load.walk.run, let plan = timeline.match(run, at: load.place) else {
      return .finish(load)
    }
    return merge(run, plan, for: load, then: .finish, in: timeline)
  }

  /// Merges, and sees to it that a walk gets somewhere (rule T7).
  mutating func mergeAndGoOn(
    _ run: Run, _ plan: MergePlan, for load: Load, in timeline: Timeline
  ) -> PageDecision {
    if load.place == .head { usedKeys = [] }
    if let key = load.request.key { usedKeys.insert(key) }
    return merge(run, plan, for: load, then: .goOn, in: timeline)
  }

  /// What a load read is about to be merged.
  mutating func willMerge(_ merge: PageMerge) {
    lastMerged = max(lastMerged, merge.load.request.number)
    if merge.load.place == .head, !merge.isAbove { answered.headMerged() }
  }

  /// What a load read was merged.
  mutating func didMerge(_ merge: PageMerge, _ edit: TimelineEdit, in timeline: Timeline) {
    let load = merge.load
    guard case .above(_, let previous) = merge.then else {
      return noteUnread(behind: merge.run, at: load.edge, by: load, in: timeline)
    }
    if load.edge == .previous, !edit.hasNewItems, let previous {
      fail(.previous, .pagingLoop(key: previous.shown))
    }
  }

  /// What a load read is about to become the list.
  mutating func willReplace(by load: Load) {
    lastMerged = max(lastMerged, load.request.number)
    usedKeys = []
    answered.headMerged()
  }

  /// What a load read became the list.
  mutating func didReplace(by run: Run, of load: Load, in timeline: Timeline) {
    noteUnread(behind: run, at: .next, by: load, in: timeline)
  }

  /// What a load does whose page was merged: one that brought nothing new may ask for another.
  mutating func goOn(
    _ merge: PageMerge, after edit: TimelineEdit, in timeline: Timeline
  ) -> LoadContinuation {
    let run = merge.run
    var load = merge.load
    switch merge.then {
    case .finish: return .end(load)
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
      // They may be above all known rows, for which no load has asked (rule T3).
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
    // A walk down known rows gets somewhere; one that stays where it is does not.
    let reached = run.items.last.flatMap { timeline.index(of: $0.id) } ?? -1
    load.walk.readIDs = []
    load.walk.fruitlessPages = reached > load.walk.reached ? 1 : load.walk.fruitlessPages + 1
    load.walk.reached = max(load.walk.reached, reached)
    // What comes next continues a page that was just read.
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

  /// Whether a key was used before, and a row still says that its page follows there (rule T7).
  ///
  /// Where no row does, those that led there are gone, and the key may be right again.
  private func leadsBack(_ next: PageKey, from run: Run, in timeline: Timeline) -> Bool {
    continuity == .stable && usedKeys.contains(next)
      && timeline.marks.contains { $0.value.next == next && $0.key != run.items.last?.id }
  }

  // MARK: - Ends

  /// Ends a load.
  ///
  /// - Parameter isEdited: whether the list has edits of the user's that no answer has.
  mutating func end(_ load: Load, in timeline: Timeline, isEdited: Bool) {
    queue.remove(load.ticket)
    diagnostics.duplicatesDropped += load.duplicates
    diagnostics.duplicateIDs += load.collisions
    if failures[load.edge] == nil { checkTotal(load, in: timeline, isEdited: isEdited) }
  }

  /// A load ended, and its waiters were resumed: what other callers want next is noted.
  ///
  /// Why it failed is why the one behind it would: only the policy and the user ask again (rule
  /// R4).
  mutating func conclude(_ load: Load, in timeline: Timeline) {
    if failures[load.edge] == nil {
      followUp.join(load.followUp)
      if load.edge == .refresh { hasAskedHeadAgain = false }
    }
    if case .gap(let id) = load.edge, timeline.gaps[id] == nil { failures.forget(load.edge) }
  }

  /// Reads the whole list once more where all of it is there, and the head speaks of another number
  /// of rows (rule T8).
  ///
  /// Of a list that is too long for that, the diagnostics say so.
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

  /// Where the source speaks of more rows than it can be asked for, the edge behind the run fails
  /// (rule T8).
  ///
  /// Where another load of that edge is under way, its answer says so.
  private mutating func noteUnread(
    behind run: Run, at start: FeedEdge, by load: Load, in timeline: Timeline
  ) {
    guard let error = run.unread else { return }
    if let edge = edge(behind: run, in: timeline) {
      if let other = queue[edge], other.ticket != load.ticket { return }
      failures.note(error, at: edge)
    } else if run.items.isEmpty, state(of: start, in: timeline) != .end {
      // A run without rows ends where it began: asked for again, it would say the same for ever
      // (T7).
      failures.note(error, at: start)
    } else if load.edge == .refresh, !run.items.isEmpty {
      // Known rows follow, and nothing says whether they are there still.
      fail(.refresh, error, load.scope)
    }
  }

  /// An answer leads on again where none did.
  private mutating func forgetUnread(behind run: Run, in timeline: Timeline) {
    guard run.next != nil, let edge = edge(behind: run, in: timeline),
      case .unreadPages = failures[edge]
    else { return }
    failures.forget(edge)
  }

  /// The edge at which a run ends, unless a known row follows.
  private func edge(behind run: Run, in timeline: Timeline) -> FeedEdge? {
    if run.items.isEmpty, timeline.count > 0 { return nil }
    let last = run.items.last.map { timeline.index(of: $0.id) } ?? -1
    guard let last, last < timeline.count else { return nil }
    if last + 1 == timeline.count { return .next }
    return timeline.rows[last + 1].gap.map { .gap($0.id) }
  }
}
