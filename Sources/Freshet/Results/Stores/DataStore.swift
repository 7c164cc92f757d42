public import FreshetLists

/// A source of items for live results.
///
/// It has one job: to run a query for as long as its results are needed.
///
/// ```swift
/// struct PostStore: DataStore {
///   func execute(_ query: DataStoreQuery<Post, PostRequest>) async throws {
///     query.enqueue(try await api.posts(query.request), as: .insert)
///     query.finishInitialResults()
///     for try await event in api.changes { query.enqueue([event.post], as: event.kind) }
///   }
/// }
/// ```
public protocol DataStore<Item, Request>: Sendable {
  /// The type of the items, which live results show as rows.
  associatedtype Item: ListItem
  /// The type that describes the items that a query selects.
  associatedtype Request: Sendable

  /// Runs a query: enqueues the current items, and then changes for as long as it supports them.
  ///
  /// If an item changed and the request does not select it, enqueue it as deleted. Of several
  /// changes of one item, the one enqueued last is the newest. A change may be enqueued twice.
  /// Enqueue changes that belong together as one `ChangeBatch`, because the first change after a
  /// quiet time is shown at once.
  ///
  /// A short-lived query returns once it has enqueued its results. A long-running query continues
  /// until its task is cancelled, which is the signal to stop. If the method throws, the query has
  /// failed, and the items enqueued so far stay on screen.
  ///
  /// - Throws: the reason why the query failed; the items enqueued so far stay on screen.
  func execute(_ query: DataStoreQuery<Item, Request>) async throws

  /// Returns whether a request selects an item; `nil` if only the store's data can decide it.
  ///
  /// A `Draft` asks this for every edit that it shows. `nil`, which the default implementation
  /// returns, counts as yes. It is called often, has to return at once, and must not call the
  /// draft.
  func isIncluded(_ item: Item, in request: Request) -> Bool?
}

extension DataStore {
  /// Returns `nil`: it cannot decide from the item alone.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? { nil }
}

/// A store that accepts changes.
///
/// ```swift
/// func write(_ changes: ChangeBatch<Todo>) async throws {
///   await server.put(changes.upserted, deleting: changes.deleted)
/// }
/// ```
public protocol WritableDataStore<Item, Request>: DataStore {
  /// Applies changes, all of them or none.
  ///
  /// An insertion replaces an item with the same id. An update of an item that does not exist
  /// inserts it. A deletion of an item that does not exist does nothing. Running queries receive
  /// these changes like any other, before or after this method returns.
  ///
  /// - Throws: the reason why nothing was written.
  func write(_ changes: ChangeBatch<Item>) async throws
}

extension WritableDataStore {
  /// Applies changes, all of them or none.
  ///
  /// - Throws: the error of the store; nothing is written in that case.
  public func write(
    inserting inserted: [Item] = [], updating updated: [Item] = [], deleting deleted: [Item.ID] = []
  ) async throws {
    var changes = ChangeBatch<Item>()
    for item in inserted { changes.add(item, as: .insert) }
    for item in updated { changes.add(item, as: .update) }
    for id in deleted { changes.addDeletion(of: id) }
    try await write(changes)
  }
}
