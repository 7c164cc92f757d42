internal import FreshetLists
internal import struct Foundation.Date

// From what a load read to what is known.
extension FeedMachine {
  mutating func merge(
    _ run: Run, _ match: MergePlan, for load: Load, at now: Date
  ) -> Change {
    let head: FeedEnd? = load.place != .head ? nil : load.isStart ? .open : .end
    if head == .end { noteAnswered(at: now) }
    traffic.lastMerged = max(traffic.lastMerged, load.asked.request)
    if load.place == .head { answered.headMerged() }
    noteEdited(run, merged: match.skipped..<(match.skipped + match.keeps.count))
    let unproven = timeline.unproven
    let made = setup.order == nil ? [] : timeline.madeRows(in: match.start..<match.end)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      let edit = $0.timeline.merge(run, match: match, head: head)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
    if let order = setup.order, !(made.isEmpty && misplaced.isEmpty) {
      misplaced = (misplaced + made).filter {
        timeline.order(of: $0.id) == nil
          && !timeline.isCovered($0, by: run, at: load.place, in: order)
      }
    }
    if timeline.unproven != unproven { storing.isPlaceSaved = false }
    noteUnread(behind: run, at: load.edge, by: load)
    return change
  }

  mutating func become(_ run: Run, for load: Load, at now: Date) -> Change {
    noteAnswered(at: now)
    traffic.lastMerged = max(traffic.lastMerged, load.asked.request)
    traffic.usedKeys = []
    answered.headMerged()
    noteEdited(run, merged: run.items.indices)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      let edit = $0.timeline.become(run)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
    noteUnread(behind: run, at: .next, by: load)
    return change
  }

  /// Queues the news of removed rows again, if the source sent them after it was asked (rule R2).
  ///
  /// A row that may be further down comes with its page, unless it was inserted since. One that a
  /// later page of the run would have shown may come again: the next refresh removes it.
  private mutating func requeueNews(removedBy edit: TimelineEdit, for load: Load) {
    if presentation.overlay.edits.isEmpty { return }
    let isWhole = timeline.tail == .end && timeline.gaps.isEmpty
    for (_, row) in edit.removed {
      guard let id = row.item?.id, timeline.order(of: id) == nil,
        let news = presentation.overlay.edits.removeNews(
          of: id, unknownTo: load.oldestRequest, isInsertion: setup.order == nil && !isWhole)
      else { continue }
      unplacedNews[id] = news
    }
  }

  /// Takes out the rows of an answer that the source deleted after it was asked.
  ///
  /// They would be stored, and the app may end before an answer knows of that (rule R6).
  ///
  /// - Complexity: O(1) if nothing is being edited, else O(*m*) for *m* items.
  mutating func removeDeleted(_ run: Run?, at now: Date) -> [Effect] {
    let edits = presentation.overlay.edits
    guard let run, !edits.isEmpty else { return [] }
    var effects: [Effect] = []
    for (item, request) in zip(run.items, run.requests)
    where edits.isDeleted(item.id, after: request)
      && edits.appearance(of: item.id, over: item).item == nil
      && timeline.order(of: item.id) != nil
    {
      effects += edit(removing: item.id, at: now)
    }
    return effects
  }

  /// Notes what an answer says of edited items, before the timeline takes it in.
  mutating func noteEdited(_ run: Run, merged: Range<Int>) {
    let timeline = timeline
    presentation.overlay.edits.note(run, merged: merged) { timeline.order(of: $0) != nil }
  }

  /// The source answered for the head of the list.
  mutating func noteAnswered(at now: Date) {
    (contents.refreshedAt, contents.isAnswered) = (now, true)
  }

  mutating func mergeSoFar(_ load: Load, at now: Date) -> [Effect] {
    guard let run = load.walk.run, let match = timeline.match(run, at: load.place) else {
      return finish(load, at: now)
    }
    let change = merge(run, match, for: load, at: now)
    return finish(load, change, at: now)
  }

  /// Merges, and sees to it that a walk gets somewhere (rule T7).
  mutating func mergeAndGoOn(
    _ run: Run, _ match: MergePlan, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    if load.place == .head { traffic.usedKeys = [] }
    if let key = load.asked.key { traffic.usedKeys.insert(key) }
    let gaps = timeline.gaps.count
    let change = merge(run, match, for: load, at: now)
    if match.skipped > 0 { load.walk.sawRowsAbove = true }
    if load.walk.sawRowsAbove, change.edit.removed.contains(where: { isGone($0.row) }) {
      // They may be above all known rows, for which no load has asked (rule T3).
      traffic.followUp.join(nil, for: .refresh, .head)
    }
    forgetUnread(behind: run)
    guard let next = run.next else { return finish(load, change, at: now) }
    if next == load.asked.key || load.edge == .next && leadsBack(next, from: run) {
      fail(load.edge, .pagingLoop(key: next.shown))
      return finish(load, change, at: now)
    }
    let isFruitless = !change.edit.hasNewItems && timeline.gaps.count >= gaps
    guard isFruitless, !load.edge.place.isKnown || timeline.count == 0 else {
      return finish(load, change, at: now)
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
      return finish(load, change, at: now)
    }
    return ask(load, for: next) + publish(change) + save(change) + removeDeleted(run, at: now)
  }

  /// Whether a row that was removed is nowhere else.
  private func isGone(_ row: ListRow<AnyItem>) -> Bool {
    row.item.map { timeline.index(of: $0.id) == nil } ?? false
  }

  /// Whether a key was used before, and a row still says that its page follows there (rule T7).
  ///
  /// Where no row does, those that led there are gone, and the key may be right again.
  private func leadsBack(_ next: PageKey, from run: Run) -> Bool {
    continuity == .stable && traffic.usedKeys.contains(next)
      && timeline.marks.contains { $0.value.next == next && $0.key != run.items.last?.id }
  }

  /// Where the source speaks of more rows than it can be asked for, the edge behind the run fails
  /// (rule T8).
  ///
  /// Where another load of that edge is under way, its answer says so.
  private mutating func noteUnread(behind run: Run, at start: FeedEdge, by load: Load) {
    guard let error = run.unread?.masked else { return }
    if let edge = edge(behind: run) {
      if loads.contains(where: { $0.edge == edge && $0.ticket != load.ticket }) { return }
      failures[edge] = error
    } else if run.items.isEmpty, state(of: start) != .end {
      // A run without rows ends where it began: asked for again, it would say the same for ever
      // (T7).
      failures[start] = error
    } else if load.edge == .refresh, !run.items.isEmpty {
      // Known rows follow, and nothing says whether they are there still.
      fail(.refresh, error, load.scope)
    }
  }

  /// An answer leads on again where none did.
  mutating func forgetUnread(behind run: Run) {
    guard run.next != nil, let edge = edge(behind: run), case .unreadPages = failures[edge] else {
      return
    }
    failures[edge] = nil
  }

  /// The edge at which a run ends, unless a known row follows.
  private func edge(behind run: Run) -> FeedEdge? {
    if run.items.isEmpty, timeline.count > 0 { return nil }
    let last = run.items.last.map { timeline.index(of: $0.id) } ?? -1
    guard let last, last < timeline.count else { return nil }
    if last + 1 == timeline.count { return .next }
    return timeline.rows[last + 1].gap.map { .gap($0.id) }
  }
}
