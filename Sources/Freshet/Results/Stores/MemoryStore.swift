public import struct Foundation.Data
public import FreshetLists

/// A store in memory, for tests and as the model of every other store.
///
/// It suits a number of items that can all be examined: a query other than `Request.all` asks its
/// condition for each of them.
///
/// ```swift
/// let store = MemoryStore(quakes)
/// let results = LiveResults(store: store, arrangement: .sorted(by: \.time, .reverse))
/// try await store.write(inserting: [quake])
/// ```
public final class MemoryStore<Item: ListItem>: WritableDataStore {
  /// The request of a query.
  public struct Request: Sendable {
    /// The condition that selects the items.
    public var isIncluded: @Sendable (Item) -> Bool { didSet { isAll = false } }
    /// Whether the request selects every item, so that no item has to be examined.
    private var isAll = false

    /// Asks for every item of the store.
    public static var all: Request {
      var all = Request { _ in true }
      all.isAll = true
      return all
    }

    /// Requests the items that meet a condition.
    public init(where isIncluded: @escaping @Sendable (Item) -> Bool) {
      self.isIncluded = isIncluded
    }

    fileprivate func included(_ items: [Item]) -> [Item] {
      isAll ? items : items.filter(isIncluded)
    }

    /// Returns changes as a query with this request receives them.
    fileprivate func seen(_ changes: ChangeBatch<Item>) -> ChangeBatch<Item> {
      isAll ? changes : changes.seen(by: isIncluded)
    }
  }

  /// A running query.
  private final class Running: Sendable {
    let query: DataStoreQuery<Item, Request>
    /// The changes it has not received yet, and whether a caller is delivering changes.
    ///
    /// At first that is true: the caller that begins the query delivers them.
    private let state = Locked((missed: ChangeBatch<Item>(), isBeingTold: true))

    init(_ query: DataStoreQuery<Item, Request>) { self.query = query }

    /// Records changes for later if a caller is delivering to the query.
    ///
    /// - Parameter feed: the feed that wrote them; `nil` if none did.
    /// - Returns: whether this caller has to deliver them, because no other one is delivering.
    func miss(_ changes: ChangeBatch<Item>, of feed: String?) -> Bool {
      state.withLock { state in
        guard state.isBeingTold else {
          state.isBeingTold = true
          return true
        }
        if let feed {
          state.missed.add(query.attributing(changes, to: feed))
        } else {
          state.missed.add(changes)
        }
        return false
      }
    }

    /// Delivers changes to the query, and starts a task for those that are written meanwhile.
    ///
    /// It calls closures of the query's owner, so no lock of the store is held here.
    func tell(_ changes: ChangeBatch<Item>, of feed: String?) {
      if let feed {
        query.enqueue(query.request.seen(query.attributing(changes, to: feed)))
      } else {
        query.enqueue(query.request.seen(changes))
      }
      if let missed = next() { Task { @concurrent in self.tellMissed(missed) } }
    }

    /// Delivers the changes that the query missed and those it misses meanwhile, in order.
    func tellMissed(_ first: ChangeBatch<Item>? = nil) {
      var missed = first ?? next()
      while let changes = missed {
        query.enqueue(query.request.seen(changes))
        missed = next()
      }
    }

    private func next() -> ChangeBatch<Item>? {
      state.withLock { state in
        guard !state.missed.isEmpty else {
          state.isBeingTold = false
          return nil
        }
        defer { state.missed = ChangeBatch() }
        return state.missed
      }
    }
  }

  private struct State {
    var items = InsertionOrderedItems<Item>()
    var queries: [Running] = []
    var notes: [String: [String: Data]] = [:]
  }

  // The lock is held only briefly: a new query reads a snapshot of the items outside the lock.
  private let state = Locked(State())

  /// Creates a store with these items.
  public init(_ items: [Item] = []) {
    state.withLock { state in for item in items { state.items.put(item) } }
  }

  /// The items, in insertion order.
  public var items: [Item] { state.withLock { $0.items.snapshot }.items }

  /// Enqueues the items, and then all changes until the task is cancelled.
  ///
  /// - Throws: nothing; other stores may.
  public func execute(_ query: DataStoreQuery<Item, Request>) async throws {
    let running = Running(query)
    let snapshot = state.withLock { state in
      state.queries.append(running)
      return state.items.snapshot
    }
    query.enqueue(query.request.included(snapshot.items), as: .insert)
    running.tellMissed()
    query.finishInitialResults()
    await query.untilStopped()
    state.withLock { $0.queries.removeAll { $0 === running } }
  }

  /// Returns whether an item meets the condition of a request.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? { request.isIncluded(item) }

  /// Applies changes, and notifies the running queries.
  ///
  /// - Throws: nothing; other stores may.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    put(changes)
  }

  func put(
    _ changes: ChangeBatch<Item>, notes: [String: Data?] = [:], of feed: String? = nil
  ) {
    let untold = state.withLock { state in
      if let feed {
        for (name, note) in notes { state.notes[feed, default: [:]][name] = note }
      }
      for change in changes.all {
        if let item = change.item { state.items.put(item) } else { state.items.remove(change.id) }
      }
      return state.queries.filter { $0.miss(changes, of: feed) }
    }
    for running in untold { running.tell(changes, of: feed) }
  }
}

extension MemoryStore: FeedStore where Item.ID: Codable {
  /// Applies changes of items and notes, and notifies the running queries.
  ///
  /// - Throws: nothing; other stores may.
  public func write(
    _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
  ) async throws {
    put(changes, notes: notes, of: feed)
  }

  /// Returns the notes of a feed, by name.
  ///
  /// - Throws: nothing; other stores may.
  public func notes(of feed: String) async throws -> [String: Data] {
    state.withLock { $0.notes[feed] ?? [:] }
  }

  /// Returns the items with these ids.
  ///
  /// - Throws: nothing; other stores may.
  public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    state.withLock { state in ids.compactMap { state.items[$0] } }
  }
}
