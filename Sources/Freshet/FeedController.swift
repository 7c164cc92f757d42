public import Foundation
public import FreshetLists
public import Observation

/// A feed as views see it: on the main actor, observable, one value at a time.
///
/// ```swift
/// let feed = FeedController(cache: .file("home")) { (request: PageRequest<Int>) in
///   let page = try await api.posts(page: request.key ?? 1, count: request.limit)
///   return Page(page.posts, next: page.isLast ? nil : page.number + 1)
/// }
/// ```
///
/// Rows and load states change together (rule R5): a view that reads both never sees new rows with
/// an old state. The main actor swaps values and tells observers; pages are fetched, decoded,
/// compared and stored elsewhere.
@MainActor @Observable
public final class FeedController<Item: ListItem> {
  /// The engine, for code that is not on the main actor.
  @ObservationIgnored public let feed: Feed<Item>

  /// All that the feed shows now.
  public private(set) var value: FeedValue<Item>

  /// Told about changes and failures, besides those who observe.
  @ObservationIgnored public weak var delegate: (any FeedControllerDelegate<Item>)?

  @ObservationIgnored private let subscription: FeedSubscription<Item>
  @ObservationIgnored private var observation: Task<Void, Never>?

  /// Creates the main-actor face of a feed that may have others.
  public init(_ feed: Feed<Item>) {
    self.feed = feed
    value = feed.value
    let subscription = feed.subscribe(states: true)
    self.subscription = subscription
    let signals = subscription.buffer.signals
    observation = Task { [weak self] in
      for await _ in signals { self?.catchUp() }
    }
  }

  /// Creates a feed and its main-actor face.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - cache: where the rows survive relaunch; `nil` keeps them in memory only.
  ///   - section: the name of the section an item belongs to; `nil` for a list without sections.
  ///   - configuration: how the feed behaves.
  public convenience init(
    _ source: some FeedSource<Item, some Hashable & Codable & Sendable>,
    cache: FeedCacheChoice<Item>? = nil,
    section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration()
  ) {
    self.init(Feed(source, cache: cache, section: section, configuration: configuration))
  }

  /// Creates a feed from a closure that answers requests, asynchronous or not.
  public convenience init<Key: Hashable & Codable & Sendable>(
    cache: FeedCacheChoice<Item>? = nil,
    section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    page: @escaping @Sendable (PageRequest<Key>) async throws -> Page<Item, Key>
  ) {
    self.init(Feed(cache: cache, section: section, configuration: configuration, page: page))
  }

  isolated deinit { observation?.cancel() }

  // MARK: - What it shows

  /// The items in server order, without the gaps.
  public var items: FeedItems<Item> { value.items }

  /// The rows, items and gaps, in server order.
  public var rows: RowTree<FeedRow<Item>> { value.rows }

  /// The rows in sections; one unnamed section if the feed has none.
  public var sections: [ListSection<FeedRow<Item>>] { value.list.sections }

  /// How the head, the end and the gaps stand.
  public var state: FeedState { value.state }

  /// When the source last answered for the head of the list.
  public var refreshedAt: Date? { value.refreshedAt }

  /// The row at an index path.
  ///
  /// - Throws: `ListError.invalidIndexPath` where no row stands there.
  public func row(at path: IndexPath) throws(ListError) -> FeedRow<Item> {
    try value.list.item(at: RowPath(path))
  }

  /// The steps of the list from now on, to every observer its own.
  ///
  /// Where there are rows already, the first update inserts them.
  public var updates: FeedUpdates<Item> { feed.updates }

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
  public func loadMore() async -> LoadState { await settled { await $0.loadMore() } }

  /// Asks for the rows that may be missing at a gap, one page at a time.
  ///
  /// - Returns: how the gap stands afterwards; `end` once it is closed.
  @discardableResult
  public func load(_ gap: Gap) async -> LoadState { await settled { await $0.load(gap) } }

  /// Asks again for everything that failed.
  public func retry() {
    Task { [feed] in await feed.retry() }
  }

  /// Tells the feed which item came on screen, so that it asks for more before the end is reached.
  public func willDisplay(_ item: Item) { feed.willDisplay(item) }

  // MARK: - Editing by hand

  /// Puts an item where it will stand at `index` of `items`; one with its id moves there.
  public func insert(_ item: Item, at index: Int) { now { $0.insert(item, at: index) } }

  /// Takes the item at `index` of `items` out of the list.
  public func remove(at index: Int) { now { $0.remove(at: index) } }

  /// Moves the item at `index` of `items` so that it stands at index `target` afterwards.
  public func move(from index: Int, to target: Int) { now { $0.move(from: index, to: target) } }

  // MARK: - The cache

  /// Shows the first rows from disk before it returns, and reads the rest in the background.
  ///
  /// Call it before the first screen is drawn.
  public func loadCacheSynchronously() { now { $0.loadCacheSynchronously() } }

  /// Waits until everything shown so far is stored.
  public func flush() async { await feed.flush() }

  /// Whether everything shown so far is stored.
  public var isSaved: Bool { feed.isSaved }

  /// What goes wrong with the cache.
  public var cacheIssues: AsyncStream<CacheIssue> { feed.cacheIssues }

  // MARK: - Following the engine

  /// Does something whose result is on display when it returns.
  private func now(_ action: (Feed<Item>) -> Void) {
    action(feed)
    catchUp()
  }

  private func settled(_ action: (Feed<Item>) async -> LoadState) async -> LoadState {
    let outcome = await action(feed)
    catchUp()
    return outcome
  }

  private func catchUp() {
    let failure = value.state.failure
    while let update = subscription.buffer.take() {
      value = update.value
      if let delegate { tell(delegate, about: update) }
    }
    let newest = feed.value
    if newest.state != value.state || newest.refreshedAt != value.refreshedAt,
      newest.rows.isIdentical(to: value.rows)
    {
      value = newest
    }
    if let delegate, let newFailure = value.state.failure, newFailure != failure {
      delegate.feedController(self, didFail: newFailure)
    }
  }

  private func tell(
    _ delegate: some FeedControllerDelegate<Item>, about update: FeedUpdate<Item>
  ) {
    let changes = update.changes
    let added = changes.insertedRows + changes.movedRows.map(\.to)
    let deleted = changes.deletedRows + changes.movedRows.map(\.from)
    delegate.feedController(
      self, didChange: update.value.items,
      added: added.sorted().map(IndexPath.init), deleted: deleted.sorted().map(IndexPath.init),
      update: update)
  }
}

/// Told when a feed changed or a load failed.
@MainActor
public protocol FeedControllerDelegate<Item>: AnyObject {
  /// The rows of the feed.
  associatedtype Item: ListItem

  /// The list changed.
  ///
  /// - Parameters:
  ///   - controller: the feed.
  ///   - items: the items now.
  ///   - added: the rows that came or moved, after the change.
  ///   - deleted: the rows that went or moved, before the change.
  ///   - update: the whole step: sections, moves, and rows whose contents changed.
  func feedController(
    _ controller: FeedController<Item>, didChange items: FeedItems<Item>,
    added: [IndexPath], deleted: [IndexPath], update: FeedUpdate<Item>)

  /// A load failed. The rows are still there, and `retry()` asks again.
  func feedController(_ controller: FeedController<Item>, didFail error: FeedError)
}
