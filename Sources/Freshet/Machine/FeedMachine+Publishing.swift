internal import FreshetLists
internal import struct Foundation.Date

// Publishing and storing the changes of the rows.
extension FeedMachine {
  /// A change that the planner and the contents have taken in.
  struct Step {
    let change: RowChange
    let list: ListStep<ListRow<AnyItem>>?
    var edit: TimelineEdit { change.edit }
  }

  /// Updates the planner and the contents after a change of the rows.
  mutating func absorb(_ change: RowChange) -> Step {
    planner.follow(change.edit, change.rows, because: change.cause, in: rows.timeline)
    contents.anchor = rows.presentation.readerKey
    contents.rows = rows.presentation.rows.refs
    contents.gaps = rows.presentation.gaps
    let after = rows.presentation.snapshot
    contents.list = after.refs
    guard !change.changes.isEmpty else { return Step(change: change, list: nil) }
    contents.origin =
      switch change.cause {
      case .page, .event: .network
      case .edit: .edit
      case .cache: .cache
      }
    contents.step += 1
    contents.places.apply(change.changes, from: change.shown, to: after)
    return Step(
      change: change,
      list: ListStep(
        before: change.shown, after: after, changes: change.changes,
        origin: contents.origin))
  }

  /// Publishes the changes, if there are any, and ends the loads whose edges no longer exist.
  mutating func publish(_ step: Step? = nil) -> [Effect] {
    let closed = planner.endClosed(in: rows.timeline)
    let state = currentState()
    let pendingEdits = rows.presentation.overlay.edits.undecided
    if planner.diagnostics != contents.diagnostics { contents.diagnostics = planner.diagnostics }
    let isNew =
      step?.list != nil || state != contents.state || pendingEdits != contents.pendingEdits
    if isNew { (contents.pendingEdits, contents.state) = (pendingEdits, state) }
    assert(brokenInvariant == nil, brokenInvariant ?? "")
    var effects: [Effect] = []
    if let list = step?.list {
      let duplicates = step?.change.duplicates ?? 0
      let contents = StepContents(
        step: list.refs, contents: share(), duplicatesDropped: duplicates)
      effects.append(.publish(contents))
    } else if isNew {
      effects.append(.publish(nil))
    }
    // Waiters receive the present state of the edge.
    for load in closed {
      effects += perform([.cancel(load.ticket.load)] + planner.tell(load, contents.state))
    }
    return effects
  }

  /// Returns the present load states of the edges.
  ///
  /// Of the gaps, it looks only at those that changed since the last call.
  private mutating func currentState() -> ListState {
    if let state = planner.fixedState { return state }
    var state = contents.state
    state.refresh = planner.state(of: .refresh, in: rows.timeline)
    state.next = planner.state(of: .next, in: rows.timeline)
    state.previous = planner.state(of: .previous, in: rows.timeline)
    state.newItems = rows.presentation.waitingItems
    state.isPaused = planner.isPaused
    state.retrying = planner.retriedFailure
    var changed = rows.takeChangedGaps()
    let others = planner.takeChangedGaps()
    if !others.isEmpty { changed.formUnion(others) }
    WorkCount.note(changed.count)
    for id in changed {
      let isShown = rows.presentation.shows(gap: id, of: rows.timeline)
      let new = isShown ? planner.state(of: .gap(id), in: rows.timeline) : nil
      if state.gaps[id] != new { state.gaps[id] = new }
    }
    return state
  }

  // MARK: - Storing

  /// Stores the changes of a load.
  mutating func save(_ step: Step, by load: Load) -> [Effect] {
    if load.edge == .refresh {
      let page = planner.storedPage(in: rows.timeline)
      if pending.postpone(step.edit, page: page, in: rows.timeline) { return [] }
    }
    return load.edge != .refresh && step.edit.isEmpty ? [] : save(step)
  }

  /// Stores a step.
  ///
  /// While rows on disk are still unread, nothing is stored over them.
  mutating func save(_ step: Step) -> [Effect] {
    guard !isRestoring else {
      restoring?.holdsSave = true
      pending.isWhole = true
      return []
    }
    let state = storedState()
    return [.save(pending.commit(step.change, state, of: rows.timeline))]
  }

  /// Returns the state to store beside the rows.
  mutating func storedState() -> CachedState {
    CachedState(
      head: rows.timeline.head, tail: rows.timeline.tail, refreshedAt: contents.refreshedAt,
      anchor: rows.storedAnchor ?? planner.storedAnchor(in: rows.timeline),
      unproven: rows.timeline.unprovenOnDisk, page: planner.storedPage(in: rows.timeline))
  }

  /// Stores the reader's place and the time of the last refresh, if no step has stored them.
  mutating func savePlace(at now: Date) -> [Effect] {
    pending.isPlaceSaved ? [] : save(absorb(rows.change(.edit, at: now)))
  }

  /// A description of the first broken invariant; `nil` if all of them hold.
  ///
  /// Debug builds check it at each publication.
  ///
  /// - Complexity: O(loads + failures).
  var brokenInvariant: String? {
    if contents.gaps.count != contents.state.gaps.count {
      return "\(contents.gaps.count) gaps are shown, \(contents.state.gaps.count) have a state"
    }
    return planner.brokenInvariant(in: rows.timeline) ?? rows.timeline.brokenInvariant
  }
}
