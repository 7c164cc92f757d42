public import FreshetLists

/// A controller of a feed: see `ListController`.
///
/// ```swift
/// let feed = FeedController(cache: .file("home")) { (request: PageRequest<String>) in
///   let answer = try await api.posts(after: request.key, count: request.limit)
///   return Page(answer.posts, next: answer.cursor)
/// }
/// ```
public typealias FeedController<Item: ListItem> = ListController<Feed<Item>>

extension ListController {
  /// Creates a feed and its controller.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - start: the page to begin with if nothing is stored; `nil` begins at the head.
  ///   - order: the order of the source, if it is known: see `Feed`.
  ///   - cache: where the rows survive a relaunch; `nil` keeps them in memory only.
  ///   - section: the name of the section of an item, asked for when the item is inserted or
  ///     updated; `nil` for a list without sections.
  ///   - configuration: the behaviour of the feed.
  public convenience init<Item: ListItem, Key>(
    _ source: some FeedSource<Item, Key>, startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration()
  ) where List == Feed<Item> {
    self.init(
      Feed(
        source, startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        configuration: configuration))
  }

  /// Creates a feed from a closure that answers requests, asynchronous or not.
  ///
  /// The keys are taken to name places that stay, as cursors do, unless `continuity` says
  /// otherwise. If a server counts pages or rows, use `NumberedSource` or `OffsetSource`.
  public convenience init<Item: ListItem, Key: Hashable & Codable & Sendable>(
    startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    continuity: PageContinuity = .stable,
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) where List == Feed<Item> {
    self.init(
      Feed(
        startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        configuration: configuration, continuity: continuity, page: page))
  }
}

/// A list whose rows are those of a feed: a feed, or the feeds of a query that changes.
public protocol FeedList<Item>: EditableList {
  /// The feed whose rows are on display: edits are made there.
  var feed: Feed<Item> { get }
  /// The feed that is loaded; `nil` while it is being chosen.
  var loadingFeed: Feed<Item>? { get }
}

extension Feed: FeedList {
  /// This feed, whose rows are on display.
  public var feed: Feed<Item> { self }
  /// This feed, which is always the one that is loaded.
  public var loadingFeed: Feed<Item>? { self }
}

extension ListController where List: FeedList {
  /// The feed whose rows are on display, for code that is not on the main actor.
  public var feed: Feed<Item> { list.feed }

  /// The reason for a row's position: the page, the event or the edit that put it there, and when.
  ///
  /// It is answered in turn, after the calls before it.
  public func trace(of id: Item.ID) async -> RowTrace? { await feed.trace(of: id) }

  // MARK: - The reader

  /// The item at which the reader is: the first one on screen, say.
  ///
  /// It is stored with the next step, or by `flush()`, and is there again after a relaunch. If the
  /// item is removed, the nearest one left takes its place.
  public var anchor: Item.ID? {
    get { displayed.place.anchor }
    set { now { $0.feed.anchor = newValue } }
  }

  // MARK: - New rows that are held back

  /// Holds rows back that are inserted at the head from now on, so that nothing moves under the
  /// reader.
  ///
  /// `state.newItems` counts them ("12 new").
  public func holdNew() { now { $0.loadingFeed?.holdNew() } }

  /// Shows the rows that were held back, and new ones as they are inserted.
  ///
  /// Hundreds of them are shown a moment after it returns.
  public func showNew() { now { $0.loadingFeed?.showNew() } }

  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn.
  public func loadCacheSynchronously() { now { $0.feed.loadCacheSynchronously() } }

  /// Shows all rows on disk, and waits until they are shown.
  public func loadCache() async { await settled { await $0.feed.loadCache() } }

  /// Removes what is stored, and waits until it is removed.
  ///
  /// The rows stay on screen; the next step stores them again.
  public func clearCache() async { await feed.clearCache() }

  /// Waits until everything shown so far is stored.
  public func flush() async { await feed.flush() }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { feed.isSaved }

  /// The problems of the cache, as they occur.
  public var cacheIssues: AsyncStream<CacheIssue> { feed.cacheIssues }

  // MARK: - Events

  /// Applies one event of the source.
  ///
  /// See `Feed.receive(_:)`.
  public func receive(_ event: FeedEvent<Item>) { now { $0.feed.receive(event) } }

  /// Applies the events of a source, after a refresh, for as long as there are any.
  ///
  /// See `Feed.follow(_:)`. They go to the feed on display when it is called: if the query changes,
  /// call it again.
  ///
  /// - Throws: `FeedError` if the refresh fails, or what `events` threw.
  public func follow<Events: AsyncSequence>(_ events: Events) async throws
  where Events.Element == FeedEvent<Item> {
    try await feed.follow(events)
  }
}

// Local edits change the list alone: no source is asked.
extension ListController where List: FeedList {
  // An index is one on display; the engine, which may be ahead, is given ids.

  /// Inserts an item so that its index in `items` is `index`; one with its id is moved there.
  ///
  /// The edit is local: it is stored in the cache, the source does not learn of it, and its next
  /// answer decides. It is on display on return unless the feed is at work.
  ///
  /// - Precondition: `index` is in `0...items.count`.
  /// - Complexity: O(log *n*) for an item that is not in the list, otherwise O(*n*).
  public func insertLocally(_ item: Item, at index: Int) {
    let isThere = path(of: item.id) != nil
    let old = isThere ? items.firstIndex { $0.id == item.id } : nil
    let other = self.item(
      above: old == nil ? index : Swift.min(index, items.count - 1), without: old)
    now { $0.feed.insertLocally(item, after: other) }
  }

  /// Removes the item at `index` of `items`, locally: see `insertLocally(_:at:)`.
  ///
  /// - Precondition: `index` is in `0..<items.count`.
  public func removeLocally(at index: Int) {
    let id = items[index].id
    now { $0.feed.removeLocally(id) }
  }

  /// Moves the item at `index` of `items` so that its index is `target`, locally: see
  /// `insertLocally(_:at:)`.
  ///
  /// - Precondition: both are in `0..<items.count`.
  public func moveLocally(from index: Int, to target: Int) {
    let id = items[index].id
    let other = item(above: target, without: index)
    now { $0.feed.moveLocally(id, after: other) }
  }

  /// Moves an item after another, or to the head if `other` is `nil` or not in the list, locally:
  /// see `insertLocally(_:at:)`.
  public func moveLocally(_ id: Item.ID, after other: Item.ID?) {
    now { $0.feed.moveLocally(id, after: other) }
  }

  /// The item above an index once another item is taken out.
  private func item(above index: Int, without other: Int?) -> Item.ID? {
    guard index > 0 else { return nil }
    return items[other.map { $0 < index } == true ? index : index - 1].id
  }
}
