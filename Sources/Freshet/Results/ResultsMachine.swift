internal import FreshetLists

/// The decisions of live results, as a pure value.
///
/// It decides which batch counts, which rows are removed when a fetch begins again, and how edits
/// are shown until the store has them.
struct ResultsMachine: Sendable {
  /// The items of the store, with edits applied.
  private(set) var list: SortedList<AnyItem>
  private var overlay = ResultsOverlay()
  private var constraints = MoveConstraints()
  /// The contents of the list, without rows that were dropped elsewhere.
  private var contents = ListContents.unfetched.value
  /// The contents on display.
  private(set) var shown = ListContents.unfetched
  /// The number of the running fetch; results of an earlier one have no effect (rule R2).
  private(set) var fetch = 0
  /// The items that the running fetch has found so far.
  ///
  /// It is `nil` if no item can be missing: the initial results are complete, or nothing was shown
  /// before.
  private var found: Set<RowID>?
  /// Whether the first results replace all rows on display.
  private var replaces = false
  /// Whether a query may still report changes.
  private var isRunning = false
  /// Whether this is a preview, which no fetch changes.
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

  /// Begins a fetch.
  ///
  /// - Parameter isSame: whether the request equals the previous one. If so, the rows on display
  ///   stay until the results are complete; otherwise until the first results arrive.
  mutating func begin(
    isSame: Bool, arrangement: Arrangement<AnyItem>?
  ) -> ListStep<AnyItem>? {
    if isFixed { return nil }
    fetch += 1
    status = FetchStatus(state: .loading)
    isRunning = true
    let isEmpty = list.count == 0 && overlay.storedIDs.isEmpty
    found = isEmpty ? nil : []
    // Rows of an earlier, different request are still replaced, even if this request is fetched
    // several times.
    replaces = !isEmpty && (!isSame || replaces)
    return arrangement.flatMap { list.arrange($0) }
  }

  /// Applies changes of the store.
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

  /// Ends a fetch whose query failed.
  mutating func end(_ error: any Error, of fetch: Int) {
    guard fetch == self.fetch, !isFixed else { return }
    end(in: .failed(error))
  }

  /// Ends a fetch whose query returned, and therefore reports no more changes.
  mutating func finish(_ fetch: Int) { if fetch == self.fetch { isRunning = false } }

  /// Stops the query: the rows on display stay, and its later changes have no effect (rule R2).
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

  /// Arranges the items in another way, and releases the rows that were dropped elsewhere.
  mutating func arrange(_ arrangement: Arrangement<AnyItem>) -> ListStep<AnyItem>? {
    constraints.releaseAll()
    return list.arrange(arrangement)
  }

  /// Shows the items and the state of a preview, which no fetch changes.
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

  /// Confirms an edit that the store took.
  ///
  /// If the store returned the item, that is shown until the store reports it.
  mutating func confirm(_ token: Int, as item: AnyItem?) -> ListStep<AnyItem>? {
    let shown = item.flatMap { list[$0.id] }
    return edit { overlay, constraints in
      let (changes, renamed) = overlay.confirm(token, as: item, over: shown)
      if let renamed, let item { constraints.rename(renamed, to: item.id) }
      return changes
    }
  }

  /// Undoes an edit that the store did not take.
  mutating func undo(_ token: Int) -> ListStep<AnyItem>? {
    edit { overlay, _ in overlay.undo(token) }
  }

  /// Ends an edit that the store took and did not report in time.
  ///
  /// If the store can report changes, its own item is shown. Otherwise the edit is kept.
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

  /// Holds a row at the place of its drop.
  mutating func drop(_ id: RowID, below other: RowID?, as drop: Int) {
    constraints.drop(id, below: other, as: drop, on: shown.value)
  }

  /// Records that the store took a dropped row, which is held until the results have it there.
  mutating func confirmDrop(_ drop: Int) { constraints.confirm(drop) }

  /// Releases a row, which is then shown where the results have it.
  mutating func release(_ drop: Int) { constraints.release(drop) }

  // MARK: - Publishing

  /// Updates the contents on display after an event, and returns the step to them.
  ///
  /// - Parameter step: the event's step of the list.
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
