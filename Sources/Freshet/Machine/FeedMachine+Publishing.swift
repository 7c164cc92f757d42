internal import FreshetLists
internal import struct Foundation.Date

// From a change of the rows to what is published and stored.
extension FeedMachine {
  /// A change that the planner and the contents know of.
  struct Step {
    let change: RowChange
    let list: ListStep<ListRow<AnyItem>>?
    var edit: TimelineEdit { change.edit }
  }

  /// The rows changed: the planner and the contents take that in.
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

  /// Publishes what changed, if anything did, and ends the loads that it left without an edge.
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
    // Waiters get the state of the edge as it is now.
    for load in closed {
      effects += perform([.cancel(load.ticket.load)] + planner.tell(load, contents.state))
    }
    return effects
  }

  /// How the edges stand: of the gaps, those are looked at to which something happened since this
  /// was last asked for.
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

  // MARK: - What is stored

  /// Stores what a load changed.
  mutating func save(_ step: Step, by load: Load) -> [Effect] {
    if load.edge == .refresh {
      let page = planner.storedPage(in: rows.timeline)
      if pending.postpone(step.edit, page: page, in: rows.timeline) { return [] }
    }
    return load.edge != .refresh && step.edit.isEmpty ? [] : save(step)
  }

  /// Stores a step.
  ///
  /// Nothing is stored over rows that were not read yet.
  mutating func save(_ step: Step) -> [Effect] {
    guard !isRestoring else {
      restoring?.holdsSave = true
      pending.isWhole = true
      return []
    }
    let state = storedState()
    return [.save(pending.commit(step.change, state, of: rows.timeline))]
  }

  /// What is stored beside the rows.
  mutating func storedState() -> CachedState {
    CachedState(
      head: rows.timeline.head, tail: rows.timeline.tail, refreshedAt: contents.refreshedAt,
      anchor: rows.storedAnchor ?? planner.storedAnchor(in: rows.timeline),
      unproven: rows.timeline.unprovenOnDisk, page: planner.storedPage(in: rows.timeline))
  }

  /// Stores the reader's place and when the list was refreshed, if nothing else did.
  mutating func savePlace(at now: Date) -> [Effect] {
    pending.isPlaceSaved ? [] : save(absorb(rows.change(.edit, at: now)))
  }

  /// What is wrong with it, in words; `nil` where nothing is.
  ///
  /// Debug builds look each time something is published.
  ///
  /// - Complexity: O(loads + failures).
  var brokenInvariant: String? {
    if contents.gaps.count != contents.state.gaps.count {
      return "\(contents.gaps.count) gaps are shown, \(contents.state.gaps.count) have a state"
    }
    return planner.brokenInvariant(in: rows.timeline) ?? rows.timeline.brokenInvariant
  }
}
