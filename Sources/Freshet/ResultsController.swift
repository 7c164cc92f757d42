public import FreshetLists

/// A controller of live results: see `ListController`.
///
/// It is the counterpart of `NSFetchedResultsController` for any store, with the same names.
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
  ///   - store: the store of the items.
  ///   - arrangement: the arrangement of the items; `arrange(_:)` changes it.
  ///   - identity: the map of the items that the results share with other lists; `nil` if they
  ///     share none.
  ///   - window: how long changes are collected before they are shown as one.
  public convenience init<Item: ListItem, Request: Sendable>(
    store: some DataStore<Item, Request>, arrangement: Arrangement<Item> = .all,
    identity: IdentityMap<Item>? = nil, window: Duration = .milliseconds(100)
  ) where List == LiveResults<Item, Request> {
    self.init(
      LiveResults(
        store: store, arrangement: arrangement, identity: identity, window: window))
  }

  /// Creates results whose arrangement depends on the request.
  public convenience init<Item: ListItem, Request: Sendable>(
    store: some DataStore<Item, Request>, identity: IdentityMap<Item>? = nil,
    window: Duration = .milliseconds(100),
    arrangement: @escaping @Sendable (Request) -> Arrangement<Item>
  ) where List == LiveResults<Item, Request> {
    self.init(
      LiveResults(
        store: store, identity: identity, window: window, arrangement: arrangement))
  }

  // MARK: - Fetching

  /// Starts a fetch, and stops the one that is running.
  ///
  /// The rows on display stay until the first results of another request, or all results of the
  /// same request, are available.
  public func performFetch<Item: ListItem, Request: Sendable>(_ request: Request)
  where List == LiveResults<Item, Request> {
    now { $0.performFetch(request) }
  }

  /// Starts a fetch, and waits for its initial results.
  ///
  /// It also returns when another fetch begins, or when the fetch is stopped.
  ///
  /// Cancelling the waiting task stops the fetch, as long as its initial results are not
  /// available.
  ///
  /// - Returns: `loaded`, or `failed` with the reason; the present state if the fetch was stopped.
  @discardableResult
  public func fetch<Item: ListItem, Request: Sendable>(_ request: Request) async -> FetchState
  where List == LiveResults<Item, Request> {
    await settled { await $0.fetch(request) }
  }

  /// Changes the arrangement of the items, in one update with the fewest moves.
  ///
  /// Hundreds of items are sorted on another thread, and shown in their new order a moment after
  /// it returns. Items that were moved by hand are held no longer.
  public func arrange<Item: ListItem, Request: Sendable>(_ arrangement: Arrangement<Item>)
  where List == LiveResults<Item, Request> {
    now { $0.arrange(arrangement) }
  }

  /// Stops the query; the rows on display stay.
  public func stop<Item: ListItem, Request: Sendable>()
  where List == LiveResults<Item, Request> {
    now { $0.stop() }
  }

  /// Returns the item with an id, shown or left out by the arrangement.
  ///
  /// The answer includes the effect of all earlier calls.
  public func item<Item: ListItem, Request: Sendable>(withID id: Item.ID) async -> Item?
  where List == LiveResults<Item, Request> {
    await list.item(withID: id)
  }

  // MARK: - Moving by hand

  /// Moves an item below another on screen at once, as a user drags it, and writes the new order.
  ///
  /// The item is moved to the head if `other` is `nil` or not shown.
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
  ///   - id: the item. If it is moved again, only the later move holds it.
  ///   - other: the item above it.
  ///   - commit: writes the order, in a later turn of the main actor.
  /// - Returns: the task that calls `commit`, and fails with what it threw. Cancelling the task
  ///   cancels `commit`, whose outcome decides: the item returns if `commit` throws, and stays if
  ///   it succeeds all the same.
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
