internal import Foundation
public import FreshetLists

/// Where the feeds of a family are stored: each on its own, and not more of them than fit.
///
/// ```swift
/// let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }
/// ```
///
/// The name of a feed's cache is its query as JSON, hashed as any name (rule P7). A query that does
/// not read back from its JSON as it was is not stored: it would share a cache with another one.
public struct FamilyCache<Item: ListItem>: Sendable {
  /// Makes the cache of the feed with a name.
  let cache: @Sendable (_ name: String) -> FeedCacheChoice<Item>
  /// Removes the feeds used longest ago where there is too much.
  let enforceLimits: @Sendable () async -> Void

  init<Store: FeedStore>(_ store: FamilyStore<Store>) where Store.Item == Item {
    cache = { FeedCacheChoice(store.cache(named: $0)) }
    enforceLimits = { await store.enforceLimits() }
  }

  /// Stores feeds as files, through a coder of one's own.
  ///
  /// - Parameters:
  ///   - name: any text, another one for each family; it is hashed.
  ///   - version: the version of the items' type; rows of another version are not shown.
  ///   - limits: how much to keep on disk, what is in use besides; `nil` is what the directory
  ///     allows, of at most 64 feeds.
  ///   - directory: the folder of caches.
  ///   - coder: turns items into bytes and back.
  public init(
    _ name: String, version: Int = 1, limits: CacheLimits? = nil,
    in directory: CacheDirectory = .default, coder: some ValueCoder<Item>
  ) {
    // A folder that is the family's alone.
    let limits = limits ?? directory.limits.limited(toCount: 64)
    let directory = directory.directory(named: name, of: .family).limited(to: limits)
    cache = { name in
      FeedCacheChoice(FileFeedCache(name, version: version, in: directory, coder: coder))
    }
    enforceLimits = { directory.enforceLimits() }
  }

  /// A store: the pages of every feed are written into it, and live results show them.
  ///
  /// ```swift
  /// let found = FeedFamily(cache: .store(posts, named: "search")) { (query: String) in
  ///   BookSource(query)
  /// }
  /// ```
  ///
  /// It is as `FeedCacheChoice.store(_:named:version:)` for each feed, but for this: an item leaves
  /// the store once no feed of the family holds it. Feeds that go because there are too many take
  /// their notes and such items with them. One process writes a family, through one family cache of
  /// this name.
  ///
  /// - Parameters:
  ///   - store: where the rows are, and the paging state beside them.
  ///   - name: the family's name there.
  ///   - version: the version of the source's page keys and order; another one starts anew, and the
  ///     items of feeds of other versions leave the store.
  ///   - limits: how much to keep: whole feeds go. What is in use stays besides, and bytes are not
  ///     counted.
  public static func store<Store: FeedStore>(
    _ store: Store, named name: String, version: Int = 1,
    limits: CacheLimits = CacheLimits(count: 64)
  ) -> FamilyCache where Store.Item == Item {
    FamilyCache(FamilyStore(store, name, version: version, limits: limits) { Date() })
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
  ///   - limits: how much to keep on disk, what is in use besides; `nil` is what the directory
  ///     allows, of at most 64 feeds.
  ///   - directory: the folder of caches.
  public static func files(
    _ name: String, version: Int = 1, limits: CacheLimits? = nil,
    in directory: CacheDirectory = .default
  ) -> FamilyCache {
    FamilyCache(name, version: version, limits: limits, in: directory, coder: JSONCoder())
  }
}
