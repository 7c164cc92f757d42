internal import Foundation
internal import FreshetLists

/// A store that the feeds of a family share: an item leaves it once none of them holds it, and the
/// feeds used longest ago leave it where there are too many.
///
/// Beside the notes of each feed the store keeps those of the family: for each feed, when it was
/// used last and in which version. That is written before anything is stored of a feed, and goes
/// last: after a crash there is no feed that the family does not know. What is stored of another
/// version goes with its items when the feed is opened, or when limits are looked at.
final class FamilyStore<Store: FeedStore>: FeedStore {
  typealias Item = Store.Item
  typealias Request = Store.Request

  /// A family's note of one of its feeds.
  private struct Use: Codable {
    /// When the feed was used last.
    var date = Date.distantPast
    /// The version of what is stored of it; `nil` where that cannot be read.
    var version: Int?
  }

  private struct State {
    /// The notes of the feeds; `nil` until they were read.
    var uses: [String: Use]?
    /// Whose items are whose; `nil` until somebody asks, and where nobody knows what was stored.
    var items: ItemReferenceCounts<Item.ID>?
  }

  private let store: Store
  private let name: String
  private let version: Int
  private let limits: CacheLimits
  private let now: @Sendable () -> Date
  private let inUse = CacheRegistry()
  private let state = Locked(State())
  /// Who decides what leaves the store is alone with it.
  private let lock = AsyncLock()
  private let chore = CoalescedTask()

  /// How long a feed may be in use without a note of it.
  private static var interval: TimeInterval { 60 }

  /// Creates the store of a family.
  ///
  /// - Parameters:
  ///   - store: where items and notes are.
  ///   - name: the family's name there.
  ///   - version: the version of the source's page keys and order.
  ///   - limits: how much may be stored; bytes are not counted.
  ///   - now: the time.
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

  /// The cache of the feed with this name.
  func cache(named name: String) -> StoreFeedCache<FamilyStore> {
    let feed = "\(self.name)/\(name)"
    // The last feed of a family may outlive all else that holds this store.
    let use = inUse.mark(feed) { [self] in enforceLimitsSoon() }
    return StoreFeedCache(self, feed, version: version, use: use)
  }

  /// The name under which the family keeps its own notes; no feed has it.
  private var ownName: String { "\(name)/" }

  // MARK: - A store like any other

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

  /// The notes of a feed, which is used with that.
  func notes(of feed: String) async throws -> [String: Data] {
    try await lock.withLock {
      // A store that cannot be written now can be read.
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
    // Whether a write that fails was stored is unknown: the notes say so.
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

  // MARK: - What the family knows

  /// The feeds that are stored.
  private func uses() async throws -> [String: Use] {
    if let uses = state.withLock({ $0.uses }) { return uses }
    let uses = try await store.notes(of: ownName).mapValues { note in
      (try? JSONDecoder().decode(Use.self, from: note)) ?? Use()
    }
    state.withLock { $0.uses = uses }
    return uses
  }

  /// Writes that a feed is used now, if that was not done a moment ago; what is stored of it in
  /// another version goes.
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

  /// Reads which feed holds which items, if that is not known.
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

  /// Removes the feeds of other versions, and those used longest ago until the rest is within the
  /// limits (rule P9).
  ///
  /// What the store cannot do now is done later.
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
      // Meanwhile one may have been opened.
      for feed in limits.excess(of: feeds, at: now()) where !inUse.contains(feed) {
        try await remove(feed)
      }
    }
  }

  /// Removes a feed, and the items that no other one holds.
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
    // As urgent as who may wait for the lock meanwhile.
    chore.perform { [self] in await enforceLimits() }
  }
}
