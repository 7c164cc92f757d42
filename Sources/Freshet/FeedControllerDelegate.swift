public import struct Foundation.IndexPath
public import FreshetLists

/// Told when a feed changed or a load failed.
@MainActor
public protocol FeedControllerDelegate<Item>: AnyObject {
  /// The rows of the feed.
  associatedtype Item: ListItem

  /// The list changed.
  ///
  /// - Parameters:
  ///   - controller: the feed.
  ///   - items: the items now.
  ///   - added: the rows that came or moved, after the change; those of new sections too.
  ///   - deleted: the rows that went or moved, before the change; those of old sections too.
  ///   - update: the whole step: sections, moves, and rows whose contents changed.
  func feedController(
    _ controller: FeedController<Item>, didChange items: FeedItems<Item>,
    added: [IndexPath], deleted: [IndexPath], update: FeedUpdate<Item>)

  /// A load failed. The rows are still there, and `retry()` asks again.
  func feedController(_ controller: FeedController<Item>, didFail error: FeedError)
}
