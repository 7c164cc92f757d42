internal import struct Foundation.Date
public import FreshetLists

/// The engine of a feed: pages become one list that is kept true, on no particular actor.
///
/// A server or a command-line tool uses it as it is; an app sees it through `FeedController`. Every
/// method may be called from any thread, at any time, and none waits for what another one asked
/// for: what is called happens in the order of the calls, on return where the feed has nothing else
/// to do, and else as soon as it has done that. Updates come to every observer in the order in
/// which they happened, each with the load states that belong to it (rule R5).
///
/// ```swift
/// let feed = Feed(source, cache: .file("home"))
/// await feed.refresh()
/// for await update in feed.updates { print(update.changes) }
/// ```
public final class Feed<Item: ListItem>: Sendable {
  let engine: FeedEngine
  /// Publishes what is shown to its observers.
  public let publisher = ListPublisher<Item>()
  let cache: CacheWriter<Item>?

  /// Creates a feed of a source; it asks for nothing by itself.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - start: the page to begin with where nothing is stored: in the middle of the list, say,
  ///     where the reader was on another device. `loadPrevious()` reads upwards from there. `nil`
  ///     begins at the head.
  ///   - order: how the source orders its items, where that is known: news are then put where they
  ///     belong, and those that belong beyond the rows loaded so far wait until loading gets there.
  ///     `nil` puts them at the head. Edits stay where they are made until the source answers.
  ///   - cache: where the rows survive relaunch; `nil` keeps them in memory only.
  ///   - section: the name of the section an item belongs to, asked for when the item comes or
  ///     changes; `nil` for a list without sections.
  ///   - configuration: how the feed behaves.
  public init<Key>(
    _ source: some FeedSource<Item, Key>, startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration()
  ) {
    let machine = FeedMachine(
      configuration: configuration, continuity: source.continuity,
      sourcePolicy: source.retryPolicy, isCached: cache != nil,
      start: start.flatMap { try? PageKey($0) }, order: order.map(Self.erased),
      sectionedBy: section.map(Self.erased))
    self.cache = cache.map { CacheWriter($0.cache) }
    engine = FeedEngine(
      machine, source: OpaqueSource(source), storage: self.cache, publisher: publisher.steps)
    engine.setOwner(self)
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

  // MARK: - What it shows

  /// Why a row is where it is: the page, the event or the edit that put it there, and when; `nil`
  /// where no such item is loaded.
  ///
  /// It is asked for in turn, after what was called before.
  public func trace(of id: Item.ID) async -> RowTrace? {
    let id = RowID(id, of: Item.self)
    return await engine.eventQueue.ask { $0.machine.timeline.trace(of: id) }
  }

  // MARK: - Loading

  /// Asks for the head of the list until an answer meets a known row, or through what is on
  /// display, or for everything loaded, and takes in what changed.
  ///
  /// The first load of a feed that begins in the middle asks for the page it begins with; a refresh
  /// after that leaves a gap between the head and the rows that are known.
  ///
  /// Concurrent calls are one request (rule R1). Cancelling the last caller cancels the request
  /// (rule R3). Rows never go because of a failure (rule R4).
  ///
  /// - Returns: how the head stands afterwards: `idle`, or `failed` with the reason.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    engine.startLoadingCache()
    return await engine.wait { $0.load(.refresh, scope: scope, waiter: $1) }
  }

  /// Asks for the page behind the last row, or for the first page where there is none yet.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await load(.next) }

  /// Asks for the page above the first row, where the feed began in the middle of the list.
  ///
  /// Where the source has no such pages (`Page.previous`) this refreshes instead.
  ///
  /// - Returns: how the top stands afterwards; `end` once the head of the list is reached.
  @discardableResult
  public func loadPrevious() async -> LoadState { await load(.previous) }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// Filled from below, rows come right above the one below the gap: what a reader who scrolls
  /// upwards wants. A load that is under way already goes on from its own side.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await load(.gap(gap.id), from: side)
  }

  /// Asks again for everything that failed.
  ///
  /// - Returns: how the first of the failed edges stands afterwards.
  @discardableResult
  public func retry() async -> LoadState { await engine.wait { $0.retry(waiter: $1) } }

  /// Lets loads wait: the network is gone, or the app went to the background.
  ///
  /// What is asked for from now on is `loading` until `resume()`, and what is under way and does
  /// not reach the source waits with it instead of failing. A feed does not watch the network:
  /// whoever does calls this, `NWPathMonitor` on Apple's systems.
  ///
  /// ```swift
  /// let monitor = NWPathMonitor()
  /// monitor.pathUpdateHandler = { $0.status == .satisfied ? feed.resume() : feed.pause() }
  /// ```
  public func pause() { engine.perform { machine, _ in machine.pause() } }

  /// Sends the loads that `pause()` held back or that wait to be tried again, and retries those
  /// that failed because the source was unreachable (rule R7).
  public func resume() { engine.perform { machine, _ in machine.resume() } }

  /// Tells the feed which item came on screen, so that it asks for more before either end is
  /// reached, and knows what `refresh(.visible)` is about.
  ///
  /// Costs O(log *n*), and O(rows of a page) where `staleAfter` is set; call it for every row. It
  /// does not repeat a load that failed.
  public func willDisplay(_ item: Item) {
    let id = RowID(item.id, of: Item.self)
    engine.perform { $0.willDisplay(id, at: $1) }
  }

  private func load(_ edge: FeedEdge, from side: Gap.Side = .above) async -> LoadState {
    engine.startLoadingCache()
    return await engine.wait { $0.load(edge, from: side, waiter: $1) }
  }

  // MARK: - The reader

  /// The item at which the reader is: the first one on screen, say.
  ///
  /// It is stored with the next step, or by `flush()`, and is there again after a relaunch, once
  /// the rows there are read: await `loadCache()` before you scroll to it, and before you set
  /// another. What is set while the feed is at work is read back once that is done. Where the item
  /// goes, the nearest one left takes its place. An item that is not loaded is passed over.
  public var anchor: Item.ID? {
    get { value.anchor }
    set {
      let id = newValue.map { RowID($0, of: Item.self) }
      engine.perform { machine, _ in machine.setAnchor(id) }
    }
  }

  // MARK: - New rows that wait

  /// Lets rows that come at the head wait from now on, so that nothing moves under the reader.
  ///
  /// `value.state.newItems` counts them ("12 new"). They are loaded and stored as ever.
  public func holdNew() { engine.perform { machine, _ in machine.holdNew() } }

  /// Shows the rows that waited, and lets new ones show as they come.
  ///
  /// Where there are hundreds of them, they are shown a moment after it returns.
  public func showNew() {
    engine.perform(asTaskIf: { $0.contents.state.newItems > FeedEngine.fewRows }) { machine, _ in
      machine.showNew()
    }
  }
}

extension Feed {
  /// How many loads are under way.
  package var loads: Int {
    get async { await engine.eventQueue.ask { $0.machine.planner.loadCount } }
  }

  /// How many callers wait for a load.
  package var waiters: Int { get async { await engine.eventQueue.ask { $0.waiters.count } } }
}

extension Feed {
  /// Creates a feed from a closure that answers requests, asynchronous or not.
  ///
  /// The keys are taken to name places that stay, as cursors do, unless `continuity` says
  /// otherwise. Where a server counts pages or rows, use `NumberedSource` or `OffsetSource`.
  public convenience init<Key: Hashable & Codable & Sendable>(
    startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    continuity: PageContinuity = .stable,
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) {
    self.init(
      ClosureSource(continuity: continuity, page), startingAt: start, sortedBy: order, cache: cache,
      sectionedBy: section,
      configuration: configuration)
  }
}
