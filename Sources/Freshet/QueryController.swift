public import FreshetLists

/// A feed controller whose query changes: a search text, a filter, a sort order.
///
/// It is a `FeedController`: views, delegates and `updates` see one list throughout, which turns
/// from the rows of one query to those of the next in one exact update.
///
/// ```swift
/// let found = QueryController(books, query: "")
/// found.show("maps", debounce: .milliseconds(300))
/// if found.isShowingOldRows { dim() }
/// ```
@MainActor
public final class QueryController<Query: Hashable & Codable & Sendable, Item: ListItem>:
  FeedController<Item>
{
  /// The engine, for code that is not on the main actor, and to make other lists of: they turn from
  /// query to query with it, while `feed` stays that of one.
  public let list: QueryFeed<Query, Item>

  /// Creates a controller of a family's feeds, of this query until another one is shown.
  ///
  /// As any feed controller, it asks its source for nothing before it is told to: by `refresh(_:)`
  /// or another load, or by `show(_:debounce:)`, of the same query too.
  ///
  /// - Parameters:
  ///   - family: the feeds.
  ///   - query: the query to begin with.
  public convenience init(_ family: FeedFamily<Query, Item>, query: Query) {
    self.init(QueryFeed(family, query: query))
  }

  /// Creates the main-actor face of a list that may have others.
  public init(_ list: QueryFeed<Query, Item>) {
    self.list = list
    super.init(list, list.publisher)
  }

  /// Whether the rows are still those of the query shown before, as those of the query asked for
  /// are not there yet.
  public var isShowingOldRows: Bool { state.isShowingOldRows }

  /// Shows another query: old rows stay until its own are there.
  ///
  /// See `QueryFeed.show(_:debounce:)`. What is in memory is on display on return, if it is not too
  /// much.
  ///
  /// - Parameters:
  ///   - query: what to show.
  ///   - debounce: how long to wait for yet another query before the source is asked.
  public func show(_ query: Query, debounce: Duration? = nil) {
    list.show(query, debounce: debounce)
    catchUp()
  }
}
