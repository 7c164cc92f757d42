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
    public var isIncluded: @Sendable (Item) -> Bool { didSet { isAll = false } }
    /// Whether it is about every item: none has to be looked at.
    private var isAll = false

    /// Asks for every item of the store.
    public static var all: Request {
      var all = Request { _ in true }
      all.isAll = true
      return all
    }

    /// Asks for the items that a condition holds for.
    public init(where isIncluded: @escaping @Sendable (Item) -> Bool) {
      self.isIncluded = isIncluded
    }

    fileprivate func included(_ items: [Item]) -> [Item] {
      isAll ? items : items.filter(isIncluded)
    }

    /// What a query of it is told of changes.
    fileprivate func seen(_ changes: ChangeBatch<Item>) -> ChangeBatch<Item> {
      isAll ? changes : changes.seen(by: isIncluded)
    }
  }

  /// A running query.
  private final class Running: Sendable {
    let query: DataStoreQuery<Item, Request>
    /// What it was not told yet, and whether somebody is telling it: who begins it, at first.
    private let state = Locked((missed: ChangeBatch<Item>(), isBeingTold: true))

    init(_ query: DataStoreQuery<Item, Request>) { self.query = query }

    /// Something changed.
    ///
    /// - Returns: whether the caller has to tell the query, since nobody does.
    func miss(_ changes: ChangeBatch<Item>) -> Bool {
      state.withLock { state in
        if state.isBeingTold { state.missed.add(changes) }
        defer { state.isBeingTold = true }
        return !state.isBeingTold
      }
    }

    /// Tells the query of changes, and lets a task tell what others write meanwhile.
    ///
    /// The closures of the query's owner are called here: no lock of the store is held.
    func tell(_ changes: ChangeBatch<Item>) {
      query.enqueue(query.request.seen(changes))
      if let missed = next() { Task { @concurrent in self.tellMissed(missed) } }
    }

    /// Tells the query of what it missed and meanwhile misses, in its order.
    func tellMissed(_ first: ChangeBatch<Item>? = nil) {
      var missed = first ?? next()
      while let changes = missed {
        query.enqueue(query.request.seen(changes))
        missed = next()
      }
    }

    private func next() -> ChangeBatch<Item>? {
      state.withLock { state in
        state.isBeingTold = !state.missed.isEmpty
        defer { state.missed = ChangeBatch() }
        return state.missed.isEmpty ? nil : state.missed
      }
    }
  }

  private struct State {
    var items = InsertionOrderedItems<Item>()
    var queries: [Running] = []
    var notes: [String: [String: Data]] = [:]
  }

  // Held for moments: a query that begins looks at the items of that moment, outside of it.
  private let state = Locked(State())

  /// Creates a store with these items.
  public init(_ items: [Item] = []) {
    state.withLock { state in for item in items { state.items.put(item) } }
  }

  /// The items, in the order in which they came.
  public var items: [Item] { state.withLock { $0.items.snapshot }.items }

  /// Enqueues the items, and until the task is cancelled, what changes.
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

  /// Whether the request's condition holds for an item.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? { request.isIncluded(item) }

  /// Makes changes, and tells the running queries.
  ///
  /// - Throws: nothing; other stores may.
  public func write(_ changes: ChangeBatch<Item>) async throws {
    put(changes)
  }

  func put(
    _ changes: ChangeBatch<Item>, notes: [String: Data?] = [:], of feed: String = ""
  ) {
    let untold = state.withLock { state in
      for (name, note) in notes { state.notes[feed, default: [:]][name] = note }
      for change in changes.all {
        if let item = change.item { state.items.put(item) } else { state.items.remove(change.id) }
      }
      return state.queries.filter { $0.miss(changes) }
    }
    for running in untold { running.tell(changes) }
  }
}

extension MemoryStore: FeedStore where Item.ID: Codable {
  /// Makes changes of items and notes, and tells the running queries.
  ///
  /// - Throws: nothing; other stores may.
  public func write(
    _ changes: ChangeBatch<Item>, notes: [String: Data?], of feed: String
  ) async throws {
    put(changes, notes: notes, of: feed)
  }

  /// The notes of a feed, by name.
  ///
  /// - Throws: nothing; other stores may.
  public func notes(of feed: String) async throws -> [String: Data] {
    state.withLock { $0.notes[feed] ?? [:] }
  }

  /// The items with these ids.
  ///
  /// - Throws: nothing; other stores may.
  public func items(withIDs ids: [Item.ID]) async throws -> [Item] {
    state.withLock { state in ids.compactMap { state.items[$0] } }
  }
}
