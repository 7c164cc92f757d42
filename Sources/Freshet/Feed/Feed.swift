internal import struct Foundation.Date
public import FreshetLists

/// The engine of a feed: pages become one list that is kept true, on no particular actor.
///
/// A server or a command-line tool uses it as it is; an app sees it through `FeedController`.
/// Every method may be called from any thread, at any time. Updates come to every observer in the
/// order in which they happened, each with the load states that belong to it (rule R5).
///
/// ```swift
/// let feed = Feed(source, cache: .file("home"))
/// await feed.refresh()
/// for await update in feed.updates { print(update.changes) }
/// ```
public final class Feed<Item: ListItem>: Sendable {
  private struct State {
    var machine: FeedMachine<Item>
    var tasks: [Int: Task<Void, Never>] = [:]
    var waiters: [Int: CheckedContinuation<LoadState, Never>] = [:]
    var observers: [Int: UpdateBuffer<FeedUpdate<Item>>] = [:]
    var lastWaiter = 0
    var lastToken = 0
    var lastObserver = 0
    var isCacheLoaded = false
  }

  private let state: Locked<State>
  /// What is shown, behind a lock of its own: who reads it never waits for a merge.
  private let shown = Locked(FeedValue<Item>())
  private let source: OpaqueSource<Item>
  private let cache: CacheWriter<Item>?
  private let clock: any Clock<Duration>

  /// Creates a feed.
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
    section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration()
  ) {
    let machine = FeedMachine(
      configuration: configuration, continuity: source.continuity, isCached: cache != nil,
      start: start.flatMap { try? PageKey($0) }, order: order, section: section)
    state = Locked(State(machine: machine))
    self.source = OpaqueSource(source)
    self.cache = cache.map { CacheWriter($0.cache) }
    clock = configuration.clock
  }

  deinit {
    let (tasks, observers) = state.withLock { (Array($0.tasks.values), Array($0.observers.values)) }
    for task in tasks { task.cancel() }
    for observer in observers { observer.finish() }
  }

  // MARK: - What it shows

  /// All that the feed shows now.
  public var value: FeedValue<Item> { shown.withLock { $0 } }

  /// Why a row is where it is: the page, the event or the edit that put it there, and when; `nil`
  /// where no such item is loaded.
  public func trace(of id: Item.ID) -> RowTrace? {
    state.withLock { $0.machine.timeline.trace(of: id) }
  }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them, so that an observer that starts
  /// empty holds the list. An observer that falls behind gets several steps as one. The sequence
  /// ends when the feed goes. Iterate it once; another observer asks for `updates` of its own.
  public var updates: FeedUpdates<Item> { FeedUpdates(subscription: subscribe()) }

  /// Starts to observe; with `states`, changes of load states alone are signalled too.
  func subscribe(states: Bool = false) -> UpdateSubscription<FeedUpdate<Item>> {
    let buffer = UpdateBuffer<FeedUpdate<Item>>(wantsStates: states)
    let observer = state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = buffer
      let value = state.machine.value
      guard value.list.count > 0 else { return state.lastObserver }
      let list = ListUpdate(
        before: ListSnapshot(), after: value.list,
        changes: ListChanges(from: ListSnapshot(), to: value.list, edits: []), origin: value.origin)
      buffer.yield(FeedUpdate(list: list, value: value, duplicatesDropped: 0))
      return state.lastObserver
    }
    return UpdateSubscription(buffer: buffer) { [weak self] in
      self?.state.withLock { _ = $0.observers.removeValue(forKey: observer) }
    }
  }

  // MARK: - Loading

  /// Asks for the head of the list until an answer meets a known row, or through what is on display, or
  /// for everything loaded, and takes in what changed.
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
    startLoadingCache()
    return await wait { $0.load(.head, scope: scope, waiter: $1) }
  }

  /// Asks for the page behind the last row, or for the first page where there is none yet.
  ///
  /// - Returns: how the end stands afterwards; `end` once there is nothing more.
  @discardableResult
  public func loadMore() async -> LoadState { await load(.tail) }

  /// Asks for the page above the first row, where the feed began in the middle of the list.
  ///
  /// Where the source has no such pages (`Page.previous`) this refreshes instead.
  ///
  /// - Returns: how the top stands afterwards; `end` once the head of the list is reached.
  @discardableResult
  public func loadPrevious() async -> LoadState { await load(.top) }

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
  public func retry() async -> LoadState { await wait { $0.retry(waiter: $1) } }

  /// Lets loads wait: the network is gone, or the app went to the background.
  ///
  /// What is asked for from now on is `loading` until `resume()`, and what is under way and does not
  /// reach the source waits with it instead of failing.
  ///
  /// ```swift
  /// let monitor = NWPathMonitor()
  /// monitor.pathUpdateHandler = { $0.status == .satisfied ? feed.resume() : feed.pause() }
  /// ```
  public func pause() { perform { $0.pause() } }

  /// Asks for what waited since `pause()`, and for what waits to be tried again.
  public func resume() { perform { $0.resume() } }

  /// Tells the feed which item came on screen, so that it asks for more before either end is
  /// reached, and knows what `refresh(.visible)` is about.
  ///
  /// Costs O(log *n*), and O(rows of a page) where `staleAfter` is set; call it for every row. It
  /// does not repeat a load that failed.
  public func willDisplay(_ item: Item) {
    Task { @concurrent [weak self] in self?.perform { $0.willDisplay(item.id) } }
  }

  private func load(_ edge: FeedEdge, from side: Gap.Side = .above) async -> LoadState {
    startLoadingCache()
    return await wait { $0.load(edge, from: side, waiter: $1) }
  }

  // MARK: - The reader

  /// Tells the feed at which item the reader is: the first one on screen, say.
  ///
  /// It is stored with the next step, or by `flush()`, and is `value.anchor` after a relaunch, once
  /// the rows there are read: await `loadCache()` before you scroll to it, and before you set another.
  /// Where the item goes, the nearest one left takes its place. An item that is not loaded is passed
  /// over.
  public func setAnchor(_ id: Item.ID?) { perform { $0.setAnchor(id) } }

  // MARK: - New rows that wait

  /// Lets rows that come at the head wait from now on, so that nothing moves under the reader.
  ///
  /// `value.state.newItems` counts them ("12 new"). They are loaded and stored as ever.
  public func holdNew() { perform { $0.holdNew() } }

  /// Shows the rows that waited, and lets new ones show as they come.
  public func showNew() { perform { $0.showNew() } }

  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn. The work is bounded, whatever is stored (rule P1);
  /// later calls do nothing. Any load reads the cache too if this was not called before.
  public func loadCacheSynchronously() {
    guard let cache, claimCache() else { return }
    let first = cache.cache.loadFirst() ?? CachedRows()
    restore(first, from: cache)
    if isRestoring { Task { await self.loadRest() } }
  }

  /// Shows the rows on disk, all or as many as `maximumRows` lets in, and waits until they are shown;
  /// later calls do nothing.
  public func loadCache() async {
    startLoadingCache()
    _ = await wait { $0.waitForRestore($1) }
  }

  private func restore(_ rows: CachedRows<Item>, from cache: CacheWriter<Item>) {
    perform { $0.restore(rows) }
    cache.reportIssues()
  }

  /// Forgets what is stored, and waits until it is gone.
  ///
  /// The rows in memory stay on screen; the next step stores them again.
  public func clearCache() async {
    perform { $0.forgetStored() }
    await cache?.clear()
  }

  /// Waits until everything shown so far is stored.
  public func flush() async {
    // Nothing is stored over rows that nobody has read.
    if state.withLock({ $0.isCacheLoaded }) { perform { $0.saveAnchor() } }
    await cache?.flush()
  }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { cache?.isSaved ?? true }

  /// What goes wrong with the cache, and what already did; ends when the feed goes.
  public var cacheIssues: AsyncStream<CacheIssue> {
    cache?.issues() ?? AsyncStream { $0.finish() }
  }

  private func startLoadingCache() {
    guard let cache, claimCache() else { return }
    Task { @concurrent in
      let first = cache.cache.loadFirst() ?? CachedRows()
      self.restore(first, from: cache)
      if self.isRestoring { await self.loadRest() }
    }
  }

  /// Whether the caller is the one to load the cache: answers wait until it has.
  private func claimCache() -> Bool {
    state.withLock { state in
      guard !state.isCacheLoaded else { return false }
      state.isCacheLoaded = true
      state.machine.beginRestoring()
      return true
    }
  }

  /// Whether more rows are to be read from disk at once.
  private var isRestoring: Bool { state.withLock { $0.machine.isRestoring } }

  @concurrent
  private func loadRest() async {
    guard let cache else { return }
    restore(await cache.cache.loadRest(), from: cache)
  }

  /// How many loads are under way.
  package var loads: Int { state.withLock { $0.machine.loads.count } }

  /// How many callers wait for a load.
  package var waiters: Int { state.withLock { $0.waiters.count } }

  // MARK: - The shell

  /// A number for an edit or a piece of news.
  func newToken() -> Int {
    state.withLock { state in
      state.lastToken += 1
      return state.lastToken
    }
  }

  private func wait(
    for event: (inout FeedMachine<Item>, _ waiter: Int) -> [FeedMachine<Item>.Effect]
  ) async -> LoadState {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.waiters[waiter] = continuation }
        perform { event(&$0, waiter) }
        if Task.isCancelled { perform { $0.cancel(waiter: waiter) } }
      }
    } onCancel: {
      perform { $0.cancel(waiter: waiter) }
    }
  }

  /// Lets an event happen and performs its effects.
  ///
  /// Updates are handed out under the lock: no later one can overtake them. What may run code of
  /// others, resuming and cancelling, comes after it.
  func perform(_ event: (inout FeedMachine<Item>) -> [FeedMachine<Item>.Effect]) {
    let (resumed, cancelled) = state.withLock { state in
      var resumed: [(CheckedContinuation<LoadState, Never>, LoadState)] = []
      var cancelled: [Task<Void, Never>] = []
      state.machine.now = Date()
      let effects = event(&state.machine)
      let value = state.machine.value
      shown.withLock { $0 = value }
      for effect in effects {
        switch effect {
        case .fetch(let ticket, let request):
          state.tasks[ticket.load] = fetch(request, for: ticket)
        case .wait(let ticket, let duration):
          state.tasks[ticket.load] = wait(duration, for: ticket)
        case .cancel(let load):
          if let task = state.tasks.removeValue(forKey: load) { cancelled.append(task) }
        case .publish(let update):
          for observer in state.observers.values { observer.yield(update) }
        case .save(let commit):
          cache?.save(commit)
        case .read(let ticket, let range, let count):
          cache?.load(range, of: count) { [weak self] rows in
            self?.perform { $0.receive(stored: rows, for: ticket) }
          }
        case .resume(let waiters, let outcome):
          for waiter in waiters {
            if let continuation = state.waiters.removeValue(forKey: waiter) {
              resumed.append((continuation, outcome))
            }
          }
        }
      }
      return (resumed, cancelled)
    }
    for task in cancelled { task.cancel() }
    for (continuation, outcome) in resumed { continuation.resume(returning: outcome) }
  }

  private func wait(
    _ duration: Duration, for ticket: FeedMachine<Item>.Ticket
  ) -> Task<Void, Never> {
    let clock = clock
    return Task { @concurrent [weak self] in
      guard (try? await clock.sleep(for: duration)) != nil else { return }
      self?.perform { $0.proceed(with: ticket) }
    }
  }

  private func fetch(
    _ request: PageRequest<PageKey>, for ticket: FeedMachine<Item>.Ticket
  ) -> Task<Void, Never> {
    let source = source
    return Task { @concurrent [weak self] in
      let answer = await source.page(request)
      self?.state.withLock { _ = $0.tasks.removeValue(forKey: ticket.load) }
      self?.perform { $0.receive(answer, for: ticket) }
    }
  }
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
    section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    continuity: PageContinuity = .stable,
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) {
    self.init(
      ClosureSource(continuity: continuity, page), startingAt: start, sortedBy: order, cache: cache,
      section: section,
      configuration: configuration)
  }
}
