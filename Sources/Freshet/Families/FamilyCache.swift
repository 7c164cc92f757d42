internal import Foundation
public import FreshetLists

/// Where the feeds of a family are stored: each on its own, and not more of them than fit.
///
/// ```swift
/// let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }
/// ```
///
/// The name of a feed's cache is its query as JSON, hashed as any name (rule P7). A query that does not
/// read back from its JSON as it was is not stored: it would share a cache with another one.
public struct FamilyCache<Item: ListItem>: Sendable {
  /// The folder that is the family's alone.
  let directory: CacheDirectory
  private let maximumFeeds: Int
  private let choice: @Sendable (_ name: String, CacheDirectory) -> FeedCacheChoice<Item>

  /// Stores feeds as files, through a coder of one's own.
  ///
  /// - Parameters:
  ///   - name: any text, another one for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - maximumFeeds: how many feeds to keep on disk: those used last. None that is in use goes.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public init(
    _ name: String, version: Int = 1, maximumFeeds: Int = 64,
    in directory: CacheDirectory = .default, coder: some ValueCoder<Item>
  ) {
    self.directory = directory.directory(named: name, of: .family)
    self.maximumFeeds = max(1, maximumFeeds)
    choice = { name, directory in
      FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: coder))
    }
  }

  /// The cache of the feed with this name.
  func cache(named name: String) -> FeedCacheChoice<Item> { choice(name, directory) }

  /// Removes the feeds used longest ago where there are too many.
  ///
  /// - Parameters:
  ///   - name: the name of a feed that is used now.
  ///   - names: the names of feeds that have to stay.
  func limit(using name: String?, keeping names: Set<String>) {
    directory.limitFeeds(to: maximumFeeds, using: name, keeping: names)
  }

  /// The name of what belongs to a query: its JSON, in which no two queries are alike.
  ///
  /// - Returns: `nil` where the JSON says less, or something else, than the query.
  static func name<Query: Hashable & Codable & Sendable>(of query: Query) -> String? {
    guard let key = try? PageKey(query), (try? key.decoded(as: Query.self)) == query else {
      return nil
    }
    return key.json
  }
}

extension FamilyCache where Item: Codable {
  /// A folder on disk for each feed, rows as JSON.
  ///
  /// - Parameters:
  ///   - name: any text, another one for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - maximumFeeds: how many feeds to keep on disk: those used last. None that is in use goes.
  ///   - directory: the folder of caches.
  public static func files(
    _ name: String, version: Int = 1, maximumFeeds: Int = 64,
    in directory: CacheDirectory = .default
  ) -> FamilyCache {
    FamilyCache(
      name, version: version, maximumFeeds: maximumFeeds, in: directory, coder: JSONCoder())
  }
}
