public import FreshetLists

/// A controller of live results: see `ListController`.
///
/// It does for any store what `NSFetchedResultsController` does for Core Data, with its names.
///
/// ```swift
/// let results = ResultsController(
///   store: quakes, arrangement: .sorted(by: \.time, .reverse).sectioned(by: \.day, .reverse))
/// await results.fetch(.all)
/// print(results.sections[0].name)
/// print(try results.object(at: IndexPath(indexes: [0, 3])))  // section 0, row 3
/// ```
public typealias ResultsController<Item: ListItem, Request: Sendable> =
  ListController<LiveResults<Item, Request>>

extension ListController {
  /// Creates results and their controller.
  ///
  /// - Parameters:
  ///   - store: where the items are.
  ///   - arrangement: how they are laid out; `arrange(_:)` changes it.
  ///   - window: how long changes gather before they are shown as one.
  public convenience init<Item: ListItem, Request: Sendable>(
    store: some DataStore<Item, Request>, arrangement: Arrangement<Item> = .all,
    window: Duration = .milliseconds(100)
  ) where List == LiveResults<Item, Request> {
    self.init(LiveResults(store: store, arrangement: arrangement, window: window))
  }

  /// Creates results that are laid out by each request.
  public convenience init<Item: ListItem, Request: Sendable>(
    store: some DataStore<Item, Request>, window: Duration = .milliseconds(100),
    arrangement: @escaping @Sendable (Request) -> Arrangement<Item>
  ) where List == LiveResults<Item, Request> {
    self.init(LiveResults(store: store, window: window, arrangement: arrangement))
  }

  // MARK: - Fetching

  /// Begins a fetch; one that is running is stopped.
  ///
  /// What is shown stays until the first results of another request are there, or all of the same
  /// one.
  public func performFetch<Item: ListItem, Request: Sendable>(_ request: Request)
  where List == LiveResults<Item, Request> {
    now { $0.performFetch(request) }
  }

  /// Begins a fetch, and waits for its initial results, or until another one begins or it is
  /// stopped.
  ///
  /// Cancelling the task that waits stops the fetch, as long as its initial results are not there.
  ///
  /// - Returns: `loaded`, or `failed` with the reason; if it was stopped, the state it is in.
  @discardableResult
  public func fetch<Item: ListItem, Request: Sendable>(_ request: Request) async -> FetchState
  where List == LiveResults<Item, Request> {
    await settled { await $0.fetch(request) }
  }

  /// Lays the items out in another way, in one update with the fewest moves.
  ///
  /// Hundreds of items are sorted elsewhere, and shown in their new order a moment after it
  /// returns. Items that were moved by hand are held no longer.
  public func arrange<Item: ListItem, Request: Sendable>(_ arrangement: Arrangement<Item>)
  where List == LiveResults<Item, Request> {
    now { $0.arrange(arrangement) }
  }

  /// Stops the query; what is shown stays.
  public func stop<Item: ListItem, Request: Sendable>()
  where List == LiveResults<Item, Request> {
    now { $0.stop() }
  }

  /// The item with an id, shown or left out by the arrangement.
  ///
  /// It is answered in turn, after the calls before it.
  public func item<Item: ListItem, Request: Sendable>(withID id: Item.ID) async -> Item?
  where List == LiveResults<Item, Request> {
    await list.item(withID: id)
  }

  // MARK: - Moving by hand

  /// Shows an item below another at once, as a reader drags it, and writes that: at the head if
  /// `other` is `nil` or not shown.
  ///
  /// See `LiveResults.move(_:after:commit:)`.
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
  ///   - commit: writes the order, in a later turn of the main actor.
  /// - Returns: the task that calls `commit`, and fails with what it threw. Cancelling it cancels
  ///   `commit`, whose outcome counts: the item returns if it throws, and stays if it is done all
  ///   the same.
  public func move<Item: ListItem, Request: Sendable>(
    _ id: Item.ID, after other: Item.ID?, commit: @escaping @MainActor () async throws -> Void
  ) -> Task<Void, any Error> where List == LiveResults<Item, Request> {
    let drop = list.drop(id, after: other)
    catchUp()
    return Task { [list, weak self] in
      defer { self?.catchUp() }
      try await list.end(drop: drop) { try await commit() }
    }
  }
}
