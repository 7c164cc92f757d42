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
    answered.rowsChanged(rows, because: cause)
    forgetFailures(of: edit)
    return Change(
      edit: edit, rows: rows, stored: stored, list: show(changes, since: list, because: cause),
      duplicates: duplicates)
  }

  /// Forgets why edges could not be loaded that are there no more: a gap that comes to stand for
  /// rows on disk is another one.
  private mutating func forgetFailures(of edit: TimelineEdit) {
    if timeline.head == .end { failures[.previous] = nil }
    if timeline.tail == .end { failures[.next] = nil }
    for (_, row) in edit.removed {
      if let gap = row.gap, timeline.gaps[gap.id] == nil { failures[.gap(gap.id)] = nil }
    }
    for (_, _, row) in edit.updated { if let gap = row.gap { failures[.gap(gap.id)] = nil } }
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
  private mutating func save(_ change: Change, by load: Load) -> [Effect] {
    guard load.edge == .refresh, !change.edit.isVisible, !change.edit.changesEnds else {
      return change.edit.isEmpty ? [] : save(change)
    }
    let page = answered.stored(in: timeline)
    let keyed = change.edit.keyed.map(timeline.content.index(of:))
    let isStored = keyed.allSatisfy { $0 + 1 == page?.rows }
    if storing.isWhole || page != storing.page || !isStored { return save(change) }
    storing.keyed += keyed.compactMap { timeline.rows[$0].item?.id }
    storing.isPlaceSaved = false
    return []
  }

  /// Stores a step.
  ///
  /// Nothing is stored over rows that nobody has read yet.
  mutating func save(_ change: Change) -> [Effect] {
    guard !isRestoring else {
      restoring?.holdsSave = true
      storing.isWhole = true
      return []
    }
    defer {
      storing.isWhole = false
      storing.isPlaceSaved = true
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
    storing.page = answered.stored(in: timeline)
    let keyed = storing.keyed.compactMap(timeline.index(of:)).map(stored.index(of:))
    storing.keyed = []
    let updated =
      keyed.isEmpty ? updated : Set(updated + keyed).subtracting(inserted).sorted()
    return [
      .save(
        FeedCommit(
          rows: timeline.rows, stored: stored, deleted: deleted, inserted: inserted,
          updated: updated, isWhole: storing.isWhole,
          marks: { [marks = timeline.marks] in marks[$0] },
          state: CachedState(
            head: timeline.head, tail: timeline.tail, refreshedAt: contents.refreshedAt,
            anchor: storedAnchor, unproven: timeline.unprovenOnDisk, page: storing.page)))
    ]
  }

  /// Ends a load, and with it tells what it changed: rows and state as one (rule R5).
  ///
  /// - Parameter saved: what stores the change, where that is not the change itself.
  mutating func finish(
    _ load: Load, _ change: Change? = nil, saved: [Effect]? = nil, at now: Date
  ) -> [Effect] {
    loads.removeAll { $0.ticket == load.ticket }
    if load.edge == .previous || !load.edge.place.isKnown,
      let last = change?.edit.inserted.last?.row.item?.id
    {
      reader.reached = last
    }
    contents.diagnostics.duplicatesDropped += load.duplicates
    contents.diagnostics.duplicateIDs += load.collisions
    let saved = saved ?? change.map { save($0, by: load) } ?? []
    let isDoubted = failures[load.edge] == nil && doubts(load)
    let shown = publish(change) + saved + removeDeleted(load.walk.run, at: now)
    let effects =
      shown + settle(at: now) + placeMisplaced(at: now)
      + passFrontier(load.walk.since ?? load.asked.request, by: load.walk.run, at: now)
      + trim(at: now) + tell(load)
    // Why it failed is why the one behind it would: only the policy and the user ask again (rule
    // R4).
    if failures[load.edge] == nil {
      traffic.followUp.join(load.followUp)
      if load.edge == .refresh { traffic.hasAskedHeadAgain = false }
      if isDoubted { traffic.followUp.join(nil, for: .refresh, .all) }
    }
    if case .gap(let id) = load.edge, timeline.gaps[id] == nil { failures[load.edge] = nil }
    return effects
  }

  /// Whether to read the whole list once more: all of it is there, and the head speaks of another
  /// number of rows (rule T8).
  ///
  /// Of a list that is too long for that, the diagnostics say so.
  private mutating func doubts(_ load: Load) -> Bool {
    guard load.edge == .refresh else { return false }
    contents.diagnostics.unexplainedTotal = nil
    guard timeline.head == .end, timeline.tail == .end, timeline.gaps.isEmpty,
      presentation.overlay.edits.isEmpty
    else { return false }
    let difference = load.walk.total.map { $0 - timeline.count }
    if load.scope == .all || load.walk.run?.isEnd == true {
      traffic.doubts.settle(difference)
      return false
    }
    guard let difference, traffic.doubts.isUnexplained(difference) else { return false }
    if timeline.count <= Self.doubtLimit * max(1, load.walk.firstRows) {
      traffic.doubts.begin(for: difference)
      return true
    }
    if difference != 0 { contents.diagnostics.unexplainedTotal = load.walk.total }
    return false
  }

  /// Tells those who wait for a load how their edges stand.
  func tell(_ load: Load) -> [Effect] {
    let failure = failures[load.edge].map(LoadState.failed)
    var waiters = load.demand.waiters
    if failure != nil { waiters.merge(load.followUp.waiters) { first, _ in first } }
    return waiters.sorted { $0.key < $1.key }.map { waiter, edge in
      .resume([waiter], failure ?? contents.state[edge])
    }
  }

  /// Publishes what changed, if anything did, and ends the loads that it left without an edge.
  mutating func publish(_ change: Change? = nil) -> [Effect] {
    publish(change?.list, duplicates: change?.duplicates ?? 0)
  }

  /// Publishes an update of what is shown, if there is one, and the state.
  mutating func publish(_ list: ListStep<ListRow<AnyItem>>?, duplicates: Int = 0) -> [Effect] {
    let closed = loads.isEmpty ? [] : loads.filter { !isOpen($0.edge) }
    if !closed.isEmpty { loads.removeAll { load in closed.contains { $0.ticket == load.ticket } } }
    let state = currentState()
    let pending = presentation.overlay.edits.undecided
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
    for load in closed { effects += [.cancel(load.ticket.load)] + tell(load) }
    return effects
  }

  /// Whether there may be anything to load at an edge.
  private func isOpen(_ edge: FeedEdge) -> Bool {
    switch edge {
    case .refresh, .page: true
    case .previous: timeline.head != .end
    case .next: timeline.tail != .end
    case .gap(let id): timeline.gaps[id] != nil
    }
  }

  /// Why an edge is asked for again by itself: of the head, where several are.
  private var retriedFailure: FeedError? {
    if loads.isEmpty { return nil }
    let retried = loads.filter { load in
      if case .page = load.edge { false } else { load.attempts.failure != nil }
    }
    return (retried.first { $0.edge == .refresh } ?? retried.first)?.attempts.failure
  }

  /// How the edges stand: of the gaps, those are looked at to which something happened since this
  /// was last asked for.
  mutating func currentState() -> ListState {
    if let state = setup.fixedState { return state }
    var state = contents.state
    state.refresh = self.state(of: .refresh)
    state.next = self.state(of: .next)
    state.previous = self.state(of: .previous)
    state.newItems = presentation.waitingItems
    state.isPaused = traffic.isPaused
    state.retrying = retriedFailure
    var loading: Set<Gap.ID> = []
    for load in loads { if case .gap(let id) = load.edge { loading.insert(id) } }
    if let restoring {
      for ask in restoring.deferred { if case .gap(let id) = ask.edge { loading.insert(id) } }
    }
    // Where there are no gaps, as is usual, no set is made.
    var changed = presentation.takeChangedGaps()
    for others in [traffic.loadingGaps, loading, failures.takeChanged()] where !others.isEmpty {
      changed.formUnion(others)
    }
    traffic.loadingGaps = loading
    WorkCount.note(changed.count)
    for id in changed {
      let new = presentation.shows(gap: id, of: timeline) ? self.state(of: .gap(id)) : nil
      if state.gaps[id] != new { state.gaps[id] = new }
    }
    return state
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
