/// Bounds the number of locks that a process holds at once: each takes a file descriptor.
///
/// Beyond `limit`, the cache that has been idle for longest releases its lock, and takes it again
/// with its next step.
final class LockPool: Sendable {
  static let shared = LockPool()

  private struct Holder {
    let id: ObjectIdentifier
    weak var cache: (any LockingCache)?
  }

  let limit: Int
  /// The caches that may hold a lock, least recently used first.
  private let holders = Locked<[Holder]>([])

  init(limit: Int = 64) { self.limit = limit }

  /// Notes that a cache stored something, and releases the locks of idle caches beyond the limit.
  ///
  /// A caller must not hold the lock on the cache's state: the one of another cache is taken here.
  ///
  /// - Complexity: O(limit).
  func note(_ cache: any LockingCache) {
    let idle = holders.withLock { holders -> [any LockingCache] in
      let id = ObjectIdentifier(cache)
      holders.removeAll { $0.id == id || $0.cache == nil }
      holders.append(Holder(id: id, cache: cache))
      let surplus = max(0, holders.count - limit)
      defer { holders.removeFirst(surplus) }
      return holders.prefix(surplus).compactMap(\.cache)
    }
    for cache in idle { cache.rest() }
  }
}
