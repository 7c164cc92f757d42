internal import FreshetLists
internal import struct Foundation.Date

/// The contents of a feed that observers receive.
///
/// It follows each change of the rows, and compares the load states whenever they may have changed.
struct FeedContents: Sendable {
  private(set) var contents = ListContents() { didSet { shared = nil } }
  /// The contents as they were shared, until they change.
  private var shared: Shared<ListContents>?

  /// The contents, to be copied as one reference.
  mutating func share() -> Shared<ListContents> {
    let shared = shared ?? Shared(contents)
    self.shared = shared
    return shared
  }

  /// Notes when the source answered for the head of the list.
  mutating func noteAnswer(at date: Date) {
    (contents.refreshedAt, contents.isAnswered) = (date, true)
  }

  /// Notes when the head of the rows was refreshed, in this process or before.
  mutating func noteRefresh(at date: Date) { contents.refreshedAt = date }

  /// Notes the item at which the reader is.
  mutating func noteAnchor(of rows: FeedRows) { contents.anchor = rows.presentation.readerKey }

  /// Notes the irregularities that the planner encountered.
  mutating func noteDiagnostics(of planner: LoadPlanner) {
    if planner.diagnostics != contents.diagnostics { contents.diagnostics = planner.diagnostics }
  }

  /// Applies a change of the rows.
  ///
  /// - Returns: the step from the rows that were shown before; `nil` if they are the same.
  mutating func apply(_ change: RowChange, of rows: FeedRows) -> ListStep<ListRow<AnyItem>>? {
    noteAnchor(of: rows)
    contents.rows = rows.presentation.rows.refs
    contents.gaps = rows.presentation.gaps
    let after = rows.presentation.snapshot
    contents.list = after.refs
    guard !change.changes.isEmpty else { return nil }
    contents.origin =
      switch change.cause {
      case .page, .event: .network
      case .edit: .edit
      case .cache: .cache
      }
    contents.step += 1
    contents.places.apply(change.changes, from: change.shown, to: after)
    return ListStep(
      before: change.shown, after: after, changes: change.changes, origin: contents.origin)
  }

  /// Takes in the states of the loads and edits.
  ///
  /// - Returns: whether they differ from those before.
  mutating func updateStates(_ planner: inout LoadPlanner, _ rows: inout FeedRows) -> Bool {
    let state = state(&planner, &rows)
    let pendingEdits = rows.presentation.overlay.edits.undecided
    noteDiagnostics(of: planner)
    guard state != contents.state || pendingEdits != contents.pendingEdits else { return false }
    (contents.pendingEdits, contents.state) = (pendingEdits, state)
    return true
  }

  /// Returns the present load states of the edges.
  ///
  /// Of the gaps, it looks only at those that changed since the last call.
  private func state(_ planner: inout LoadPlanner, _ rows: inout FeedRows) -> ListState {
    if let state = planner.fixedState { return state }
    var state = contents.state
    state.refresh = planner.state(of: .refresh, in: rows.timeline)
    state.next = planner.state(of: .next, in: rows.timeline)
    state.previous = planner.state(of: .previous, in: rows.timeline)
    state.newItems = rows.presentation.waitingItems
    state.isPaused = planner.isPaused
    state.retrying = planner.retriedFailure
    state.total = planner.total.total(in: rows.timeline)
    // Gaps may be held back with new rows.
    let isWhole = rows.presentation.gaps.count == rows.timeline.gaps.count
    planner.unloaded.compare(with: state.total, in: rows.timeline)
    state.rowsAbove = planner.unloaded.shownAbove(in: rows.timeline).flatMap {
      isWhole ? $0.adding(state.newItems) : nil
    }
    state.rowsBelow = planner.unloaded.shownBelow(of: state.total, in: rows.timeline)
    var changed = rows.takeChangedGaps()
    for others in [planner.takeChangedGaps(), planner.unloaded.takeChangedGaps()]
    where !others.isEmpty { changed.formUnion(others) }
    WorkCount.note(changed.count)
    for id in changed {
      let isShown = rows.presentation.shows(gap: id, of: rows.timeline)
      let new = isShown ? planner.state(of: .gap(id), in: rows.timeline) : nil
      if state.gaps[id] != new { state.gaps[id] = new }
      let size = isShown ? planner.unloaded.shownSize(of: id, in: rows.timeline) : nil
      if state.gapSizes[id] != size { state.gapSizes[id] = size }
    }
    return state
  }
}
