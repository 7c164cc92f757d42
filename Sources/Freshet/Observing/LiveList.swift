public import FreshetLists

/// A list that changes by itself, and says exactly how: a feed, live results, or a list made of
/// others.
///
/// All are observed in one way, from any thread, and other lists are made of all in one way: see
/// `DerivedList`.
///
/// ```swift
/// for await update in feed.updates { print(update.changes) }  // each step, exact
/// for await value in results.values { print(value.items.count) }  // the newest, with its state
/// ```
public protocol LiveList<Item>: AnyObject, Sendable {
  /// What it is a list of.
  associatedtype Item: ListItem

  /// Publishes what it shows to its observers.
  var publisher: ListPublisher<Item> { get }
  /// All that is shown now.
  var value: ListValue<Item> { get }

  /// Where an item is shown; `nil` where it is not.
  ///
  /// It waits for nothing, whatever the list is doing.
  ///
  /// - Complexity: O(log *n*).
  func path(of id: Item.ID) -> RowPath?
  /// The item with an id, where it is shown.
  ///
  /// - Complexity: O(log *n*).
  func item(withID id: Item.ID) async -> Item?

  /// Asks for what is new.
  ///
  /// - Returns: how the head stands afterwards.
  @discardableResult func refresh(_ scope: RefreshScope) async -> LoadState
  /// Asks for rows behind the last one.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult func loadNext() async -> LoadState
  /// Asks for rows above the first one.
  ///
  /// - Returns: how the top stands afterwards; `end` once there is nothing more.
  @discardableResult func loadPrevious() async -> LoadState
  /// Asks for the rows that may be missing at a gap.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed.
  @discardableResult func load(_ gap: Gap, from side: Gap.Side) async -> LoadState
  /// Asks again for everything that failed.
  ///
  /// - Returns: how the first of it stands afterwards.
  @discardableResult func retry() async -> LoadState

  /// Tells the list which item came on screen, so that it asks for more before the end is reached.
  func willDisplay(_ item: Item)
  /// Lets loads wait, while the network is gone, say; `value.state.isPaused` tells.
  func pause()
  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  func resume()
}

// How it is observed.
extension LiveList {
  /// All that is shown now.
  public var value: ListValue<Item> { publisher.value }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them, so that an observer that starts
  /// empty holds the list. An observer that falls behind gets several steps as one; where they undo
  /// each other, it is one without changes that brings the state. The sequence ends when the list
  /// goes. Iterate it once; another observer asks for `updates` of its own.
  public var updates: ListUpdates<Item> { ListUpdates(publisher) }

  /// All that is shown from now on: rows with the state that belongs to them.
  ///
  /// The first value is the one now, and an observer that falls behind gets the newest. The
  /// sequence ends when the list goes. Iterate it once.
  public var values: AsyncStream<ListValue<Item>> { publisher.values }

  /// Where an item is shown; `nil` where it is not.
  ///
  /// It waits for nothing, whatever the list is doing.
  ///
  /// - Complexity: O(log *n*), besides that of `value`.
  public func path(of id: Item.ID) -> RowPath? { value.path(of: id) }

  /// The item with an id, where it is shown.
  ///
  /// It waits for nothing, as `path(of:)`.
  ///
  /// - Complexity: that of `path(of:)`.
  public func item(withID id: Item.ID) async -> Item? {
    let value = value
    return value.path(of: id).flatMap { value.list[$0].item }
  }
}
