public import struct Foundation.Data

/// A store that can hold the pages of a feed, because it keeps notes beside its items.
///
/// A note is a small piece of named data that belongs to one feed. Notes and items change
/// together: the rows of a page are never stored without the key of the next page, nor the key
/// without them.
public protocol FeedStore<Item, Request>: WritableDataStore where Item.ID: Codable {
  /// Applies changes of items and notes, all of them or none.
  ///
  /// Running queries receive these changes by `DataStoreQuery.enqueue(_:of:)`, if the store knows
  /// that no other writer has changed them since.
  ///
  /// - Parameters:
  ///   - changes: the changed items, as `write(_:)` takes them.
  ///   - notes: the changed notes, by name; `nil` deletes a note.
  ///   - feed: the name of the feed.
  /// - Throws: the reason why nothing was written.
  func write(_ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String) async throws

  /// Returns the notes of a feed, by name.
  ///
  /// - Throws: the reason why they cannot be read.
  func notes(of feed: String) async throws -> [String: Data]

  /// Returns the items with these ids, in any order; ids without an item are left out.
  ///
  /// - Throws: the reason why they cannot be read.
  func items(withIDs ids: [Item.ID]) async throws -> [Item]
}
