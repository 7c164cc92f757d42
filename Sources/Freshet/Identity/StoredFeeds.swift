/// The feeds of an identity map that keep their rows in stores.
///
/// Live results of such a store and of the same map ask it which changes are echoes.
final class StoredFeeds: Sendable {
  /// A feed, for as long as it exists or still writes.
  final class Registration: Sendable {
    let feed: StoredFeed
    /// The feed's number in the map.
    let member: SharedItems.Member
    /// Stores what the feed shows.
    ///
    /// It returns whether the store has all of it then.
    let settle: @Sendable () async -> Bool
    private let feeds: StoredFeeds

    fileprivate init(
      _ feed: StoredFeed, _ member: SharedItems.Member, in feeds: StoredFeeds,
      settle: @escaping @Sendable () async -> Bool
    ) {
      (self.feed, self.member, self.feeds, self.settle) = (feed, member, feeds, settle)
    }

    deinit { feeds.remove(ObjectIdentifier(self), of: feed) }
  }

  private struct Entry: Sendable { weak var registration: Registration? }

  // A lock of its own: stores ask it under their locks, and user code runs under that of the map.
  private let entries = Locked<[StoredFeed: [ObjectIdentifier: Entry]]>([:])

  /// Adds a feed, until the registration is released.
  func register(
    _ feed: StoredFeed, _ member: SharedItems.Member, settle: @escaping @Sendable () async -> Bool
  ) -> Registration {
    let registration = Registration(feed, member, in: self, settle: settle)
    entries.withLock {
      $0[feed, default: [:]][ObjectIdentifier(registration)] = Entry(registration: registration)
    }
    return registration
  }

  private func remove(_ id: ObjectIdentifier, of feed: StoredFeed) {
    entries.withLock { entries in
      entries[feed]?[id] = nil
      if entries[feed]?.isEmpty == true { entries[feed] = nil }
    }
  }

  func contains(_ feed: StoredFeed) -> Bool { entries.withLock { $0[feed] != nil } }

  /// Returns the feeds in a store.
  ///
  /// - Complexity: O(feeds).
  func feeds(in store: ObjectIdentifier) -> [Registration] {
    entries.withLock { entries in
      entries.filter { $0.key.store == store }.values.flatMap {
        $0.values.compactMap(\.registration)
      }
    }
  }
}
