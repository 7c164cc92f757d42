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
  /// Makes the cache of the feed with a name.
  let cache: @Sendable (_ name: String) -> FeedCacheChoice<Item>
  /// Removes the feeds used longest ago where there is too much.
  let enforceLimits: @Sendable () async -> Void

  /// Stores feeds as files, through a coder of one's own.
  ///
  /// - Parameters:
  ///   - name: any text, another one for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - limits: how much to keep on disk. What is in use stays besides.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public init(
    _ name: String, version: Int = 1, limits: CacheLimits = CacheLimits(count: 64),
    in directory: CacheDirectory = .default, coder: some ValueCoder<Item>
  ) {
    // A folder that is the family's alone.
    let directory = directory.directory(named: name, of: .family).limited(to: limits)
    cache = { name in
      FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: coder))
    }
    enforceLimits = { directory.enforceLimits() }
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
  ///   - limits: how much to keep on disk. What is in use stays besides.
  ///   - directory: the folder of caches.
  public static func files(
    _ name: String, version: Int = 1, limits: CacheLimits = CacheLimits(count: 64),
    in directory: CacheDirectory = .default
  ) -> FamilyCache {
    FamilyCache(name, version: version, limits: limits, in: directory, coder: JSONCoder())
  }
}
