internal import Foundation
internal import FreshetLists

/// A store that the feeds of a family share.
///
/// An item is deleted once no feed of the family holds it. If there are too many feeds, the least
/// recently used ones are removed.
///
/// In addition to the notes of each feed, the store keeps notes of the family: the last use and
/// the version of each feed. They are written before anything of a feed is stored, and are the
/// last to be removed. So after a crash, the family knows all stored feeds. A feed that is stored
/// in another version is removed with its items when it is opened, or when limits are enforced.
final class FamilyStore<Store: FeedStore>: FeedStore {
  typealias Item = Store.Item
  typealias Request = Store.Request

  /// A family's note of one of its feeds.
  private struct Use: Codable {
    /// The time of the last use of the feed.
    var date = Date.distantPast
    /// The version of the stored feed; `nil` if it cannot be read.
    var version: Int?
  }

  private struct State {
    /// The notes of the feeds; `nil` until they are read.
    var uses: [String: Use]?
    /// The items that each feed holds; `nil` until they are needed, or after a write failed.
    var items: ItemReferenceCounts<Item.ID>?
  }

  private let store: Store
  private let name: String
  private let version: Int
  private let limits: CacheLimits
  private let now: @Sendable () -> Date
  private let inUse = CacheRegistry()
  private let state = Locked(State())
  /// Serialises all decisions about the items and feeds that are removed from the store.
  private let lock = AsyncLock()
  private let chore = CoalescedTask()

  /// The time for which a feed may be in use without a new note of it.
  private static var interval: TimeInterval { 60 }

  /// Creates the store of a family.
  ///
  /// - Parameters:
  ///   - store: the store of the items and notes.
  ///   - name: the name of the family in the store.
  ///   - version: the version of the source's page keys and order.
  ///   - limits: the limits of the family; bytes are not counted.
  ///   - now: returns the present time.
  init(
    _ store: Store, _ name: String, version: Int = 1, limits: CacheLimits,
    now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.name = name
    self.version = version
    self.limits = limits
    self.now = now
  }

  /// Returns a choice of the cache of the feed with this name.
  func choice(named name: String) -> FeedCacheChoice<Item> {
    var choice = FeedCacheChoice(cache(named: name))
    choice.feed = StoredFeed(store, named: feedName(name))
    return choice
  }

  /// Returns the cache of the feed with this name.
  func cache(named name: String) -> StoreFeedCache<FamilyStore> {
    let feed = feedName(name)
    // The last feed of a family may outlive all other owners of this store.
    let use = inUse.mark(feed) { [self] in enforceLimitsSoon() }
    return StoreFeedCache(self, feed, version: version, use: use)
  }

  private func feedName(_ name: String) -> String { "\(self.name)/\(name)" }

  /// The name of the family's own notes, which no feed has.
  private var ownName: String { "\(name)/" }

  // MARK: - FeedStore

  func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    try await store.execute(query)
  }

  func isIncluded(_ item: Item, in request: Request) -> Bool? {
    store.isIncluded(item, in: request)
  }

  func write(_ changes: ChangeBatch<Item>) async throws { try await store.write(changes) }

  func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    try await store.items(withIDs: ids)
  }

  /// Returns the notes of a feed, and notes its use.
  func notes(of feed: String) async throws -> [String: Data] {
    try await lock.withLock {
      // A store may be readable even if it cannot be written now.
      if try await uses()[feed] != nil { try? await renewUse(of: feed) }
      return try await store.notes(of: feed)
    }
  }

  /// Writes a step of a feed, without the deletions of items that other feeds hold.
  func write(
    _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
  ) async throws {
    try await lock.withLock {
      try await renewUse(of: feed)
      try await writeShared(changes, notes, of: feed)
      if case .some(.none) = notes["manifest"] { try await forget(feed) }
    }
  }

  private func writeShared(
    _ changes: ChangeBatch<Item>, _ notes: [String: Data?], of feed: String
  ) async throws {
    if !changes.deleted.isEmpty { try await readItems() }
    // It is unknown whether a failed write was stored: the notes have to be read again.
    var items = state.withLock { state in
      defer { state.items = nil }
      return state.items
    }
    var rest = ChangeBatch<Item>()
    for change in changes.all {
      if change.item != nil {
        items?.put(change.id, in: feed)
      } else if items?.remove(change.id, from: feed) == false {
        continue
      }
      rest.add(change)
    }
    try await store.write(rest, notes: notes, of: feed)
    state.withLock { $0.items = items }
  }

  // MARK: - Notes of the family

  /// The feeds that are stored.
  private func uses() async throws -> [String: Use] {
    if let uses = state.withLock({ $0.uses }) { return uses }
    let uses = try await store.notes(of: ownName).mapValues { note in
      (try? JSONDecoder().decode(Use.self, from: note)) ?? Use()
    }
    state.withLock { $0.uses = uses }
    return uses
  }

  /// Notes that a feed is used now, unless that was noted a moment ago.
  ///
  /// If the feed is stored in another version, it is removed.
  private func renewUse(of feed: String) async throws {
    let new = Use(date: now(), version: version)
    if let old = try await uses()[feed] {
      if old.version != version {
        try await remove(feed)
      } else if abs(new.date.timeIntervalSince(old.date)) < Self.interval {
        return
      }
    }
    try await store.write(
      ChangeBatch(), notes: [feed: try JSONEncoder().encode(new)], of: ownName)
    state.withLock { $0.uses?[feed] = new }
    enforceLimitsSoon()
  }

  private func forget(_ feed: String) async throws {
    try await store.write(ChangeBatch(), notes: [feed: nil], of: ownName)
    state.withLock { $0.uses?[feed] = nil }
  }

  /// Reads the items that each feed holds, if they are not known.
  ///
  /// - Complexity: O(items), once.
  private func readItems() async throws {
    guard state.withLock({ $0.items == nil }) else { return }
    var items = ItemReferenceCounts<Item.ID>()
    for feed in try await uses().keys {
      for id in StoreRuns<Item>.ids(in: try await store.notes(of: feed)) { items.put(id, in: feed) }
    }
    state.withLock { $0.items = items }
  }

  // MARK: - Limits

  /// Removes the feeds of other versions, and enforces the limits (rule P9).
  ///
  /// The least recently used feeds are removed until the rest is within the limits. If the store
  /// fails, this is done later.
  func enforceLimits() async {
    try? await lock.withLock {
      for (feed, use) in try await uses() where use.version != version && !inUse.contains(feed) {
        try await remove(feed)
      }
      guard limits != .none else { return }
      for feed in try await uses().keys where inUse.contains(feed) { try await renewUse(of: feed) }
      if limits.rows != nil { try await readItems() }
      let items = state.withLock { $0.items }
      let feeds = try await uses().map { feed, use in
        CacheSummary(
          name: feed, rows: items?.count(of: feed) ?? 0, lastUse: use.date,
          isInUse: inUse.contains(feed))
      }
      // A feed may have been opened meanwhile.
      for feed in limits.excess(of: feeds, at: now()) where !inUse.contains(feed) {
        try await remove(feed)
      }
    }
  }

  /// Removes a feed, and the items that no other feed holds.
  private func remove(_ feed: String) async throws {
    let notes = try await store.notes(of: feed)
    try await readItems()
    var changes = ChangeBatch<Item>()
    let ids = state.withLock { state in
      defer { state.items = nil }
      return state.items
    }
    var items = ids ?? ItemReferenceCounts()
    for id in items.remove(feed) { changes.addDeletion(of: id) }
    try await store.write(changes, notes: notes.mapValues { _ in nil }, of: feed)
    state.withLock { $0.items = items }
    try await forget(feed)
  }

  private func enforceLimitsSoon() {
    // The priority is that of the caller, because feeds may wait for the lock meanwhile.
    chore.perform { [self] in await enforceLimits() }
  }
}
