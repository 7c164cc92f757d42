/// The caches of a process that hold their locks: each lock takes a descriptor, of which a process
/// has few.
///
/// Where more than `limit` caches hold one, the cache that stored nothing for longest gives its
/// lock up, and takes it again with its next step.
final class HeldLocks: Sendable {
  static let shared = HeldLocks()

  private struct Holder {
    let id: ObjectIdentifier
    weak var cache: (any LockingCache)?
  }

  let limit: Int
  /// Those that may hold a lock, the one that stored last at the end.
  private let holders = Locked<[Holder]>([])

  init(limit: Int = 64) { self.limit = limit }

  /// A cache stored something, and has let go of what guards its state.
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
