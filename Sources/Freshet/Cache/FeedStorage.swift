internal import FreshetLists

/// The storage of a feed's engine, for items of any type.
protocol FeedStorage: Sendable {
  /// Returns the first rows on disk; see `FeedCache.loadFirst()`.
  func loadFirst() -> CachedRows<AnyItem>
  /// Returns all rows on disk; see `FeedCache.loadRest()`.
  func loadRest() async -> CachedRows<AnyItem>
  /// Reads rows, after the pending steps are stored.
  func load(
    _ range: Range<Int>, of count: Int,
    completion: @escaping @Sendable (Result<[CachedRows<AnyItem>.Row]?, any Error>) -> Void
  )
  /// Stores a step, after those before it.
  func save(_ commit: FeedCommit<AnyItem>)
  /// Reports failures to their observers.
  func reportIssues()
}

/// A cache that returns type-erased rows, so that they are not created twice.
protocol ErasedCache {
  /// Returns the first rows on disk; see `FeedCache.loadFirst()`.
  func loadFirstErased() -> CachedRows<AnyItem>?
  /// Returns all other rows; see `FeedCache.loadRest()`.
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
