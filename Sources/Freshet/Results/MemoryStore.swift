public import struct Foundation.Data
public import FreshetLists

/// A store in memory, of items that are all of interest: the model of every other store, and what
/// tests use.
///
/// ```swift
/// let store = MemoryStore(quakes)
/// let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
/// try await store.write(inserting: [quake])
/// ```
public final class MemoryStore<Item: ListItem>: WritableDataStore {
  /// What a query asks for.
  public struct Request: Sendable {
    /// Which items it is about.
    public var isIncluded: @Sendable (Item) -> Bool

    /// Every item.
    public static var all: Request { Request { _ in true } }

    /// Creates a request.
    public init(where isIncluded: @escaping @Sendable (Item) -> Bool) {
      self.isIncluded = isIncluded
    }
  }

  private struct State {
    var items: [Item.ID: Item] = [:]
    /// The ids in the order in which the items came.
    var order: [Item.ID: Int] = [:]
    var lastOrder = 0
    var queries: [Int: DataStoreQuery<Item, Request>] = [:]
    var lastQuery = 0
    var notes: [String: [String: Data]] = [:]

    /// The items, in the order in which they came.
    var sorted: [Item] { order.sorted { $0.value < $1.value }.compactMap { items[$0.key] } }

    mutating func put(_ item: Item) {
      guard items.updateValue(item, forKey: item.id) == nil else { return }
      lastOrder += 1
      order[item.id] = lastOrder
    }

    mutating func remove(_ id: Item.ID) {
      items[id] = nil
      order[id] = nil
    }
  }

  private let state = Locked(State())

  /// Creates a store with these items.
  public init(_ items: [Item] = []) {
    state.withLock { state in for item in items { state.put(item) } }
  }

  /// The items, in the order in which they came.
  public var items: [Item] { state.withLock { $0.sorted } }

  /// Enqueues the items, and until the task is cancelled, what changes.
  public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    let number = state.withLock { state in
      state.lastQuery += 1
      state.queries[state.lastQuery] = query
      // Under the lock: no change can come before the items that it changes.
      query.enqueue(state.sorted.filter(query.request.isIncluded), as: .insert)
      query.finishInitialResults()
      return state.lastQuery
    }
    await query.untilStopped()
    state.withLock { _ = $0.queries.removeValue(forKey: number) }
  }

  /// Makes changes, and tells the running queries.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    put(changes, notes: [:], of: "")
  }

  private func put(_ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String) {
    state.withLock { state in
      for (name, note) in notes { state.notes[feed, default: [:]][name] = note }
      for change in changes.all {
        if let item = change.item { state.put(item) } else { state.remove(change.id) }
      }
      for query in state.queries.values {
        var seen = ChangeBatch<Item>()
        for change in changes.all {
          if let item = change.item, query.request.isIncluded(item) {
            seen.add(item, as: change.kind)
          } else {
            seen.addDeletion(of: change.id)
          }
        }
        query.enqueue(seen)
      }
    }
  }
}

extension MemoryStore: FeedStore where Item.ID: Codable {
  /// Makes changes of items and notes, and tells the running queries.
  public func write(
    _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
  ) async throws {
    put(changes, notes: notes, of: feed)
  }

  /// The notes of a feed, by name.
  public func notes(of feed: String) async throws -> [String: Data] {
    state.withLock { $0.notes[feed] ?? [:] }
  }

  /// The items with these ids.
  public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    state.withLock { state in ids.compactMap { state.items[$0] } }
  }
}
