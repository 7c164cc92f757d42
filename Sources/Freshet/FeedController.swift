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
  ///   - source: the source of the pages.
  ///   - start: the first page to load if nothing is stored; `nil` starts at the head.
  ///   - order: the order of the source, if it is known: see `Feed`.
  ///   - cache: the storage of the rows between launches; `nil` keeps them in memory only.
  ///   - section: returns the name of an item's section, called when the item is inserted or
  ///     changes; `nil` for a list without sections.
  ///   - identity: the map of the items that the feed shares with other lists; `nil` if it shares
  ///     none.
  ///   - configuration: the behaviour of the feed.
  public convenience init<Item: ListItem, Key>(
    _ source: some FeedSource<Item, Key>, startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    identity: IdentityMap<Item>? = nil, configuration: FeedConfiguration = FeedConfiguration()
  ) where List == Feed<Item> {
    self.init(
      Feed(
        source, startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        identity: identity, configuration: configuration))
  }

  /// Creates a feed from a closure that answers requests, asynchronous or not.
  ///
  /// Keys are expected to name stable places, as cursors do, unless `continuity` declares
  /// otherwise. If a server counts pages or rows, use `NumberedSource` or `OffsetSource`.
  public convenience init<Item: ListItem, Key: Hashable & Codable & Sendable>(
    startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    identity: IdentityMap<Item>? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    continuity: PageContinuity = .stable,
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) where List == Feed<Item> {
    self.init(
      Feed(
        startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        identity: identity, configuration: configuration, continuity: continuity, page: page))
  }
}

extension ListController where List: FeedList {
  /// The feed whose rows are on display, for code that is not on the main actor.
  public var feed: Feed<Item> { list.feed }

  /// Returns the page, event or edit that put a row at its position, and when.
  ///
  /// The answer includes the effect of all earlier calls.
  public func trace(of id: Item.ID) async -> RowTrace? { await feed.trace(of: id) }

  // MARK: - The reader

  /// The item at the reader's place, such as the first one on screen.
  ///
  /// It is stored with the next step, or by `flush()`, and is available again after a relaunch. If
  /// the item is removed, the nearest remaining one takes its place.
  public var anchor: Item.ID? {
    get { displayed.place.anchor }
    set { now { $0.feed.anchor = newValue } }
  }

  // MARK: - New rows that are held back

  /// Holds back rows that are inserted at the head, so that nothing moves under the reader.
  ///
  /// `state.newItems` counts them ("12 new").
  public func holdNew() { now { $0.loadingFeed?.holdNew() } }

  /// Shows the rows that were held back, and shows new ones at once from now on.
  ///
  /// If there are hundreds of rows, they are shown a moment after it returns.
  public func showNew() { now { $0.loadingFeed?.showNew() } }

  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn.
  public func loadCacheSynchronously() { now { $0.feed.loadCacheSynchronously() } }

  /// Shows all rows on disk, and waits until they are shown.
  public func loadCache() async { await settled { await $0.feed.loadCache() } }

  /// Removes everything that is stored of the feed, and waits until it is removed.
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

  /// Applies the events of a source until their sequence ends, after a refresh.
  ///
  /// See `Feed.follow(_:)`. The events apply to the feed that is on display at the time of the
  /// call: if the query changes, call it again.
  ///
  /// - Throws: `FeedError` if the refresh fails, or the error of `events`.
  public func follow<Events: AsyncSequence>(_ events: Events) async throws
  where Events.Element == FeedEvent<Item> {
    try await feed.follow(events)
  }
}

// Local edits change only the list: the source is not notified.
extension ListController where List: FeedList {
  // Indices refer to the rows on display. The engine may be ahead of these, so it is given ids.

  /// Inserts an item at `index` of `items`; an item with the same id is moved there.
  ///
  /// The edit is local: it is stored in the cache, the source is not notified, and its next answer
  /// decides. The edit is on display on return, unless the feed is busy.
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

  /// Removes the item at `index` of `items` locally: see `insertLocally(_:at:)`.
  ///
  /// - Precondition: `index` is in `0..<items.count`.
  public func removeLocally(at index: Int) {
    let id = items[index].id
    now { $0.feed.removeLocally(id) }
  }

  /// Moves the item at `index` of `items` to `target`, locally: see `insertLocally(_:at:)`.
  ///
  /// - Precondition: both are in `0..<items.count`.
  public func moveLocally(from index: Int, to target: Int) {
    let id = items[index].id
    let other = item(above: target, without: index)
    now { $0.feed.moveLocally(id, after: other) }
  }

  /// Moves an item after another locally: see `insertLocally(_:at:)`.
  ///
  /// It is moved to the head if `other` is `nil` or not in the list.
  public func moveLocally(_ id: Item.ID, after other: Item.ID?) {
    now { $0.feed.moveLocally(id, after: other) }
  }

  /// Returns the item above an index after another item is removed.
  private func item(above index: Int, without other: Int?) -> Item.ID? {
    guard index > 0 else { return nil }
    return items[other.map { $0 < index } == true ? index : index - 1].id
  }
}
