internal import FreshetLists
internal import struct Foundation.Date

// What answers do to the rows.
extension FeedMachine {
  mutating func merge(_ merge: PageMerge, at now: Date) -> Change {
    let (run, plan, load) = (merge.run, merge.plan, merge.load)
    guard !merge.isAbove else { return mergeAbove(merge, at: now) }
    let head: FeedEnd? = load.place != .head ? nil : load.isStart ? .open : .end
    if head == .end { noteAnswered(at: now) }
    planner.willMerge(merge)
    noteEdited(run, merged: plan.skipped..<(plan.skipped + plan.keeps.count))
    let unproven = timeline.unproven
    let made = order == nil ? [] : timeline.madeRows(in: plan.start..<plan.end)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      let edit = $0.timeline.merge(run, match: plan, head: head)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
    if let order, !(made.isEmpty && misplaced.isEmpty) {
      misplaced = (misplaced + made).filter {
        timeline.order(of: $0.id) == nil
          && !timeline.isCovered($0, by: run, at: load.place, in: order)
      }
    }
    if timeline.unproven != unproven { pending.isPlaceSaved = false }
    planner.didMerge(merge, change.edit, in: timeline)
    return change
  }

  /// Merges a page that leads up to a row.
  private mutating func mergeAbove(_ merge: PageMerge, at now: Date) -> Change {
    let (run, load) = (merge.run, merge.load)
    planner.willMerge(merge)
    noteEdited(run, merged: run.items.indices)
    // Who asks for the rows above wants to see them.
    let isShown = load.edge == .previous && presentation.waitingItems == 0
    let change = change(
      .page(load.asked.key), load.duplicates, showsTop: isShown, at: now
    ) { machine in
      var edit = machine.timeline.merge(run, match: merge.plan)
      guard case .above(let before, let previous) = merge.then else { return edit }
      if run.items.isEmpty { machine.timeline.mark(before, &edit) { $0.previous = previous } }
      if load.edge == .previous, previous == nil { machine.timeline.setEnds(.end, nil, &edit) }
      return edit
    }
    planner.didMerge(merge, change.edit, in: timeline)
    return change
  }

  /// Makes what was read the list.
  mutating func replaceList(by run: Run, for load: Load, at now: Date) -> Change {
    noteAnswered(at: now)
    planner.willReplace(by: load)
    noteEdited(run, merged: run.items.indices)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      let edit = $0.timeline.become(run)
      $0.requeueNews(removedBy: edit, for: load)
      return edit
    }
    planner.didReplace(by: run, of: load, in: timeline)
    return change
  }

  /// Ends a load, and with it tells what it changed: rows and state as one (rule R5).
  ///
  /// - Parameter saved: what stores the change, where that is not the change itself.
  mutating func finish(
    _ load: Load, _ change: Change? = nil, saved: [Effect]? = nil, at now: Date
  ) -> [Effect] {
    planner.end(load, in: timeline, isEdited: !presentation.overlay.edits.isEmpty)
    if load.edge == .previous || !load.edge.place.isKnown,
      let last = change?.edit.inserted.last?.row.item?.id
    {
      reached = last
    }
    let saved = saved ?? change.map { save($0, by: load) } ?? []
    let effects =
      publish(change) + saved + removeDeleted(load.walk.run, at: now)
      + settle(at: now) + placeMisplaced(at: now)
      + passFrontier(load.walk.since ?? load.asked.request, by: load.walk.run, at: now)
      + trim(at: now) + perform(planner.tell(load, contents.state))
    planner.conclude(load, in: timeline)
    return effects
  }

  /// The source answered for the head of the list.
  private mutating func noteAnswered(at now: Date) {
    (contents.refreshedAt, contents.isAnswered) = (now, true)
  }

  // MARK: - News and edits

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
          of: id, unknownTo: load.oldestRequest, isInsertion: order == nil && !isWhole)
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
  private mutating func noteEdited(_ run: Run, merged: Range<Int>) {
    let timeline = timeline
    presentation.overlay.edits.note(run, merged: merged) { timeline.order(of: $0) != nil }
  }
}
