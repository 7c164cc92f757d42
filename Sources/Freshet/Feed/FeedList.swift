internal import FreshetLists

/// A list whose rows are those of a feed: a feed, or the feeds of a query that changes.
public protocol FeedList<Item>: EditableList {
  /// The feed whose rows are on display: edits are made there.
  var feed: Feed<Item> { get }
  /// The feed that is loaded; `nil` while it is being chosen.
  var loadingFeed: Feed<Item>? { get }

  /// Loads the rows around a row of the whole list; see ``Feed/load(rowAt:)``.
  ///
  /// - Returns: the state of the gap or the end that has the row, or had it.
  @discardableResult func load(rowAt index: Int) async -> LoadState
}

extension Feed: FeedList {
  /// This feed, whose rows are on display.
  public var feed: Feed<Item> { self }
  /// This feed, which is always the one that is loaded.
  public var loadingFeed: Feed<Item>? { self }
}
