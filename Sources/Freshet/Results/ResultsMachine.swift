internal import FreshetLists

/// What live results decide, as a pure value: which batch counts, what is removed when a fetch
/// begins again, and how edits are shown until the store has them.
struct ResultsMachine: Sendable {
  /// The items of the store, with edits over them.
  private(set) var list: SortedList<AnyItem>
  private var overlay = ResultsOverlay()
  private var constraints = MoveConstraints()
  /// What the list shows, without rows that were dropped elsewhere.
  private var contents = ListContents.unfetched.value
  /// What is on display.
  private(set) var shown = ListContents.unfetched
  /// Which fetch is running: what belongs to an earlier one has no effect (rule R2).
  private(set) var fetch = 0
  /// The items that the running fetch found so far; `nil` where none can be missing: its initial
  /// results are there, or nothing was shown before.
  private var found: Set<RowID>?
  /// Whether the first results take the place of all that is shown.
  private var replaces = false
  /// Whether a query may still report changes.
  private var isRunning = false
  /// Whether it is a preview: nothing that is fetched changes it.
  private(set) var isFixed = false

  /// The state of the last fetch.
  var state: FetchState { status.state }
  /// The status of the last fetch.
  private var status: FetchStatus {
    get { contents.fetch ?? FetchStatus() }
    set { contents.setFetch(newValue) }
  }

  init(arrangement: Arrangement<AnyItem>) { list = SortedList(arrangement: arrangement) }

  // MARK: - Fetching

  /// A fetch begins.
  ///
  /// - Parameter isSame: whether it asks for the same as the one before: then what is shown stays
  ///   until it is complete, else until its first results.
  mutating func begin(
    isSame: Bool, arrangement: Arrangement<AnyItem>?
  ) -> ListStep<AnyItem>? {
    if isFixed { return nil }
    fetch += 1
    status = FetchStatus(state: .loading)
    isRunning = true
    let isEmpty = list.count == 0 && overlay.storedIDs.isEmpty
    found = isEmpty ? nil : []
    // What was shown before this query and the one like it before goes, however often it is asked
    // for.
    replaces = !isEmpty && (!isSame || replaces)
    return arrangement.flatMap { list.arrange($0) }
  }

  /// Changes arrived.
  mutating func receive(
    upserting upserted: [AnyItem], removing removed: [RowID], _ status: QueryStatus, of fetch: Int
  ) -> ListStep<AnyItem>? {
    guard fetch == self.fetch, !isFixed else { return nil }
    self.status = FetchStatus(
      state: status.isComplete ? .loaded : state, progress: status.progress,
      interruption: status.interruption, invalidItems: status.invalidItems,
      invalidItem: status.invalidItem)
    var removed = removed
    found?.formUnion(upserted.lazy.map(\.id))
    let isEmpty = upserted.isEmpty && removed.isEmpty
    if let found, status.isComplete || replaces && !isEmpty {
      removed += list.ids.lazy.filter { !found.contains($0) }
      removed += overlay.storedIDs.lazy.filter { !found.contains($0) }
      self.found = nil
      replaces = false
    }
    let changes = overlay.receive(upserted, removed)
    return list.change(upserting: changes.upserted, removing: changes.removed)
  }

  /// The query failed.
  mutating func end(_ error: any Error, of fetch: Int) {
    guard fetch == self.fetch, !isFixed else { return }
    end(in: .failed(error))
  }

  /// The query returned: it reports no more changes.
  mutating func finish(_ fetch: Int) { if fetch == self.fetch { isRunning = false } }

  /// The query is stopped: what is shown stays, and what it says from now on has no effect (rule
  /// R2).
  mutating func stop() {
    fetch += 1
    end(in: !state.isLoading ? state : list.count == 0 ? .initial : .loaded)
  }

  private mutating func end(in state: FetchState) {
    var status = status
    (status.state, status.progress, status.interruption) = (state, nil, nil)
    self.status = status
    (found, isRunning) = (nil, false)
  }

  /// The items are laid out in another way, and rows that were dropped elsewhere held no longer.
  mutating func arrange(_ arrangement: Arrangement<AnyItem>) -> ListStep<AnyItem>? {
    constraints.releaseAll()
    return list.arrange(arrangement)
  }

  /// Shows items that no store sent, in a state that nothing led to and nothing fetched changes.
  mutating func show(_ items: [AnyItem], in state: FetchState) -> ListStep<AnyItem>? {
    isFixed = true
    status.state = state
    return list.change(upserting: items)
  }

  // MARK: - Edits

  /// Shows an edit that the store has not taken yet.
  mutating func begin(
    _ change: PendingEdits.Change, of id: RowID, token: Int
  ) -> ListStep<AnyItem>? {
    let item = list[id]
    return edit { overlay, _ in overlay.begin(change, of: id, token: token, over: item) }
  }

  /// The store took an edit, and may return the item: it is shown until the store reports it.
  mutating func confirm(_ token: Int, as item: AnyItem?) -> ListStep<AnyItem>? {
    let shown = item.flatMap { list[$0.id] }
    return edit { overlay, constraints in
      let (changes, renamed) = overlay.confirm(token, as: item, over: shown)
      if let renamed, let item { constraints.rename(renamed, to: item.id) }
      return changes
    }
  }

  /// The store did not take an edit.
  mutating func undo(_ token: Int) -> ListStep<AnyItem>? {
    edit { overlay, _ in overlay.undo(token) }
  }

  /// Ends an edit that the store took and did not report in time: if it can report, it knows
  /// better.
  mutating func settle(_ token: Int) -> ListStep<AnyItem>? {
    let mayReport = isRunning && status.interruption == nil
    return edit { overlay, _ in mayReport ? overlay.undo(token) : overlay.settle(token) }
  }

  private mutating func edit(
    _ body: (inout ResultsOverlay, inout MoveConstraints) -> ResultsOverlay.Changes
  ) -> ListStep<AnyItem>? {
    let changes = body(&overlay, &constraints)
    return list.change(
      upserting: changes.upserted, removing: changes.removed, origin: .edit)
  }

  // MARK: - Rows that are dropped elsewhere

  /// Holds a row where it was dropped.
  mutating func drop(_ id: RowID, below other: RowID?, as drop: Int) {
    constraints.drop(id, below: other, as: drop, on: shown.value)
  }

  /// The store took a row that was dropped: it is held until the results have it there.
  mutating func confirmDrop(_ drop: Int) { constraints.confirm(drop) }

  /// Releases a row: it is shown where the results have it.
  mutating func release(_ drop: Int) { constraints.release(drop) }

  // MARK: - Publishing

  /// What is on display after an event, and the step there from what was.
  ///
  /// - Parameter step: what the event did to the list.
  mutating func publish(_ step: ListStep<AnyItem>?) -> StepContents? {
    contents.isCut = list.isCut
    contents.places = list.index
    contents.pendingEdits = overlay.pending
    if let step { contents.list = step.after.refs }
    let (value, shownStep) = constraints.show(contents, step)
    if let shownStep {
      contents.step += 1
      contents.origin = shownStep.origin
    }
    var next = value
    (next.step, next.origin) = (contents.step, contents.origin)
    shown = Shared(next)
    return shownStep.map { StepContents(step: $0.refs, contents: shown) }
  }
}
