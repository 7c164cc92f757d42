internal import FreshetLists

/// What the engine of a feed stores, and reads, whatever the type of its items.
protocol FeedStorage: Sendable {
  /// The first rows on disk; see `FeedCache.loadFirst()`.
  func loadFirst() -> CachedRows<AnyItem>
  /// All rows on disk; see `FeedCache.loadRest()`.
  func loadRest() async -> CachedRows<AnyItem>
  /// Reads rows back, after what is still to be stored.
  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<AnyItem>.Row]?, any Error>) -> Void
  )
  /// Stores a step, after those before it.
  func save(_ commit: FeedCommit<AnyItem>)
  /// Reports failures to their observers.
  func reportIssues()
}

/// A cache that returns rows already type-erased, so that they are not made twice.
protocol ErasedCache {
  /// The first rows on disk; see `FeedCache.loadFirst()`.
  func loadFirstErased() -> CachedRows<AnyItem>?
  /// All other rows; see `FeedCache.loadRest()`.
  func loadRestErased() -> CachedRows<AnyItem>
}

extension CacheWriter: FeedStorage {
  func loadFirst() -> CachedRows<AnyItem> {
    if let cache = cache as? any ErasedCache { return cache.loadFirstErased() ?? CachedRows() }
    return (cache.loadFirst() ?? CachedRows()).erased
  }

  func loadRest() async -> CachedRows<AnyItem> {
    if let cache = cache as? any ErasedCache { return cache.loadRestErased() }
    return await cache.loadRest().erased
  }

  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<AnyItem>.Row]?, any Error>) -> Void
  ) {
    load(range, of: count) { (rows: Result<[CachedRows<Item>.Row]?, any Error>) in
      completion(rows.map { $0?.map(\.erased) })
    }
  }

  func save(_ commit: FeedCommit<AnyItem>) { save(commit.typed() as FeedCommit<Item>) }
}
