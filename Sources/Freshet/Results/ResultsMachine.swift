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
  /// The number of the running fetch among the requests of all lists of its identity map.
  private(set) var requestNumber = 0
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
  /// The items that changed since the identity map followed them; `nil` if there is no map.
  private var changed: Set<RowID>?

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
  /// - Parameters:
  ///   - isSame: whether the request equals the previous one. If so, the rows on display stay until
  ///     the results are complete; otherwise until the first results arrive.
  ///   - requestNumber: the number of the fetch among the requests of the identity map.
  mutating func begin(
    isSame: Bool, arrangement: Arrangement<AnyItem>?, requestNumber: Int = 0
  ) -> ListStep<AnyItem>? {
    if isFixed { return nil }
    fetch += 1
    self.requestNumber = requestNumber
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
    guard receives(from: fetch) else { return nil }
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
    return change(overlay.receive(upserted, removed))
  }

  /// Returns whether the results of a fetch count; those of an earlier one do not (rule R2).
  func receives(from fetch: Int) -> Bool { fetch == self.fetch && !isFixed }

  /// Changes the list, and notes the items that an identity map has to know of.
  private mutating func change(
    _ changes: ResultsOverlay.Changes, origin: ListOrigin = .network
  ) -> ListStep<AnyItem>? {
    changed?.formUnion(changes.upserted.lazy.map(\.id))
    changed?.formUnion(changes.removed)
    return list.change(upserting: changes.upserted, removing: changes.removed, origin: origin)
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

  /// Shows an edit before the store has it.
  mutating func begin(_ edit: OptimisticEdit, token: Int) -> ListStep<AnyItem>? {
    switch edit {
    case .update(let id, let change): return begin(.update(change), of: id, token: token)
    case .insert(let item, _): return begin(.put(item), of: item.id, token: token)
    case .delete(let id): return begin(.delete, of: id, token: token)
    case .move(let id, let other):
      drop(id, below: other, as: token)
      return nil
    }
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
  /// If the store can report changes, its own item is shown. Otherwise the edit is kept, also if
  /// other lists of the identity map show it.
  mutating func settle(_ token: Int) -> ListStep<AnyItem>? {
    let mayReport = isRunning && status.interruption == nil && changed == nil
    return edit { overlay, _ in mayReport ? overlay.undo(token) : overlay.settle(token) }
  }

  private mutating func edit(
    _ body: (inout ResultsOverlay, inout MoveConstraints) -> ResultsOverlay.Changes
  ) -> ListStep<AnyItem>? {
    change(body(&overlay, &constraints), origin: .edit)
  }

  // MARK: - Shared items

  /// Notes from now on which items change, for an identity map.
  mutating func share() { changed = [] }

  /// Returns the items that changed since the last call.
  mutating func takeChanged() -> Set<RowID> {
    defer { if changed != nil { changed = [] } }
    return changed ?? []
  }

  /// Returns an item as the store, or another list, reported it last.
  func reported(_ id: RowID) -> AnyItem? { overlay.reported(id, as: list[id]) }

  /// Returns what the results hold of an item that changed; `nil` if that is the same as before.
  func holding(of id: RowID) -> SharedItems.Holding? {
    if let item = reported(id) { return .shown(item) }
    return overlay.isEdited(id) ? nil : .nothing(id)
  }

  /// The items that the results hold, shown or not.
  var heldIDs: [RowID] { Array(Set(list.ids).union(overlay.storedIDs)) }

  /// Takes in what happened in other lists of the identity map.
  mutating func take(_ news: SharedNews) -> [ListStep<AnyItem>] {
    var steps = news.notices.map { take($0) }
    // The versions that include edits of this list, which it still shows, are not newer.
    let items = news.items.map(\.item).filter { item in
      reported(item.id).map { $0 != item } ?? false
        && overlay.known(item.id, as: list[item.id]) != item
    }
    if !items.isEmpty { steps.append(change(overlay.receive(items, [], includesTaken: true))) }
    return steps.compactMap(\.self)
  }

  private mutating func take(_ notice: SharedNews.Notice) -> ListStep<AnyItem>? {
    switch notice {
    case .begin(let edit, let token):
      overlay.edit(token) == nil ? begin(edit, token: token) : nil
    case .confirm(let token, let item):
      if let id = deletedID(by: token) {
        confirmDeletion(token, of: id)
      } else {
        confirm(token, as: item)
      }
    case .undo(let token): undo(token)
    case .delete(let id, _): change(overlay.receive([], [id], includesTaken: true))
    }
  }

  /// Confirms an edit, and returns what the store has made of its item.
  mutating func confirmShared(
    _ token: Int, as item: AnyItem?
  ) -> (step: ListStep<AnyItem>?, outcome: ConfirmedEdit) {
    guard let (id, edit) = overlay.edit(token) else {
      return (nil, item.map { .item($0) } ?? .unknown)
    }
    if edit.change.isDeletion { return (confirmDeletion(token, of: id), .deletion(id)) }
    let known = item ?? edit.change.applied(to: overlay.known(id, as: list[id]))
    return (confirm(token, as: known), known.map { .item($0) } ?? .unknown)
  }

  /// Confirms a deletion: the item is gone from all lists, whatever this store still has.
  private mutating func confirmDeletion(_ token: Int, of id: RowID) -> ListStep<AnyItem>? {
    let step = confirm(token, as: nil)
    return change(overlay.receive([], [id], includesTaken: true), origin: .edit) ?? step
  }

  /// Returns the item that an edit deletes; `nil` if the edit does something else.
  private func deletedID(by token: Int) -> RowID? {
    overlay.edit(token).flatMap { $0.edit.change.isDeletion ? $0.id : nil }
  }

  /// Returns whether an item is among the rows on display.
  func displays(_ id: RowID) -> Bool { shown.value.path(of: id) != nil }

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
