public import struct Foundation.Date
public import struct Foundation.IndexPath
public import FreshetLists

// The values on display. A view that reads a part is updated when that part changes.
extension ListController {
  /// Everything on display: rows and state as one value (rule R5).
  public var value: ListValue<Item> { displayed.value }

  /// The steps of the list from now on; each observer receives all of them.
  ///
  /// If there are rows already, the first update inserts them. See `LiveList.updates`.
  public var updates: ListUpdates<Item> { list.updates }

  /// The values of the list from now on: see `LiveList.values`.
  public var values: AsyncStream<ListValue<Item>> { list.values }

  /// The observers that are notified of each step on the main actor.
  ///
  /// They are notified in the turn in which the step is shown.
  public var followers: ObserverRegistry<Item> { displayed.followers }

  // MARK: - Rows

  /// The items in the order of the list, without the gaps: see `ListValue.items`.
  public var items: LoadedItems<Item> { displayed.rows.items }

  /// The rows, items and gaps, in the order of the list.
  public var rows: ListItems<ListRow<Item>> { displayed.rows.rows }

  /// The rows in sections; one unnamed section if the list has no sections.
  ///
  /// No section is empty.
  public var sections: ListSections<ListRow<Item>> { displayed.rows.list.sections }

  /// Whether a section holds all of its rows: no gap and no open end touches it (rule A4).
  ///
  /// - Parameter section: an index of `sections`.
  public func isComplete(_ section: Int) -> Bool {
    _ = displayed.state
    return displayed.rows.isComplete(section)
  }

  /// Returns the row at a path.
  ///
  /// - Throws: `ListError.invalidIndexPath` if there is no such row.
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) throws(ListError) -> ListRow<Item> {
    try displayed.rows.list.item(at: path)
  }

  /// Returns the row at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` if there is no such row.
  /// - Complexity: O(log *n*).
  public func row(at path: IndexPath) throws(ListError) -> ListRow<Item> {
    try row(at: RowPath(path))
  }

  /// Returns the path of the item with an id; `nil` if it is not on display.
  ///
  /// - Complexity: O(log *n*).
  public func path(of id: Item.ID) -> RowPath? { displayed.path(of: id) }

  /// Returns the index path of an item; `nil` if it is not on display.
  ///
  /// - Complexity: that of `path(of:)`.
  public func indexPath(for item: Item) -> IndexPath? { path(of: item.id).map { IndexPath($0) } }

  /// Returns one row; a view that reads it is updated only when that row changes.
  ///
  /// Hold it, for example as a property of the row's view. A row without a holder is forgotten,
  /// and notifies no view.
  ///
  /// - Complexity: O(1) if it is held already, otherwise that of `path(of:)`.
  public func row(_ id: Item.ID) -> ObservableRow<Item> { displayed.row(id) }

  // MARK: - State

  /// The load states of the head, the end and the gaps; combined for a list made of several lists.
  public var state: ListState { displayed.state.state }

  /// The status of the last fetch of live results; `nil` for other lists.
  public var fetchStatus: FetchStatus? { displayed.fetch.fetchStatus }

  /// The time when the source last answered for the head of the list.
  ///
  /// For a list made of several lists, it is the oldest of their times.
  public var refreshedAt: Date? { displayed.age.refreshedAt }

  /// The placeholder to show instead of rows; `nil` if there are rows.
  ///
  /// ```swift
  /// switch feed.placeholder {
  /// case .loading: print("Loading…")
  /// case .empty: print("Nothing here.")
  /// case .failed(let notice): print(notice.message, notice.advice ?? "")
  /// case nil: print("\(feed.items.count) rows")
  /// }
  /// ```
  public var placeholder: ListPlaceholder? {
    _ = displayed.state
    return ListPlaceholder(displayed.rows)
  }
}
