public import struct Foundation.Data

/// A store that pages of a feed can be written into: it keeps notes beside its items.
///
/// Notes are small pieces of data with a name, of one feed each. They change together with items: a
/// page's rows and the key of the next page are never stored without each other.
public protocol FeedStore<Item, Request>: WritableDataStore where Item.ID: Codable {
  /// Makes changes of items and notes, all of them or none.
  ///
  /// - Parameters:
  ///   - changes: the items that changed, as `write(_:)` takes them.
  ///   - notes: the notes that changed, by name; `nil` for one that goes.
  ///   - feed: the name of the feed.
  /// - Throws: why nothing was written.
  func write(_ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String) async throws

  /// The notes of a feed, by name.
  ///
  /// - Throws: why they cannot be read.
  func notes(of feed: String) async throws -> [String: Data]

  /// The items with these ids, in any order; what is not there is left out.
  ///
  /// - Throws: why they cannot be read.
  func items(withIDs ids: [Item.ID]) async throws -> [Item]
}
