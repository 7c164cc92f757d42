internal import struct Foundation.Date
public import FreshetLists

/// The engine of a feed: it combines pages into one list and keeps that list correct.
///
/// A server or a command-line tool uses it directly; an app uses it through `FeedController`. Every
/// method may be called from any thread, at any time, and no call waits for the loads of another.
/// Calls take effect in their order: before they return if the feed is idle, otherwise as soon as
/// it has finished what it is doing. Each observer receives all updates in order, each with the
/// load states that belong to it (rule R5).
///
/// ```swift
/// let feed = Feed(source, cache: .file("home"))
/// await feed.refresh()
/// for await update in feed.updates { print(update.changes) }
/// ```
public final class Feed<Item: ListItem>: Sendable {
  let engine: FeedEngine
  /// Publishes the list to its observers.
  public let publisher = ListPublisher<Item>()
  let cache: CacheWriter<Item>?

  /// Creates a feed of a source, which loads nothing by itself.
  ///
  /// - Parameters:
  ///   - source: the source of the pages.
  ///   - start: the first page to load if nothing is stored, such as the reader's place on another
  ///     device. `loadPrevious()` reads upwards from there. `nil` starts at the head.
  ///   - order: the order of the source; `nil` if it is unknown. With an order, items of events
  ///     are inserted in that order, and items beyond the loaded rows are held back until their
  ///     position is loaded. Without an order, they are inserted at the head. Edited items stay
  ///     where the user put them until the source answers.
  ///   - cache: the storage of the rows between launches; `nil` keeps them in memory only.
  ///   - section: returns the name of an item's section, called when the item is inserted or
  ///     changes; `nil` for a list without sections.
  ///   - identity: the map of the items that the feed shares with other lists; `nil` if it shares
  ///     none.
  ///   - configuration: the behaviour of the feed.
  public init<Key>(
    _ source: some FeedSource<Item, Key>, startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    identity: IdentityMap<Item>? = nil, configuration: FeedConfiguration = FeedConfiguration()
  ) {
    let machine = FeedMachine(
      configuration: configuration, continuity: source.continuity,
      sourcePolicy: source.retryPolicy, readsWindows: source is any WindowedFeedSource,
      finds: OpaqueSource.finding(of: source), isCached: cache != nil,
      start: start.flatMap { try? PageKey($0) }, order: order.map(Self.erased),
      sectionedBy: section.map(Self.erased))
    self.cache = cache.map { CacheWriter($0.cache) }
    engine = FeedEngine(
      machine, source: OpaqueSource(source), storage: self.cache, publisher: publisher.steps,
      sharing: identity?.hub)
    engine.setOwner(self)
    if let feed = cache?.feed,
      let registration = engine.register(
        feed,
        settle: { [weak self] in
          await self?.storeAll() ?? false
        })
    {
      self.cache?.keep(registration)
    }
  }

  private static func erased(
    _ precedes: @escaping @Sendable (Item, Item) -> Bool
  ) -> @Sendable (AnyItem, AnyItem) -> Bool {
    { precedes(Item._item(of: $0.row), Item._item(of: $1.row)) }
  }

  private static func erased(
    _ section: @escaping @Sendable (Item) -> String
  ) -> @Sendable (AnyItem) -> String {
    { section(Item._item(of: $0.row)) }
  }

  // MARK: - Rows

  /// Returns the page, event or edit that put a row at its position, and when.
  ///
  /// It is `nil` if no such item is loaded. The answer includes the effect of all earlier calls.
  ///
  /// The answer includes the effect of all earlier calls.
  public func trace(of id: Item.ID) async -> RowTrace? {
    let id = RowID(id, of: Item.self)
    return await engine.eventQueue.ask { $0.machine.timeline.trace(of: id) }
  }

  // MARK: - Loading

  /// Loads the list again from its head, and applies the changes.
  ///
  /// The scope determines how far: until an answer overlaps known rows, through all rows on
  /// display, or through all loaded rows.
  ///
  /// The first load of a feed that starts in the middle loads its start page; a later refresh
  /// leaves a gap between the head and the known rows.
  ///
  /// Concurrent calls are one request (rule R1), which may have been sent before a write of your
  /// own: use `receive(.invalidate)` after that. Cancelling the last caller cancels the request
  /// (rule R3). A failure removes no rows (rule R4).
  ///
  /// - Returns: the state of the head afterwards: `idle`, or `failed` with the reason.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    engine.startLoadingCache()
    return await engine.wait { $0.load(.refresh, scope: scope, waiter: $1) }
  }

  /// Loads the page after the last row, or the first page if there is no row yet.
  ///
  /// - Returns: the state of the end afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await load(.next) }

  /// Loads the page above the first row, if the feed started in the middle of the list.
  ///
  /// If the source has no such pages (`Page.previous`), this refreshes instead.
  ///
  /// - Returns: the state of the top afterwards; `end` once the head of the list is reached.
  @discardableResult
  public func loadPrevious() async -> LoadState { await load(.previous) }

  /// Loads the rows that may be missing at a gap, one page at a time.
  ///
  /// From below, rows are inserted directly above the row below the gap, as a reader who scrolls
  /// upwards expects. A load that is already running continues from its own side.
  ///
  /// - Returns: the state of the gap afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await load(.gap(gap.id), from: side)
  }

  /// Loads the rows around a row of the whole list, such as where the user dragged a scroll bar.
  ///
  /// The index counts all rows from the head of the list, loaded or not. If the row is far from all
  /// loaded ones and the source can find it (``JumpableFeedSource``), only its page is loaded. The
  /// page becomes a segment between gaps, and the rows that were loaded before stay. Otherwise the
  /// page beside the nearest loaded row is loaded.
  ///
  /// ```swift
  /// await chat.load(rowAt: 500_000)
  /// ```
  ///
  /// If nothing is loaded yet, the head of the list is loaded first. If an answer shows that the
  /// row is elsewhere, it is loaded there: up to three loads in all.
  ///
  /// - Returns: the state of the gap or the end that has the row, or had it.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState {
    engine.startLoadingCache()
    var state = LoadState.idle
    for _ in 0..<Self.loadsOfRow {
      state = await engine.wait { $0.load(rowAt: index, waiter: $1) }
      let isMissing = await engine.eventQueue.ask { $0.machine.isMissing(rowAt: index) }
      if !isMissing || state.failure != nil || Task.isCancelled { break }
    }
    return state
  }

  /// The number of loads for a row, of which each may correct what is known of its place.
  private static var loadsOfRow: Int { 3 }

  /// Repeats every load that failed.
  ///
  /// - Returns: the state of the first of them afterwards.
  @discardableResult
  public func retry() async -> LoadState { await engine.wait { $0.retry(waiter: $1) } }

  /// Pauses loads, because the network is unavailable or the app is in the background.
  ///
  /// New loads are `loading` until `resume()`, and a running load that cannot reach the source
  /// waits with them instead of failing. A feed does not watch the network. On Apple's systems,
  /// call this from an `NWPathMonitor`:
  ///
  /// ```swift
  /// let monitor = NWPathMonitor()
  /// monitor.pathUpdateHandler = { $0.status == .satisfied ? feed.resume() : feed.pause() }
  /// ```
  public func pause() { engine.perform { machine, _ in machine.pause() } }

  /// Sends the loads that `pause()` held back or that wait to be retried.
  ///
  /// It also retries the loads that failed because the source was unreachable (rule R7).
  public func resume() { engine.perform { machine, _ in machine.resume() } }

  /// Notes that an item appears on screen, so that more rows are loaded in time.
  ///
  /// They are loaded before either end is reached, and `refresh(.visible)` knows the rows on
  /// display.
  ///
  /// Call it for every row. It does not repeat a load that failed.
  ///
  /// - Complexity: O(log *n*), or O(rows of a page) if `staleAfter` is set.
  public func willDisplay(_ item: Item) {
    let id = RowID(item.id, of: Item.self)
    engine.perform { $0.willDisplay(id, at: $1) }
  }

  private func load(_ edge: FeedEdge, from side: Gap.Side = .above) async -> LoadState {
    engine.startLoadingCache()
    return await engine.wait { $0.load(edge, from: side, waiter: $1) }
  }

  // MARK: - The reader

  /// The item at the reader's place, such as the first one on screen.
  ///
  /// It is stored with the next step, or by `flush()`. After a relaunch it is available once the
  /// rows around it are read: await `loadCache()` before you scroll to it, and before you set
  /// another. A new value can be read back once the feed has finished what it is doing. If the item
  /// is removed, the nearest remaining one takes its place. An item that is not loaded is ignored.
  public var anchor: Item.ID? {
    get { value.anchor }
    set {
      let id = newValue.map { RowID($0, of: Item.self) }
      engine.perform { machine, _ in machine.setAnchor(id) }
    }
  }

  // MARK: - New rows that are held back

  /// Holds back rows that are inserted at the head, so that nothing moves under the reader.
  ///
  /// `value.state.newItems` counts them ("12 new"). They are loaded and stored as usual.
  public func holdNew() { engine.perform { machine, _ in machine.holdNew() } }

  /// Shows the rows that were held back, and shows new ones at once from now on.
  ///
  /// If there are hundreds of rows, they are shown a moment after it returns.
  public func showNew() {
    engine.perform(asTaskIf: { $0.contents.state.newItems > FeedEngine.fewRows }) { machine, _ in
      machine.showNew()
    }
  }
}

extension Feed {
  /// The number of running loads.
  package var loads: Int {
    get async { await engine.eventQueue.ask { $0.machine.planner.loadCount } }
  }

  /// The number of callers that wait for a load.
  package var waiters: Int { get async { await engine.eventQueue.ask { $0.waiters.count } } }
}

extension Feed {
  /// Creates a feed from a closure that answers requests, asynchronous or not.
  ///
  /// Keys are expected to name stable places, as cursors do, unless `continuity` declares
  /// otherwise. If a server counts pages or rows, use `NumberedSource` or `OffsetSource`.
  public convenience init<Key: Hashable & Codable & Sendable>(
    startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    identity: IdentityMap<Item>? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    continuity: PageContinuity = .stable,
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) {
    self.init(
      ClosureSource(continuity: continuity, page), startingAt: start, sortedBy: order, cache: cache,
      sectionedBy: section, identity: identity, configuration: configuration)
  }
}
