internal import FreshetLists

/// What a feed controller shows: one feed, or the feeds of queries one after the other.
protocol FeedDisplaying<Item>: LiveList where Value == FeedValue<Item>, Update == FeedUpdate<Item> {
  /// The feed whose rows are on display: what is edited is edited there.
  var displayed: Feed<Item> { get }
  /// The feed that is loaded; `nil` where it is about to be chosen.
  var loading: Feed<Item>? { get }
}

extension Feed: FeedDisplaying {
  var displayed: Feed<Item> { self }
  var loading: Feed<Item>? { self }
}
