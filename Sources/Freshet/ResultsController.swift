public import Foundation
public import FreshetLists

/// Live results as views see them: on the main actor, observable, one value at a time.
///
/// It does for any store what `NSFetchedResultsController` does for Core Data.
///
/// ```swift
/// let results = ResultsController(
///   store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
/// results.performFetch(.all)
/// print(results.sections[0].name)
/// print(try results.object(at: IndexPath(indexes: [0, 3])))  // section 0, row 3
/// ```
///
/// The main actor swaps values and tells observers; sorting and finding changes happens elsewhere,
/// and no call waits for that: what is called while the results are at work is done next, and shown
/// as soon as it is.
@MainActor
public final class ResultsController<Item: ListItem, Request: Sendable>: DisplayedList {
  /// The engine, for code that is not on the main actor, and to make other lists of.
  public let results: LiveResults<Item, Request>

  /// What is shown, and who read what of it.
  public let displayed: Displayed<ResultsUpdate<Item>>

  /// Told about changes and failures, besides those who observe.
  public weak var delegate: (any ResultsControllerDelegate<Item>)?

  private let observer: ListObserver<ResultsUpdate<Item>>
  /// What the results show, without what was moved by hand.
  private var base: ResultsValue<Item>
  private var dropped = DroppedRows<Item>()
  /// What lets go of a row that the results do not have where it was dropped, by drop.
  private var waits: [Int: HeldTask] = [:]
  private var isCatchingUp = false

  /// Creates the main-actor face of results that may have others.
  public init(_ results: LiveResults<Item, Request>) {
    self.results = results
    observer = ListObserver(results.publisher)
    base = observer.first
    displayed = Displayed(base)
    observer.callWhenNew { [weak self] in self?.catchUp() }
  }

  /// Creates results and their main-actor face.
  ///
  /// - Parameters:
  ///   - store: where the items are.
  ///   - arrangement: how they are laid out; `arrange(_:)` changes it.
  ///   - window: how long changes gather before they are shown as one.
  public convenience init(
    store: some DataStore<Item, Request>, arrangement: Arrangement<Item> = .all,
    window: Duration = .milliseconds(100)
  ) {
    self.init(LiveResults(store: store, arrangement: arrangement, window: window))
  }

  /// Creates results that are laid out as each request says.
  public convenience init(
    store: some DataStore<Item, Request>, window: Duration = .milliseconds(100),
    arrangement: @escaping @Sendable (Request) -> Arrangement<Item>
  ) {
    self.init(LiveResults(store: store, window: window, arrangement: arrangement))
  }

  // MARK: - What it shows

  /// How the last fetch stands, as `value` has it.
  public var state: ResultsState { displayed.state.state }

  /// All items, section after section.
  public var fetchedObjects: ListItems<Item> { displayed.rows.list.items }

  /// The sections, top to bottom.
  public var sections: ResultsSections<Item> {
    // Whether a section is complete depends on how the fetch stands.
    _ = displayed.state
    return ResultsSections(displayed.rows)
  }

  /// The index titles of the sections, each once.
  public var sectionIndexTitles: [String] {
    var titles: [String] = []
    for title in sections.lazy.map(\.indexTitle) where titles.last != title {
      if !titles.contains(title) { titles.append(title) }
    }
    return titles
  }

  /// The first section that an index title stands for.
  public func section(forIndexTitle title: String) -> Int? {
    sections.firstIndex { $0.indexTitle == title }
  }

  /// The item at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no item stands there.
  /// - Complexity: O(log *n*).
  public func object(at path: RowPath) throws(ListError) -> Item {
    try displayed.rows.list.item(at: path)
  }

  /// The item at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no item stands there.
  /// - Complexity: O(log *n*).
  public func object(at path: IndexPath) throws(ListError) -> Item { try object(at: RowPath(path)) }

  /// The item with an id, shown or left out by the arrangement.
  ///
  /// It is asked for in turn, after what was called before.
  public func item(withID id: Item.ID) async -> Item? { await results.item(withID: id) }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them.
  public var updates: ResultsUpdates<Item> { results.updates }

  // MARK: - Fetching

  /// Begins a fetch; one that is running is stopped.
  ///
  /// What is shown stays until the first results of another request are there, or all of the same
  /// one.
  public func performFetch(_ request: Request) {
    results.performFetch(request)
    catchUp()
  }

  /// Begins a fetch, and waits for its initial results, or until another one begins or it is
  /// stopped.
  ///
  /// Cancelling the task that waits stops the fetch, as long as its initial results are not there.
  ///
  /// - Returns: `loaded`, or `failed` with the reason; where it was stopped, how it stands.
  @discardableResult
  public func fetch(_ request: Request) async -> ResultsState {
    let outcome = await results.fetch(request)
    catchUp()
    return outcome
  }

  /// Lays the items out in another way, in one update with the fewest moves.
  ///
  /// Hundreds of items are sorted elsewhere, and shown in their new order a moment after it
  /// returns. Items that were moved by hand are held no longer.
  public func arrange(_ arrangement: Arrangement<Item>) {
    dropped.letGoOfAll()
    waits = [:]
    results.arrange(arrangement)
    catchUp()
  }

  /// Fetches again what was asked for last, and waits for its initial results.
  ///
  /// - Parameter scope: without a meaning for results, which are always all.
  /// - Returns: `idle`, or `failed` with the reason.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    defer { catchUp() }
    return await results.refresh(scope)
  }

  /// Fetches again where the last fetch failed, and waits for its initial results.
  ///
  /// - Returns: how the results stand afterwards, or now, where nothing failed.
  @discardableResult
  public func retry() async -> LoadState {
    defer { catchUp() }
    return await results.retry()
  }

  /// Stops the query; what is shown stays.
  public func stop() {
    results.stop()
    catchUp()
  }

  // MARK: - Moving by hand

  /// How long an item that was moved by hand is held for a store that took it, and does not say so.
  static var patience: Duration { .seconds(2) }

  /// Moves an item below another, as a reader drags it, and tells the store: to the head where
  /// `other` is `nil` or not shown.
  ///
  /// The item is on display there on return, and stays there until the results have it there
  /// themselves, because of what `commit` wrote: nothing jumps meanwhile, and other changes show as
  /// they come. Where `commit` throws, the item alone goes back. Where the results do not have it
  /// there two seconds after `commit` returned, it goes to where they have it; so it does at once
  /// where it or the one above it is deleted, and on `arrange(_:)`.
  ///
  /// It is a matter of this controller: `results`, their `updates` and lists made of them have the
  /// item where the store has it.
  ///
  /// ```swift
  /// let move = results.move(task.id, after: above?.id) {
  ///   try await tasks.write(updating: [task.placed(below: above)])
  /// }
  /// do { try await move.value } catch { print(error) }  // the item is back by then
  /// ```
  ///
  /// - Parameters:
  ///   - id: the item; moved again, it is held because of the later move alone.
  ///   - other: the item above it.
  ///   - commit: tells the store, in a later turn of the main actor; also where the controller goes
  ///     meanwhile.
  /// - Returns: the task that calls `commit`, and fails with what it threw. Cancelling it cancels
  ///   `commit`, whose outcome counts: the item goes back where it throws, and stays where it is
  ///   done all the same.
  public func move(
    _ id: Item.ID, after other: Item.ID?,
    commit: @escaping @MainActor () async throws -> Void
  ) -> Task<Void, any Error> {
    catchUp()
    let drop = dropped.drop(id, below: other, on: displayed.current)
    catchUp()
    return Task { [weak self] in
      do {
        try await commit()
      } catch {
        self?.letGo(drop)
        throw error
      }
      self?.confirm(drop)
    }
  }

  private func confirm(_ drop: Int) {
    dropped.confirm(drop)
    catchUp()
    guard dropped.holds(drop) else { return }
    waits[drop] = HeldTask(
      Task { [weak self, clock = results.clock] in
        guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
        self?.letGo(drop)
      })
  }

  private func letGo(_ drop: Int) {
    dropped.letGo(drop)
    waits[drop] = nil
    catchUp()
  }

  // MARK: - Following the engine

  private func catchUp() {
    // A delegate that asks for something while it is told goes on being told first.
    guard !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    let failed = displayed.current.state.failure != nil
    while let update = observer.next() { show(update.value, update.list) }
    show(observer.newest ?? base, nil)
    if let error = displayed.current.state.failure, !failed {
      delegate?.controller(self, didFail: error)
    }
  }

  /// Shows what the results show, but for items that were moved by hand.
  private func show(_ value: ResultsValue<Item>, _ step: ListUpdate<Item>?) {
    base = value
    let (shown, step) = dropped.show(value, step)
    if !waits.isEmpty { waits = waits.filter { dropped.holds($0.key) } }
    let update = step.map { ResultsUpdate(list: $0, value: shown) }
    // Steps that undid each other before they were taken leave a state, and nothing to tell.
    let told = update?.changes.isEmpty == false ? delegate : nil
    told?.controllerWillChangeContent(self)
    displayed.show(shown, by: update)
    if let told, let update { tell(told, update) }
  }

  private func tell(
    _ delegate: some ResultsControllerDelegate<Item>, _ update: ResultsUpdate<Item>
  ) {
    update.list.enumerateSectionChanges { change in delegate.controller(self, didChange: change) }
    update.list.enumerateRowChanges { change in delegate.controller(self, didChange: change) }
    delegate.controller(self, didChangeContent: update)
  }
}

/// A task that is cancelled when nobody holds it any more.
private final class HeldTask {
  private let task: Task<Void, Never>

  init(_ task: Task<Void, Never>) { self.task = task }

  deinit { task.cancel() }
}
