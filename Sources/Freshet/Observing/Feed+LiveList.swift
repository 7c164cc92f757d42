internal import FreshetLists

extension Feed: LiveList {}

extension FeedValue: LiveValue {
  /// How the edges of the feed stand.
  public var loads: FeedState { state }

  /// The row itself: a feed shows items and gaps as they are.
  public static func row(_ row: FeedRow<Item>) -> FeedRow<Item> { row }
}
