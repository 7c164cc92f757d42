public import Foundation
public import FreshetLists
public import Observation

/// A list as views see it, on the main actor: a feed, live results or a list made of others, by one
/// protocol.
///
/// It is what the views of `FreshetUI` show. A view of another kind hears of what it read: of the
/// rows, of how the list stands, of one row (`row(_:)`), or of all (`value`). Pausing, or the
/// reader's place, makes no view of rows anew.
///
/// ```swift
/// switch feed.placeholder {
/// case .loading: print("Loading…")
/// case .empty: print("Nothing here.")
/// case .failed(let notice): print(notice.message, notice.advice ?? "")
/// case nil: print("\(feed.items.count) rows")
/// }
/// ```
@MainActor
public protocol DisplayedList<Item>: AnyObject, Observable {
  /// What it is a list of.
  associatedtype Item: ListItem
  /// The type of one step of the list.
  associatedtype Update: LiveUpdate where Update.Value.Item == Item

  /// What is shown, and who read what of it.
  var displayed: Displayed<Update> { get }

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
  /// Says which item came on screen, so that more is asked for before the end is reached.
  func willDisplay(_ item: Item)
}

extension DisplayedList {
  /// All that is shown now: rows and state as one value (rule R5).
  public var value: Update.Value { displayed.value }

  /// Who is told of each step right when it is on display.
  public var followers: Followers<Update> { displayed.followers }

  /// One row: who reads it hears of changes of that row alone.
  ///
  /// Hold it, as a property of the row's view does: a row that nobody holds is forgotten, and tells
  /// nobody.
  ///
  /// - Complexity: O(1) where somebody holds it already, else that of `path(of:)`.
  public func row(_ id: Item.ID) -> DisplayedRow<Item> { displayed.row(id) }

  /// Where the item with an id is on display; `nil` where it is not.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? { displayed.path(of: id) }

  /// Where an item is on display; `nil` where it is not.
  ///
  /// - Complexity: that of `path(of:)`.
  public func indexPath(for item: Item) -> IndexPath? { path(of: item.id).map { IndexPath($0) } }

  /// What stands on screen in its place; `nil` where it has rows.
  public var placeholder: ListPlaceholder? {
    _ = displayed.state
    return ListPlaceholder(displayed.rows)
  }

  /// Begins to ask again for everything that failed, and waits for nothing: for a button.
  public func retry() { Task { await self.retry() } }

  // What a view looks at, and hears of from then on.
  var readRows: Update.Value { displayed.rows }
  var readState: Update.Value { displayed.state }
  var readAge: Update.Value { displayed.age }
}

// Feeds, and lists made of others: rows are items and gaps.
extension DisplayedList where Update.Value == FeedValue<Item> {
  /// The items in their order, without the gaps.
  public var items: FeedItems<Item> { readRows.items }

  /// The rows, items and gaps, in their order.
  public var rows: RowTree<FeedRow<Item>> { readRows.rows }

  /// The rows in sections; one unnamed section if the list has none.
  public var sections: ListSections<FeedRow<Item>> { readRows.list.sections }

  /// Whether a section holds all rows it should: it touches no gap and no end that may go on
  /// (rule A4).
  ///
  /// - Parameter section: an index of `sections`.
  public func isComplete(_ section: Int) -> Bool {
    _ = readState
    return readRows.isComplete(section)
  }

  /// How the head, the end and the gaps stand: together, where the list is made of several.
  public var state: FeedState { readState.state }

  /// When the source last answered for the head of the list; of several lists, for the one that is
  /// oldest.
  public var refreshedAt: Date? { readAge.refreshedAt }

  /// The row at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no row stands there.
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) throws(ListError) -> FeedRow<Item> {
    try readRows.list.item(at: path)
  }

  /// The row at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no row stands there.
  /// - Complexity: O(log *n*).
  public func row(at path: IndexPath) throws(ListError) -> FeedRow<Item> {
    try row(at: RowPath(path))
  }
}
