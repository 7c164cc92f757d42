internal import FreshetLists
internal import struct Foundation.Date

// From a change of the timeline to what is shown, stored and told.
extension FeedMachine {
  /// What a step did, before anybody is told.
  struct Change {
    var edit: TimelineEdit<Item>
    var step: FeedStep
    /// How the rows counted on disk before.
    var stored: StoredRows<Item>
    var list: ListUpdate<FeedRow<Item>>?
    var duplicates: Int
  }

  mutating func merge(
    _ run: Run<Item>, _ match: RunMatch, for load: Load, at now: Date
  ) -> Change {
    let head: FeedEnd? = load.place != .refresh ? nil : load.isStart ? .open : .end
    if head == .end { value.refreshedAt = now }
    traffic.lastMerged = max(traffic.lastMerged, load.asked.request)
    if load.place == .refresh { answered.headMerged() }
    stages.overlay.edits.note(run)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      $0.timeline.merge(run, match: match, head: head)
    }
    noteUnread(behind: run, at: load.edge)
    return change
  }

  mutating func become(_ run: Run<Item>, for load: Load, at now: Date) -> Change {
    value.refreshedAt = now
    traffic.lastMerged = max(traffic.lastMerged, load.asked.request)
    traffic.usedKeys = []
    answered.headMerged()
    stages.overlay.edits.note(run)
    let change = change(.page(load.asked.key), load.duplicates, at: now) {
      $0.timeline.become(run)
    }
    noteUnread(behind: run, at: .next)
    return change
  }

  /// Where the source speaks of more rows than it can be asked for, the edge behind the run fails (rule
  /// T8).
  private mutating func noteUnread(behind run: Run<Item>, at place: FeedEdge) {
    guard let error = run.unread?.masked else { return }
    if let edge = edge(behind: run) {
      failures[edge] = error
    } else if run.items.isEmpty, state(of: place) != .end {
      // A run without rows ends where it began: asked for again, it would say the same for ever (T7).
      failures[place] = error
    }
  }

  /// An answer leads on again where none did.
  mutating func forgetUnread(behind run: Run<Item>) {
    guard run.next != nil, let edge = edge(behind: run), case .unreadPages = failures[edge] else {
      return
    }
    failures[edge] = nil
  }

  /// The edge at which a run ends, unless a known row follows.
  private func edge(behind run: Run<Item>) -> FeedEdge? {
    if run.items.isEmpty, timeline.count > 0 { return nil }
    let last = run.items.last.map { timeline.index(of: $0.id) } ?? -1
    guard let last, last < timeline.count else { return nil }
    if last + 1 == timeline.count { return .next }
    return timeline.rows[last + 1].gap.map { .gap($0.id) }
  }

  /// Changes the timeline or the edits over it, and with them what is shown.
  mutating func change(
    _ cause: RowTrace.Cause, _ duplicates: Int = 0, showsTop: Bool = false, at now: Date,
    by change: (inout Self) -> TimelineEdit<Item> = { _ in TimelineEdit() }
  ) -> Change {
    let (before, list, stored) = (timeline.content, stages.snapshot, window.stored(timeline))
    timeline.trace = Shared(RowTrace(cause: cause, date: now))
    var edit = change(&self)
    window.follow(&edit, &timeline)
    let (changes, step) = stages.apply(
      edit, from: before, to: timeline, showsTop: showsTop || cause == .edit)
    answered.rowsChanged(step, because: cause)
    forgetFailures(of: edit)
    return Change(
      edit: edit, step: step, stored: stored, list: show(changes, since: list, because: cause),
      duplicates: duplicates)
  }

  /// Forgets why edges could not be loaded that are there no more.
  private mutating func forgetFailures(of edit: TimelineEdit<Item>) {
    if timeline.head == .end { failures[.previous] = nil }
    if timeline.tail == .end { failures[.next] = nil }
    for (_, row) in edit.removed {
      if let gap = row.gap, timeline.gaps[gap.id] == nil { failures[.gap(gap.id)] = nil }
    }
  }

  /// Shows what the stages show now.
  mutating func show(
    _ changes: ListChanges, since before: ListSnapshot<FeedRow<Item>>, because cause: RowTrace.Cause
  ) -> ListUpdate<FeedRow<Item>>? {
    value.anchor = stages.reader
    (value.rows, value.items, value.list) = (stages.rows, stages.items, stages.snapshot)
    guard !changes.isEmpty else { return nil }
    value.origin =
      switch cause {
      case .page, .event: .network
      case .edit: .edit
      case .cache: .cache
      }
    value.step += 1
    return ListUpdate(
      before: before, after: stages.snapshot, changes: changes, origin: value.origin)
  }

  /// Stores what a load changed.
  ///
  /// That nothing changed is stored with the next step: an unchanged refresh writes nothing (rule P4). So
  /// is the key at the end of the page at the head: it is stored with the page, and may be missing among
  /// the rows, where the pages that are stored together have none.
  private mutating func save(_ change: Change, by load: Load) -> [Effect] {
    guard load.edge == .refresh, !change.edit.isVisible, !change.edit.changesEnds else {
      return change.edit.isEmpty ? [] : save(change)
    }
    let page = answered.stored(in: timeline)
    let isStored = change.step.keyed.allSatisfy { $0 + 1 == page?.rows }
    if storing.isWhole || page != storing.page || !isStored { return save(change) }
    storing.keyed += change.step.keyed.compactMap { timeline.rows[$0].item?.id }
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
    let (edits, before, after) = (change.step.edits, change.stored, window.stored(timeline))
    return commit(
      deleted: edits.deleted.flatMap(before.range(of:)),
      inserted: edits.inserted.flatMap(after.range(of:)),
      updated: (edits.updated + change.step.keyed).sorted().map(after.index(of:)))
  }

  /// Stores what changed, by indices on disk.
  mutating func commit(
    deleted: [Int], inserted: [Int] = [], updated: [Int] = []
  ) -> [Effect] {
    let stored = window.stored(timeline)
    storing.page = answered.stored(in: timeline)
    let keyed = storing.keyed.compactMap(timeline.index(of:)).map(stored.index(of:))
    storing.keyed = []
    let updated =
      keyed.isEmpty ? updated : Set(updated + keyed).subtracting(inserted).sorted()
    return [
      .save(
        FeedCommit(
          rows: timeline.rows, unloaded: stored.gaps, deleted: deleted, inserted: inserted,
          updated: updated, isWhole: storing.isWhole, marks: timeline.marks,
          state: CachedState(
            head: timeline.head, tail: timeline.tail, refreshedAt: value.refreshedAt,
            anchor: storedAnchor, page: storing.page)))
    ]
  }

  /// Ends a load, and with it tells what it changed: rows and state as one (rule R5).
  mutating func finish(_ load: Load, _ change: Change? = nil, at now: Date) -> [Effect] {
    loads.removeAll { $0.ticket == load.ticket }
    if !load.edge.isKnown, let last = change?.edit.inserted.last?.row.item?.id {
      reader.reached = last
    }
    value.diagnostics.duplicatesDropped += load.duplicates
    let saved = change.map { save($0, by: load) } ?? []
    let published = publish(change)
    let effects =
      published + saved + settle(at: now)
      + passFrontier(load.walk.since ?? load.asked.request, at: now) + trim(at: now) + tell(load)
    if case .gap(let id) = load.edge, timeline.gaps[id] == nil { failures[load.edge] = nil }
    return effects
  }

  /// Tells those who wait for a load how their edges stand.
  func tell(_ load: Load) -> [Effect] {
    load.waiters.sorted { $0.key < $1.key }.map { waiter, edge in
      let failure = failures[load.edge].map(LoadState.failed)
      return .resume([waiter], failure ?? value.state[edge])
    }
  }

  /// Publishes what changed, if anything did, and ends the loads that it left without an edge.
  mutating func publish(_ change: Change? = nil) -> [Effect] {
    publish(change?.list, duplicates: change?.duplicates ?? 0)
  }

  /// Publishes an update of what is shown, if there is one, and the state.
  mutating func publish(_ list: ListUpdate<FeedRow<Item>>?, duplicates: Int = 0) -> [Effect] {
    let closed = loads.filter { !isOpen($0.edge) }
    loads.removeAll { load in closed.contains { $0.ticket == load.ticket } }
    let state = currentState()
    let pending = stages.overlay.edits.undecided
    let isNew = list != nil || state != value.state || pending != value.pendingEdits
    value.pendingEdits = pending
    value.state = state
    let update = list.map { [value] list in
      FeedUpdate(list: list, value: value, duplicatesDropped: duplicates)
    }
    // Who waited hears how the edge stands now.
    let ended = closed.flatMap { [.cancel($0.ticket.load)] + tell($0) }
    return (isNew ? [.publish(update)] : []) + ended
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

  /// How the edges stand: of the gaps, those are looked at to which something happened since this was
  /// last asked for.
  mutating func currentState() -> FeedState {
    var state = value.state
    state.refresh = self.state(of: .refresh)
    state.next = self.state(of: .next)
    state.previous = self.state(of: .previous)
    state.newItems = stages.waitingItems
    state.isPaused = traffic.isPaused
    let asked = loads.map(\.edge) + (restoring?.deferred.map(\.edge) ?? [])
    let loading = Set(asked.compactMap { if case .gap(let id) = $0 { id } else { nil } })
    let changed = traffic.loadingGaps.union(loading).union(failures.takeChanged())
      .union(stages.takeChangedGaps())
    traffic.loadingGaps = loading
    WorkCount.note(changed.count)
    for id in changed {
      let new = stages.shows(gap: id, of: timeline) ? self.state(of: .gap(id)) : nil
      if state.gaps[id] != new { state.gaps[id] = new }
    }
    return state
  }
}

extension FeedState {
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
