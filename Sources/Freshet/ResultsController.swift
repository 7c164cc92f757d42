public import Foundation
public import FreshetLists
public import Observation

/// Live results as views see them: on the main actor, observable, one value at a time.
///
/// It does for any store what `NSFetchedResultsController` does for Core Data.
///
/// ```swift
/// let results = ResultsController(
///   store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
/// results.performFetch(.all)
/// results.sections[0].name
/// try results.object(at: IndexPath(row: 3, section: 0))
/// ```
///
/// The main actor swaps values and tells observers; sorting and finding changes happens elsewhere, and
/// no call waits for that: what is called while the results are at work is done next, and shown as soon
/// as it is.
@MainActor @Observable
public final class ResultsController<Item: ListItem, Request: Sendable> {
  /// The engine, for code that is not on the main actor, and to make other lists of.
  @ObservationIgnored public let results: LiveResults<Item, Request>

  /// All that is shown now.
  public private(set) var value: ResultsValue<Item>

  /// Told about changes and failures, besides those who observe.
  @ObservationIgnored public weak var delegate: (any ResultsControllerDelegate<Item>)?

  @ObservationIgnored private let following: Following<ResultsUpdate<Item>>
  @ObservationIgnored private var isCatchingUp = false

  /// Creates the main-actor face of results that may have others.
  public init(_ results: LiveResults<Item, Request>) {
    self.results = results
    following = Following(results.shown)
    value = following.first
    following.callWhenNew { [weak self] in self?.catchUp() }
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

  /// How the fetch stands.
  public var state: ResultsState { value.state }

  /// All items, section after section.
  public var fetchedObjects: ListItems<Item> { value.list.items }

  /// The sections, top to bottom.
  public var sections: ResultsSections<Item> { ResultsSections(value) }

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
  public func object(at path: RowPath) throws(ListError) -> Item { try value.list.item(at: path) }

  /// The item at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no item stands there.
  /// - Complexity: O(log *n*).
  public func object(at path: IndexPath) throws(ListError) -> Item { try object(at: RowPath(path)) }

  /// Where the item with an id is on display; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*), and O(*n*) while changes are being taken in, or are taken in and not yet
  ///   on display.
  public func path(of id: Item.ID) -> RowPath? { results.path(of: id, in: value) }

  /// Where an item is on display; `nil` where it is not.
  ///
  /// - Complexity: that of `path(of:)`.
  public func indexPath(for item: Item) -> IndexPath? { path(of: item.id).map { IndexPath($0) } }

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

  /// Begins a fetch, and waits for its initial results, or until another one begins or it is stopped.
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
  /// Hundreds of items are sorted elsewhere, and shown in their new order a moment after it returns.
  public func arrange(_ arrangement: Arrangement<Item>) {
    results.arrange(arrangement)
    catchUp()
  }

  /// Stops the query; what is shown stays.
  public func stop() {
    results.stop()
    catchUp()
  }

  // MARK: - Following the engine

  private func catchUp() {
    // A delegate that asks for something while it is told goes on being told first.
    guard !isCatchingUp else { return }
    isCatchingUp = true
    defer { isCatchingUp = false }
    let failed = value.state.failure != nil
    while let update = following.next() {
      // Steps that undid each other before they were taken leave a state, and nothing to tell.
      let told = update.changes.isEmpty ? nil : delegate
      told?.controllerWillChangeContent(self)
      value = update.value
      if let told { tell(told, update) }
    }
    if let newest = following.newest { value = newest }
    if let error = value.state.failure, !failed { delegate?.controller(self, didFail: error) }
  }

  private func tell(
    _ delegate: some ResultsControllerDelegate<Item>, _ update: ResultsUpdate<Item>
  ) {
    update.list.enumerateSectionChanges { change in delegate.controller(self, didChange: change) }
    update.list.enumerateRowChanges { change in delegate.controller(self, didChange: change) }
    delegate.controller(self, didChangeContent: update)
  }
}

/// Told when results change, in the order that users of `NSFetchedResultsController` know: once before
/// a batch, for each section, for each row, and once after it.
///
/// Between the first and the last call the controller shows the list after the batch.
@MainActor
public protocol ResultsControllerDelegate<Item>: AnyObject {
  /// The rows.
  associatedtype Item: ListItem

  /// A batch of changes begins; the controller still shows the list before it.
  func controllerWillChangeContent(_ controller: ResultsController<Item, some Sendable>)
  /// A section came or went.
  func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange section: ListSectionChange)
  /// A row came, went, moved or changed.
  func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange row: ListRowChange<Item>)
  /// The batch is over.
  func controller(
    _ controller: ResultsController<Item, some Sendable>,
    didChangeContent update: ResultsUpdate<Item>)
  /// The query failed; what is shown stays.
  func controller(_ controller: ResultsController<Item, some Sendable>, didFail error: any Error)
}

extension ResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: ResultsController<Item, some Sendable>) {}
  /// Does nothing.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange section: ListSectionChange
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didChange row: ListRowChange<Item>
  ) {}
  /// Does nothing.
  public func controller(
    _ controller: ResultsController<Item, some Sendable>, didFail error: any Error
  ) {}
}
