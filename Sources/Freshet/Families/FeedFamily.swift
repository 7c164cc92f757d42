public import FreshetLists

/// One feed for each query: each search text, filter or sort order has a list of its own.
///
/// The source is created from the query, so that rows of two queries never mix in one list or one
/// cache. Screens that show the same query share its feed.
///
/// ```swift
/// let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }
///
/// await books["maps"].refresh()  // a feed like any other
/// await books.prefetch("charts")  // it is there when somebody looks
/// books.invalidate { $0.hasPrefix("m") }  // asked again, now or once somebody looks
/// ```
///
/// For a list whose query changes, such as a search, use ``QueryFeed``, and ``QueryController`` for
/// views. Every method may be called from any thread.
public final class FeedFamily<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  /// The clock that measures delays, from the configuration.
  let clock: any Clock<Duration>
  private let members: Locked<FamilyMembers<Query, Item>>
  private let cache: FamilyCache<Item>?
  private let makeFeed: @Sendable (Query, FeedCacheChoice<Item>?) -> Feed<Item>
  /// The feeds that are no longer kept in memory and have yet to be stored.
  private let leaving = Locked<[Feed<Item>]>([])
  private let chore = CoalescedTask()
  private let feedObservers = Locked<[ObjectIdentifier: FeedObserver]>([:])

  /// Is called with each feed of the family, and its query.
  typealias FeedObserver = @Sendable (Query, Feed<Item>) -> Void

  /// Creates a family that makes a feed for each query.
  ///
  /// - Parameters:
  ///   - order: the order in which the source lists its items, if that is known: see `Feed`.
  ///   - cache: where the rows are stored across launches; `nil` keeps them in memory only.
  ///   - maximumFeeds: how many of the most recently used feeds to keep in memory. A feed that is
  ///     referenced elsewhere stays in addition.
  ///   - section: the name of the section an item belongs to; `nil` for lists without sections.
  ///   - identity: the map of the items that the feeds share, with each other and with other lists;
  ///     `nil` if they share none.
  ///   - configuration: how each feed behaves.
  ///   - source: makes the source of a query. If it throws, loads of that feed fail with the error.
  ///     If two threads request the feed of one query at once, both may call it; one source is then
  ///     dropped.
  public init<Source: FeedSource>(
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FamilyCache<Item>? = nil, maximumFeeds: Int = 16,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    identity: IdentityMap<Item>? = nil, configuration: FeedConfiguration = FeedConfiguration(),
    source: @escaping @Sendable (Query) throws -> Source
  ) where Source.Item == Item {
    self.cache = cache
    clock = configuration.clock
    members = Locked(FamilyMembers(limit: max(1, maximumFeeds)))
    makeFeed = { query, cache in
      do {
        return Feed(
          try source(query), sortedBy: order, cache: cache, sectionedBy: section,
          identity: identity, configuration: configuration)
      } catch {
        let failing = ClosureSource<Item, Source.Key> { _ in throw error }
        return Feed(
          failing, sortedBy: order, cache: cache, sectionedBy: section, identity: identity,
          configuration: configuration)
      }
    }
  }

  /// The feed of a query, the same one as long as it is referenced or among those used last.
  ///
  /// It loads nothing by itself.
  public subscript(query: Query) -> Feed<Item> { held(query).feed }

  /// Loads the head of a query's list, unless it was loaded since the family was created.
  ///
  /// A list that shows the query meanwhile or afterwards makes no second request.
  ///
  /// - Returns: the state of the head afterwards.
  @discardableResult
  public func prefetch(_ query: Query) async -> LoadState {
    let held = held(query)
    defer { withExtendedLifetime(held.feed) {} }
    return await held.member.freshen()
  }

  /// Marks the rows of some queries as outdated, such as after an edit that changed their results.
  ///
  /// Feeds that are observed refresh at once. All other feeds refresh when they are next observed.
  /// The rows stay on screen meanwhile.
  ///
  /// - Parameters:
  ///   - scope: how far to refresh.
  ///   - isInvalid: whether the rows of a query are outdated.
  public func invalidate(
    _ scope: RefreshScope = .all, where isInvalid: (Query) -> Bool = { _ in true }
  ) {
    for held in members.withLock({ $0.living }) where isInvalid(held.member.query) {
      held.member.invalidate(scope)
      if held.feed.publisher.observers > 0 { held.member.freshenSoon() }
    }
  }

  /// Waits until everything that the feeds show is stored, and the cache is within its limits.
  public func flush() async {
    for held in members.withLock({ $0.living }) { await held.feed.flush() }
    await chore.done()
    await cache?.enforceLimits()
  }

  // MARK: - Its feeds

  /// Returns the feed of a query, which is then the one used last.
  func held(_ query: Query) -> FamilyMembers<Query, Item>.Held {
    let (held, gone) = members.withLock { $0.use(query) } ?? add(make(query))
    letGo(gone)
    return held
  }

  private func add(
    _ new: FamilyMembers<Query, Item>.Held
  ) -> (held: FamilyMembers<Query, Item>.Held, gone: [Feed<Item>]) {
    let added = members.withLock { $0.add(new) }
    if added.held.feed === new.feed {
      for observer in feedObservers.withLock({ $0.values }) { observer(new.member.query, new.feed) }
    }
    return added
  }

  /// Calls an observer with each feed that exists, and with those that are created later.
  ///
  /// - Parameter owner: the owner of the observer, which has one at a time.
  func observeFeeds(for owner: ObjectIdentifier, by observer: @escaping FeedObserver) {
    feedObservers.withLock { $0[owner] = observer }
    for held in members.withLock({ $0.living }) { observer(held.member.query, held.feed) }
  }

  /// Returns how many rows of a query are in memory.
  func rowsAtHand(of query: Query) -> Int {
    members.withLock { $0.living(query) }?.value.rows.count ?? 0
  }

  private func make(_ query: Query) -> FamilyMembers<Query, Item>.Held {
    let cache = cache.flatMap { cache in FamilyCache<Item>.name(of: query).map(cache.cache) }
    let feed = makeFeed(query, cache)
    return FamilyMembers.Held(feed: feed, member: FamilyMember(query, feed))
  }

  /// Stores feeds that are no longer kept, before they are released.
  private func letGo(_ feeds: [Feed<Item>]) {
    guard cache != nil, !feeds.isEmpty else { return }
    leaving.withLock { $0 += feeds }
    chore.perform(priority: .utility) { [self] in
      while let feed = leaving.withLock({ $0.popLast() }) { await feed.flush() }
    }
  }
}
