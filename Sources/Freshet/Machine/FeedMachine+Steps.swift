internal import FreshetLists

internal import struct Foundation.Date

// From a change of the timeline to what is shown, stored and told.
extension FeedMachine {
  /// What a step did, before anybody is told.
  struct Change {
    var edit: TimelineEdit
    /// What became of the timeline's rows, by index.
    var rows: RowEdits
    /// How the rows counted on disk before.
    var stored: DiskIndexMap
    var list: ListStep<ListRow<AnyItem>>?
    var duplicates: Int
  }

  /// Changes the timeline or the edits over it, and with them what is shown.
  mutating func change(
    _ cause: RowTrace.Cause, _ duplicates: Int = 0, showsTop: Bool = false, at now: Date,
    by change: (inout Self) -> TimelineEdit = { _ in TimelineEdit() }
  ) -> Change {
    let (before, list, stored) = (timeline.content, presentation.snapshot, timeline.stored)
    timeline.trace = Shared(RowTrace(cause: cause, date: now))
    var edit = change(&self)
    timeline.followEvicted(&edit)
    let (changes, rows) = presentation.apply(
      edit, from: before, to: timeline, showsTop: showsTop || cause == .edit)
    planner.follow(edit, rows, because: cause, in: timeline)
    return Change(
      edit: edit, rows: rows, stored: stored, list: show(changes, since: list, because: cause),
      duplicates: duplicates)
  }

  /// Shows what the presentation show now.
  mutating func show(
    _ changes: ListChanges, since before: ListSnapshot<ListRow<AnyItem>>,
    because cause: RowTrace.Cause
  ) -> ListStep<ListRow<AnyItem>>? {
    contents.anchor = presentation.readerKey
    (contents.rows, contents.gaps) = (presentation.rows.refs, presentation.gaps)
    contents.list = presentation.snapshot.refs
    guard !changes.isEmpty else { return nil }
    contents.origin =
      switch cause {
      case .page, .event: .network
      case .edit: .edit
      case .cache: .cache
      }
    contents.step += 1
    contents.places.apply(changes, from: before, to: presentation.snapshot)
    return ListStep(
      before: before, after: presentation.snapshot, changes: changes, origin: contents.origin)
  }

  /// Stores what a load changed.
  ///
  /// That nothing changed is stored with the next step: an unchanged refresh writes nothing (rule
  /// P4). So is the key at the end of the page at the head: it is stored with the page, and may be
  /// missing among the rows, where the pages that are stored together have none.
  mutating func save(_ change: Change, by load: Load) -> [Effect] {
    guard load.edge == .refresh, !change.edit.isVisible, !change.edit.changesEnds else {
      return change.edit.isEmpty ? [] : save(change)
    }
    let page = planner.storedPage(in: timeline)
    let keyed = change.edit.keyed.map(timeline.content.index(of:))
    let isStored = keyed.allSatisfy { $0 + 1 == page?.rows }
    if pending.isWhole || page != pending.page || !isStored { return save(change) }
    pending.keyed += keyed.compactMap { timeline.rows[$0].item?.id }
    pending.isPlaceSaved = false
    return []
  }

  /// Stores a step.
  ///
  /// Nothing is stored over rows that nobody has read yet.
  mutating func save(_ change: Change) -> [Effect] {
    guard !isRestoring else {
      restoring?.holdsSave = true
      pending.isWhole = true
      return []
    }
    defer {
      pending.isWhole = false
      pending.isPlaceSaved = true
    }
    let (rows, before, after) = (change.rows, change.stored, timeline.stored)
    let keyed = change.edit.keyed.map(timeline.content.index(of:))
    return commit(
      deleted: rows.deleted.flatMap(before.range(of:)),
      inserted: rows.inserted.flatMap(after.range(of:)),
      updated: (rows.updated + keyed).sorted().map(after.index(of:)))
  }

  /// Stores what changed, by indices on disk.
  mutating func commit(
    deleted: [Int], inserted: [Int] = [], updated: [Int] = []
  ) -> [Effect] {
    let stored = timeline.stored
    pending.page = planner.storedPage(in: timeline)
    let keyed = pending.keyed.compactMap(timeline.index(of:)).map(stored.index(of:))
    pending.keyed = []
    let updated =
      keyed.isEmpty ? updated : Set(updated + keyed).subtracting(inserted).sorted()
    return [
      .save(
        FeedCommit(
          rows: timeline.rows, stored: stored, deleted: deleted, inserted: inserted,
          updated: updated, isWhole: pending.isWhole,
          marks: { [marks = timeline.marks] in marks[$0] },
          state: CachedState(
            head: timeline.head, tail: timeline.tail, refreshedAt: contents.refreshedAt,
            anchor: storedAnchor, unproven: timeline.unprovenOnDisk, page: pending.page)))
    ]
  }

  /// Publishes what changed, if anything did, and ends the loads that it left without an edge.
  mutating func publish(_ change: Change? = nil) -> [Effect] {
    publish(change?.list, duplicates: change?.duplicates ?? 0)
  }

  /// Publishes an update of what is shown, if there is one, and the state.
  mutating func publish(_ list: ListStep<ListRow<AnyItem>>?, duplicates: Int = 0) -> [Effect] {
    let closed = planner.endClosed(in: timeline)
    let state = currentState()
    let pending = presentation.overlay.edits.undecided
    if planner.diagnostics != contents.diagnostics { contents.diagnostics = planner.diagnostics }
    let isNew = list != nil || state != contents.state || pending != contents.pendingEdits
    if isNew { (contents.pendingEdits, contents.state) = (pending, state) }
    assert(brokenInvariant == nil, brokenInvariant ?? "")
    var effects: [Effect] = []
    if let list {
      let step = StepContents(
        step: list.refs, contents: share(), duplicatesDropped: duplicates)
      effects.append(.publish(step))
    } else if isNew {
      effects.append(.publish(nil))
    }
    // Who waited hears how the edge stands now.
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
    state.refresh = planner.state(of: .refresh, in: timeline)
    state.next = planner.state(of: .next, in: timeline)
    state.previous = planner.state(of: .previous, in: timeline)
    state.newItems = presentation.waitingItems
    state.isPaused = planner.isPaused
    state.retrying = planner.retriedFailure
    var changed = presentation.takeChangedGaps()
    let others = planner.takeChangedGaps()
    if !others.isEmpty { changed.formUnion(others) }
    WorkCount.note(changed.count)
    for id in changed {
      let isShown = presentation.shows(gap: id, of: timeline)
      let new = isShown ? planner.state(of: .gap(id), in: timeline) : nil
      if state.gaps[id] != new { state.gaps[id] = new }
    }
    return state
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
    return planner.brokenInvariant(in: timeline) ?? timeline.brokenInvariant
  }
}

extension ListState {
  /// How one edge stands; a gap that closed is at its end.
  subscript(edge: FeedEdge) -> LoadState {
    switch edge {
    case .refresh: refresh
    case .previous: previous
    case .next: next
    case .gap(let id): gaps[id] ?? .end
    case .page: .idle
    }
  }
}
