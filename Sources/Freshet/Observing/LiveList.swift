public import FreshetLists

/// A list that publishes its changes as exact steps.
///
/// Feeds, live results and lists derived from others are live lists. All are observed in the same
/// way, from any thread, and all can be the input of a `DerivedList`.
///
/// ```swift
/// for await update in feed.updates { print(update.changes) }  // each step, exact
/// for await value in results.values { print(value.items.count) }  // the newest, with its state
/// ```
public protocol LiveList<Item>: AnyObject, Sendable {
  /// The type of its items.
  associatedtype Item: ListItem

  /// The publisher that delivers the list to its observers.
  var publisher: ListPublisher<Item> { get }
  /// The list as it is now, with its state.
  var value: ListValue<Item> { get }

  /// Returns the path of an item; `nil` if it is not shown.
  ///
  /// It never waits, whatever the list is doing.
  ///
  /// - Complexity: O(log *n*).
  func path(of id: Item.ID) -> RowPath?
  /// Returns the item with an id, if it is shown.
  ///
  /// - Complexity: O(log *n*).
  func item(withID id: Item.ID) async -> Item?

  /// Loads the list again from its head, as far as the scope says.
  ///
  /// - Returns: the state of the head afterwards.
  @discardableResult func refresh(_ scope: RefreshScope) async -> LoadState
  /// Loads rows after the last one.
  ///
  /// - Returns: the state of the end afterwards; `end` once there is nothing more.
  @discardableResult func loadNext() async -> LoadState
  /// Loads rows above the first one.
  ///
  /// - Returns: the state of the top afterwards; `end` once there is nothing more.
  @discardableResult func loadPrevious() async -> LoadState
  /// Loads the rows that may be missing at a gap.
  ///
  /// - Returns: the state of the gap afterwards; `end` once it is closed.
  @discardableResult func load(_ gap: Gap, from side: Gap.Side) async -> LoadState
  /// Loads the rows around a row of the whole list, such as where the user dragged a scroll bar.
  ///
  /// The index counts all rows from the head of the list, loaded or not. If the list cannot load
  /// them alone, it loads rows from the nearest one that is loaded.
  ///
  /// - Returns: the state of the gap or the edge that has the row, or had it; `idle` if the row is
  ///   loaded.
  @discardableResult func load(rowAt index: Int) async -> LoadState
  /// Repeats every load that failed.
  ///
  /// - Returns: the state of the first of them afterwards.
  @discardableResult func retry() async -> LoadState

  /// Notes that an item appears on screen, so that more rows are loaded before the end is reached.
  func willDisplay(_ item: Item)
  /// Pauses loads, such as while the network is unavailable; see `value.state.isPaused`.
  func pause()
  /// Sends the loads that `pause()` held back.
  ///
  /// Loads that failed because the source was unreachable are retried.
  func resume()
}

// The ways to observe a list.
extension LiveList {
  /// The list as it is now, with its state.
  public var value: ListValue<Item> { publisher.value }

  /// The steps of the list from now on, in a sequence for one observer.
  ///
  /// The first update inserts the rows that are there, so an observer that starts empty then has
  /// the whole list. A slow observer gets several steps as one; if they undo each other, that one
  /// has no changes and carries the new state. The sequence ends when the list is deallocated.
  /// Iterate it once, and call `updates` again for another observer.
  public var updates: ListUpdates<Item> { ListUpdates(publisher) }

  /// The values of the list from now on: rows with the state that belongs to them.
  ///
  /// The first value is the current one, and a slow observer gets the newest. The sequence ends
  /// when the list is deallocated. Iterate it once.
  public var values: AsyncStream<ListValue<Item>> { publisher.values }

  /// Returns the path of an item; `nil` if it is not shown.
  ///
  /// It never waits, whatever the list is doing.
  ///
  /// - Complexity: O(log *n*), besides that of `value`.
  public func path(of id: Item.ID) -> RowPath? { value.path(of: id) }

  /// Returns the item with an id, if it is shown.
  ///
  /// It never waits, like `path(of:)`.
  ///
  /// - Complexity: that of `path(of:)`.
  public func item(withID id: Item.ID) async -> Item? {
    let value = value
    return value.path(of: id).flatMap { value.list[$0].item }
  }
}
