public import FreshetLists

/// A controller of a feed whose query changes: a search text, a filter, a sort order.
///
/// Views, the delegate and `updates` see one list. It changes from the rows of one query to those
/// of the next in one exact update. Edits and events apply to the feed on display.
///
/// ```swift
/// let found = QueryController(books, query: "")
/// found.show("maps", debounce: .milliseconds(300))
/// if found.isShowingOldRows { dim() }
/// ```
public typealias QueryController<Query: Hashable & Codable & Sendable, Item: ListItem> =
  ListController<QueryFeed<Query, Item>>

extension ListController {
  /// Creates a controller of a family's feeds, which begins with one query.
  ///
  /// Like any controller, it sends no request by itself. A request is sent by `refresh(_:)`, by
  /// another load, or by `show(_:debounce:)`, even of the same query.
  ///
  /// - Parameters:
  ///   - family: the feeds.
  ///   - query: the first query.
  public convenience init<Query: Hashable & Codable & Sendable, Item: ListItem>(
    _ family: FeedFamily<Query, Item>, query: Query
  ) where List == QueryFeed<Query, Item> {
    self.init(QueryFeed(family, query: query))
  }

  /// Shows another query; the old rows stay until its own rows are available.
  ///
  /// See `QueryFeed.show(_:debounce:)`. Rows in memory are on display on return, unless there are
  /// many.
  ///
  /// - Parameters:
  ///   - query: the query to show.
  ///   - debounce: how long to wait for another query before a request is sent.
  public func show<Query: Hashable & Codable & Sendable, Item: ListItem>(
    _ query: Query, debounce: Duration? = nil
  ) where List == QueryFeed<Query, Item> {
    now { $0.show(query, debounce: debounce) }
  }

  /// Whether the rows are still those of the previous query, until the new ones are available.
  public var isShowingOldRows: Bool { state.isShowingOldRows }
}
