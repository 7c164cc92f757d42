public import FreshetLists

/// A place of live results.
///
/// Its one job is to run a query for as long as somebody wants it.
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
  /// What the store holds, and results show as rows.
  associatedtype Item: ListItem
  /// The type that says what a query asks for.
  associatedtype Request: Sendable

  /// Runs a query: enqueues what there is, and for as long as it cares to, what changes.
  ///
  /// An item that changed and is not asked for, any more or at all, is enqueued as deleted. Of
  /// several changes of one item the last one enqueued is the newest; changes may be enqueued
  /// twice. What changed together is enqueued as one `ChangeBatch`: the first change after a quiet
  /// time is shown at once.
  ///
  /// A short-lived query returns once it has enqueued its results; a long-running one goes on until
  /// its task is cancelled, which is how it is told to stop. Throwing says that the query failed:
  /// what was enqueued so far stays on screen.
  ///
  /// - Throws: why the query failed; what was enqueued so far stays on screen.
  func execute(_ query: DataStoreQuery<Item, Request>) async throws

  /// Whether a request asks for an item, as the item alone says; `nil` where only the store can
  /// say.
  ///
  /// A `Draft` asks for every edit that it shows: `nil`, the default, counts as yes. It is called
  /// often, has to answer at once, and must not call the draft.
  func isIncluded(_ item: Item, in request: Request) -> Bool?
}

extension DataStore {
  /// Says that it does not know: `nil`.
  public func isIncluded(_ item: Item, in request: Request) -> Bool? { nil }
}

/// A store that takes changes.
///
/// ```swift
/// func write(_ changes: ChangeBatch<Todo>) async throws {
///   await server.put(changes.upserted, deleting: changes.deleted)
/// }
/// ```
public protocol WritableDataStore<Item, Request>: DataStore {
  /// Makes changes, all of them or none.
  ///
  /// Items are put: an insertion takes the place of an item with the same id, and an update of an
  /// item that is not there inserts it. A deletion of what is not there does nothing. Running
  /// queries are told as of any other change, before or after this returns.
  ///
  /// - Throws: why nothing was written.
  func write(_ changes: ChangeBatch<Item>) async throws
}

extension WritableDataStore {
  /// Makes changes, all of them or none.
  ///
  /// - Throws: what the store throws; nothing is written then.
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
