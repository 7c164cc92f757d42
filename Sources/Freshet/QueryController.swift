public import FreshetLists

/// A controller of a feed whose query changes: a search text, a filter, a sort order.
///
/// Views, the delegate and `updates` see one list, which changes from the rows of one query to
/// those of the next in one exact update. Edits and events are those of the feed on display.
///
/// ```swift
/// let found = QueryController(books, query: "")
/// found.show("maps", debounce: .milliseconds(300))
/// if found.isShowingOldRows { dim() }
/// ```
public typealias QueryController<Query: Hashable & Codable & Sendable, Item: ListItem> =
  ListController<QueryFeed<Query, Item>>

extension ListController {
  /// Creates a controller of a family's feeds, of this query until another one is shown.
  ///
  /// As any controller, it asks its source for nothing before it is asked to: by `refresh(_:)` or
  /// another load, or by `show(_:debounce:)`, of the same query too.
  ///
  /// - Parameters:
  ///   - family: the feeds.
  ///   - query: the query to begin with.
  public convenience init<Query: Hashable & Codable & Sendable, Item: ListItem>(
    _ family: FeedFamily<Query, Item>, query: Query
  ) where List == QueryFeed<Query, Item> {
    self.init(QueryFeed(family, query: query))
  }

  /// Shows another query: old rows stay until its own are there.
  ///
  /// See `QueryFeed.show(_:debounce:)`. Rows in memory are on display on return, unless they are
  /// many.
  ///
  /// - Parameters:
  ///   - query: what to show.
  ///   - debounce: how long to wait for another query before the source is asked.
  public func show<Query: Hashable & Codable & Sendable, Item: ListItem>(
    _ query: Query, debounce: Duration? = nil
  ) where List == QueryFeed<Query, Item> {
    now { $0.show(query, debounce: debounce) }
  }

  /// Whether the rows are still those of the query shown before, as those of the query asked for
  /// are not there yet.
  public var isShowingOldRows: Bool { state.isShowingOldRows }
}
