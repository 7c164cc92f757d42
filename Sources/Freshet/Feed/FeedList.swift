internal import FreshetLists

/// A list whose rows are those of a feed: a feed, or the feeds of a query that changes.
public protocol FeedList<Item>: EditableList {
  /// The feed whose rows are on display: edits are made there.
  var feed: Feed<Item> { get }
  /// The feed that is loaded; `nil` while it is being chosen.
  var loadingFeed: Feed<Item>? { get }
}

extension Feed: FeedList {
  /// This feed, whose rows are on display.
  public var feed: Feed<Item> { self }
  /// This feed, which is always the one that is loaded.
  public var loadingFeed: Feed<Item>? { self }
}
