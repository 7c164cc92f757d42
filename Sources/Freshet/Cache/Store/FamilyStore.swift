internal import Foundation
internal import FreshetLists

/// A store that the feeds of a family share: an item leaves it once none of them holds it, and the feeds
/// used longest ago leave it where there are too many.
///
/// Beside the notes of each feed the store keeps those of the family: for each feed, when it was used last.
/// That is noted before anything is stored of a feed, and goes last: after a crash there is no feed that
/// the family does not know.
final class FamilyStore<Store: FeedStore>: FeedStore {
  typealias Item = Store.Item
  typealias Request = Store.Request

  private struct State {
    /// When each feed was used last, as it is noted; `nil` until that was read.
    var uses: [String: Date]?
    /// Whose items are whose; `nil` until somebody asks, and where nobody knows what was stored.
    var items: SharedItems<Item.ID>?
    var isDue = false
  }

  private let store: Store
  private let name: String
  private let limits: CacheLimits
  private let now: @Sendable () -> Date
  private let inUse = CachesInUse()
  private let state = Locked(State())
  /// Who decides what leaves the store is alone with it.
  private let lock = AsyncLock()

  /// How long a feed may be in use without a note of it.
  private static var interval: TimeInterval { 60 }

  /// Creates the store of a family.
  ///
  /// - Parameters:
  ///   - store: where items and notes are.
  ///   - name: the family's name there.
  ///   - limits: how much may be stored; bytes are not counted.
  ///   - now: the time.
  init(
    _ store: Store, _ name: String, limits: CacheLimits, now: @escaping @Sendable () -> Date
  ) {
    self.store = store
    self.name = name
    self.limits = limits
    self.now = now
  }

  /// The cache of the feed with this name.
  func cache(named name: String, version: Int) -> StoreFeedCache<FamilyStore> {
    let feed = "\(self.name)/\(name)"
    return StoreFeedCache(self, feed, version: version, use: inUse.mark(feed))
  }

  /// The name under which the family keeps its own notes; no feed has it.
  private var ownName: String { "\(name)/" }

  // MARK: - A store like any other

  func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    try await store.execute(query)
  }

  func write(_ changes: ChangeBatch<Item>) async throws { try await store.write(changes) }

  func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    try await store.items(withIDs: ids)
  }

  /// The notes of a feed, which is used with that.
  func notes(of feed: String) async throws -> [String: Data] {
    try await lock.withLock {
      // A store that cannot be written now can be read.
      if try await uses()[feed] != nil { try? await noteUse(of: feed) }
      return try await store.notes(of: feed)
    }
  }

  /// Writes a step of a feed, without the deletions of items that other feeds hold.
  func write(
    _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
  ) async throws {
    try await lock.withLock {
      try await noteUse(of: feed)
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
      } else if items?.take(change.id, from: feed) == false {
        continue
      }
      rest.add(change)
    }
    try await store.write(rest, notes: notes, of: feed)
    state.withLock { $0.items = items }
  }

  // MARK: - What the family knows

  /// When each feed was used last.
  private func uses() async throws -> [String: Date] {
    if let uses = state.withLock({ $0.uses }) { return uses }
    let uses = try await store.notes(of: ownName).mapValues { note in
      Date(timeIntervalSince1970: (try? JSONDecoder().decode(Double.self, from: note)) ?? 0)
    }
    state.withLock { $0.uses = uses }
    return uses
  }

  /// Notes that a feed is used now, if that was not done a moment ago.
  private func noteUse(of feed: String) async throws {
    let now = now()
    if let use = try await uses()[feed], abs(now.timeIntervalSince(use)) < Self.interval { return }
    let note = try JSONEncoder().encode(now.timeIntervalSince1970)
    try await store.write(ChangeBatch(), notes: [feed: note], of: ownName)
    state.withLock { $0.uses?[feed] = now }
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
    var items = SharedItems<Item.ID>()
    for feed in try await uses().keys {
      for id in NotedRuns<Item>.ids(in: try await store.notes(of: feed)) { items.put(id, in: feed) }
    }
    state.withLock { $0.items = items }
  }

  // MARK: - Limits

  /// Removes the feeds used longest ago until the rest is within the limits (rule P9).
  ///
  /// What the store cannot do now is done later.
  func enforceLimits() async {
    try? await lock.withLock {
      for feed in try await uses().keys where inUse.contains(feed) { try await noteUse(of: feed) }
      if limits.rows != nil { try await readItems() }
      let items = state.withLock { $0.items }
      let feeds = try await uses().map { feed, use in
        CacheSummary(
          name: feed, rows: items?.count(of: feed) ?? 0, lastUse: use,
          isInUse: inUse.contains(feed))
      }
      for feed in limits.excess(of: feeds, at: now()) { try await remove(feed) }
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
    var items = ids ?? SharedItems()
    for id in items.remove(feed) { changes.addDeletion(of: id) }
    try await store.write(changes, notes: notes.mapValues { _ in nil }, of: feed)
    state.withLock { $0.items = items }
    try await forget(feed)
  }

  private func enforceLimitsSoon() {
    guard limits != .none else { return }
    let isFirst = state.withLock { state in
      defer { state.isDue = true }
      return !state.isDue
    }
    guard isFirst else { return }
    // As urgent as who may wait for the lock meanwhile.
    Task { @concurrent [weak self] in
      self?.state.withLock { $0.isDue = false }
      await self?.enforceLimits()
    }
  }
}
