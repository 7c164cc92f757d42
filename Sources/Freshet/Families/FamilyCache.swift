internal import Foundation
public import FreshetLists

/// The storage of a family's feeds: each feed on its own, within common limits.
///
/// ```swift
/// let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }
/// ```
///
/// The name of a feed's cache is its query as JSON, hashed like any name (rule P7). A query that
/// cannot be read back unchanged from its JSON is not stored: it would share a cache with another
/// query.
public struct FamilyCache<Item: ListItem>: Sendable {
  /// Returns the cache of the feed with a name.
  let cache: @Sendable (_ name: String) -> FeedCacheChoice<Item>
  /// Removes the feeds used longest ago, if the limits are exceeded.
  let enforceLimits: @Sendable () async -> Void

  init<Store: FeedStore>(_ store: FamilyStore<Store>) where Store.Item == Item {
    cache = { store.choice(named: $0) }
    enforceLimits = { await store.enforceLimits() }
  }

  /// Stores feeds as files, through a custom coder.
  ///
  /// - Parameters:
  ///   - name: any text, different for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - limits: how much to keep on disk; feeds in use are never removed. `nil` applies the limits
  ///     of the directory, with at most 64 feeds.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public init(
    _ name: String, version: Int = 1, limits: CacheLimits? = nil,
    in directory: CacheDirectory = .default, coder: some ValueCoder<Item>
  ) {
    // A folder for this family only.
    let limits = limits ?? directory.limits.limited(toCount: 64)
    let directory = directory.directory(named: name, of: .family).limited(to: limits)
    cache = { name in
      FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: coder))
    }
    enforceLimits = { directory.enforceLimits() }
  }

  /// Stores feeds in a data store: every page is written into it, and live results show the rows.
  ///
  /// ```swift
  /// let found = FeedFamily(cache: .store(posts, named: "search")) { (query: String) in
  ///   BookSource(query)
  /// }
  /// ```
  ///
  /// Each feed works as with `FeedCacheChoice.store(_:named:version:)`, with one difference: an
  /// item is removed from the store once no feed of the family holds it. When a feed is removed
  /// because of the limits, its paging state and such items are removed with it. Write a family
  /// from one process only, through one family cache of this name.
  ///
  /// - Parameters:
  ///   - store: the store for the rows and the paging state.
  ///   - name: the family's name in the store.
  ///   - version: the version of the source's page keys and order. With another version, feeds
  ///     start from scratch, and the items of feeds of other versions are removed from the store.
  ///   - limits: how much to keep; whole feeds are removed. Feeds in use are never removed, and
  ///     bytes are not counted.
  public static func store<Store: FeedStore>(
    _ store: Store, named name: String, version: Int = 1,
    limits: CacheLimits = CacheLimits(count: 64)
  ) -> FamilyCache where Store.Item == Item {
    FamilyCache(FamilyStore(store, name, version: version, limits: limits) { Date() })
  }

  /// Returns the name of a query's cache: its JSON, which differs for any two queries.
  ///
  /// - Returns: `nil` if the query cannot be read back unchanged from the JSON.
  static func name<Query: Hashable & Codable & Sendable>(of query: Query) -> String? {
    guard let key = try? PageKey(query), (try? key.decoded(as: Query.self)) == query else {
      return nil
    }
    return key.json
  }
}

extension FamilyCache where Item: Codable {
  /// Stores each feed in a folder on disk, with rows as JSON.
  ///
  /// - Parameters:
  ///   - name: any text, different for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - limits: how much to keep on disk; feeds in use are never removed. `nil` applies the limits
  ///     of the directory, with at most 64 feeds.
  ///   - directory: the folder of caches.
  public static func files(
    _ name: String, version: Int = 1, limits: CacheLimits? = nil,
    in directory: CacheDirectory = .default
  ) -> FamilyCache {
    FamilyCache(name, version: version, limits: limits, in: directory, coder: JSONCoder())
  }
}
