public import FreshetLists

/// A feed as views see it: on the main actor, observable, one value at a time.
///
/// ```swift
/// let feed = FeedController(cache: .file("home")) { (request: PageRequest<String>) in
///   let answer = try await api.posts(after: request.key, count: request.limit)
///   return Page(answer.posts, next: answer.cursor)
/// }
/// ```
///
/// Rows and load states change together (rule R5): a view that reads both never sees new rows with
/// an old state. The main actor swaps values and tells observers; pages are fetched, decoded,
/// compared and stored elsewhere, and no call waits for that: what is called while the feed is at
/// work is done next, and shown as soon as it is.
@MainActor
public class FeedController<Item: ListItem>: DisplayedList {
  /// The engine, for code that is not on the main actor, and to make other lists of: the feed whose
  /// rows are on display.
  public var feed: Feed<Item> { base.displayed }

  /// What is shown: the feed, or the feeds of queries that change.
  private let base: any FeedDisplaying<Item>

  /// What is shown, and who read what of it.
  public let displayed: Displayed<FeedUpdate<Item>>

  /// Told about changes and failures, besides those who observe.
  public weak var delegate: (any FeedControllerDelegate<Item>)?

  private let observer: ListObserver<FeedUpdate<Item>>
  /// The state of which the delegate was told the failures.
  private var toldState = FeedState()

  /// Creates the main-actor face of a feed that may have others.
  public convenience init(_ feed: Feed<Item>) { self.init(feed, feed.publisher) }

  init(_ base: any FeedDisplaying<Item>, _ publisher: ListPublisher<FeedUpdate<Item>>) {
    self.base = base
    observer = ListObserver(publisher)
    displayed = Displayed(observer.first)
    toldState = observer.first.state
    observer.callWhenNew { [weak self] in self?.catchUp() }
  }

  /// Creates a feed and its main-actor face.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - start: the page to begin with where nothing is stored; `nil` begins at the head.
  ///   - order: how the source orders its items, where that is known: see `Feed`.
  ///   - cache: where the rows survive relaunch; `nil` keeps them in memory only.
  ///   - section: the name of the section an item belongs to, asked for when the item comes or
  ///     changes; `nil` for a list without sections.
  ///   - configuration: how the feed behaves.
  public convenience init<Key>(
    _ source: some FeedSource<Item, Key>, startingAt start: Key? = nil,
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FeedCacheChoice<Item>? = nil,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration()
  ) {
    self.init(
      Feed(
        source, startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        configuration: configuration))
  }

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
      Feed(
        startingAt: start, sortedBy: order, cache: cache, sectionedBy: section,
        configuration: configuration,
        continuity: continuity, page: page))
  }

  // MARK: - What it shows

  /// Why a row is where it is: the page, the event or the edit that put it there, and when.
  ///
  /// It is asked for in turn, after what was called before.
  public func trace(of id: Item.ID) async -> RowTrace? { await feed.trace(of: id) }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them.
  public var updates: FeedUpdates<Item> { base.updates }

  // MARK: - Loading

  /// Asks for what is new at the head of the list, or for everything loaded.
  ///
  /// Concurrent calls are one request.
  ///
  /// - Returns: how the head stands afterwards.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await settled { await $0.refresh(scope) }
  }

  /// Asks for the page behind the last row.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadNext() async -> LoadState { await settled { await $0.loadNext() } }

  /// Asks for the page above the first row, where the feed began in the middle of the list.
  ///
  /// - Returns: how the top stands afterwards; `end` once the head of the list is reached.
  @discardableResult
  public func loadPrevious() async -> LoadState { await settled { await $0.loadPrevious() } }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// See `Feed.load(_:from:)`.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    await settled { await $0.load(gap, from: side) }
  }

  /// Asks again for everything that failed.
  ///
  /// - Returns: how the first of it stands afterwards.
  @discardableResult
  public func retry() async -> LoadState { await settled { await $0.retry() } }

  /// Lets loads wait, while the network is gone, say; `state.isPaused` tells.
  public func pause() {
    base.pause()
    catchUp()
  }

  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() {
    base.resume()
    catchUp()
  }

  /// Tells the feed which item came on screen, so that it asks for more before the end is reached.
  public func willDisplay(_ item: Item) { base.willDisplay(item) }

  // MARK: - The reader

  /// The item at which the reader is: the first one on screen, say.
  ///
  /// It is stored with the next step, or by `flush()`, and is there again after a relaunch. Where
  /// the item goes, the nearest one left takes its place.
  public var anchor: Item.ID? {
    get { displayed.place.anchor }
    set { now { $0.anchor = newValue } }
  }

  // MARK: - New rows that wait

  /// Lets rows that come at the head wait from now on, so that nothing moves under the reader.
  ///
  /// `state.newItems` counts them ("12 new").
  public func holdNew() { nowLoading { $0.holdNew() } }

  /// Shows the rows that waited, and lets new ones show as they come.
  ///
  /// Where there are hundreds of them, they are shown a moment after it returns.
  public func showNew() { nowLoading { $0.showNew() } }

  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn.
  public func loadCacheSynchronously() { now { $0.loadCacheSynchronously() } }

  /// Shows all rows on disk, and waits until they are shown.
  public func loadCache() async {
    await feed.loadCache()
    catchUp()
  }

  /// Forgets what is stored, and waits until it is gone.
  ///
  /// The rows stay on screen; the next step stores them again.
  public func clearCache() async { await feed.clearCache() }

  /// Waits until everything shown so far is stored.
  public func flush() async { await feed.flush() }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { feed.isSaved }

  /// What goes wrong with the cache.
  public var cacheIssues: AsyncStream<CacheIssue> { feed.cacheIssues }

  // MARK: - Following the engine

  /// Does something whose result is on display when it returns, if the feed is at rest and it is
  /// not too much; else it comes as every update does.
  func now(_ action: (Feed<Item>) -> Void) {
    action(feed)
    catchUp()
  }

  /// The same, of the feed that is loaded.
  private func nowLoading(_ action: (Feed<Item>) -> Void) {
    if let feed = base.loading { action(feed) }
    catchUp()
  }

  private func settled(
    _ action: (any FeedDisplaying<Item>) async -> LoadState
  ) async -> LoadState {
    let outcome = await action(base)
    catchUp()
    return outcome
  }

  func catchUp() {
    observer.catchUp(from: { displayed.current }) { newest, update in
      displayed.show(newest, by: update)
      // Steps that undid each other before they were taken leave a state, and nothing to tell.
      if let delegate, let update, !update.changes.isEmpty { delegate.tell(self, update) }
    }
    // A delegate that edits while it is told catches up too, and is told the failures there.
    let (state, old) = (displayed.current.state, toldState)
    toldState = state
    guard let delegate else { return }
    for error in state.failures(since: old) { delegate.feedController(self, didFail: error) }
  }
}
