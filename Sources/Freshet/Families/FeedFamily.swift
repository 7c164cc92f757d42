public import FreshetLists

/// One feed for each query: what a search text, a filter or a sort order asks for is a list of its
/// own.
///
/// The source is made from the query, so that rows of two queries never meet in one list or one
/// cache. Screens that ask for the same query share its feed.
///
/// ```swift
/// let books = FeedFamily(cache: .files("books")) { (query: String) in BookSource(query) }
///
/// await books["maps"].refresh()  // a feed like any other
/// await books.prefetch("charts")  // it is there when somebody looks
/// books.invalidate { $0.hasPrefix("m") }  // asked again, now or once somebody looks
/// ```
///
/// For a list whose query changes, as a search does, there is ``QueryFeed``, and
/// ``QueryController`` for views. Every method may be called from any thread.
public final class FeedFamily<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  /// What measures waits: that of the configuration.
  let clock: any Clock<Duration>
  private let members: Locked<FamilyMembers<Query, Item>>
  private let cache: FamilyCache<Item>?
  private let makeFeed: @Sendable (Query, FeedCacheChoice<Item>?) -> Feed<Item>
  /// The feeds that are kept no longer, until they are stored.
  private let leaving = Locked<[Feed<Item>]>([])
  private let chore = CoalescedTask()

  /// Creates a family that makes a feed for each query.
  ///
  /// - Parameters:
  ///   - order: how the source orders its items, where that is known: see `Feed`.
  ///   - cache: where the rows survive relaunch; `nil` keeps them in memory only.
  ///   - maximumFeeds: how many feeds to keep in memory: those used last. One that somebody holds
  ///     stays besides.
  ///   - section: the name of the section an item belongs to; `nil` for lists without sections.
  ///   - configuration: how each feed behaves.
  ///   - source: makes the source of a query. Where it throws, loads of that feed fail with the
  ///     error. Two threads that ask for one query at once may both call it; one source is dropped
  ///     then.
  public init<Source: FeedSource>(
    sortedBy order: (@Sendable (Item, Item) -> Bool)? = nil,
    cache: FamilyCache<Item>? = nil, maximumFeeds: Int = 16,
    sectionedBy section: (@Sendable (Item) -> String)? = nil,
    configuration: FeedConfiguration = FeedConfiguration(),
    source: @escaping @Sendable (Query) throws -> Source
  ) where Source.Item == Item {
    self.cache = cache
    clock = configuration.clock
    members = Locked(FamilyMembers(limit: max(1, maximumFeeds)))
    makeFeed = { query, cache in
      do {
        return Feed(
          try source(query), sortedBy: order, cache: cache, sectionedBy: section,
          configuration: configuration)
      } catch {
        let failing = ClosureSource<Item, Source.Key> { _ in throw error }
        return Feed(
          failing, sortedBy: order, cache: cache, sectionedBy: section, configuration: configuration
        )
      }
    }
  }

  /// The feed of a query: always the same one while somebody holds it, or while it is among those
  /// used last.
  ///
  /// It loads nothing by itself.
  public subscript(query: Query) -> Feed<Item> { held(query).feed }

  /// Loads the head of a query's list, unless it was loaded since the family was made.
  ///
  /// Whoever shows the query afterwards, or meanwhile, makes no second request.
  ///
  /// - Returns: how the head stands afterwards.
  @discardableResult
  public func prefetch(_ query: Query) async -> LoadState {
    let held = held(query)
    defer { withExtendedLifetime(held.feed) {} }
    return await held.member.freshen()
  }

  /// Says that rows of some queries are not true any more: an edit changed what they ask for, say.
  ///
  /// What somebody looks at is asked for again at once, all other feeds once somebody looks at
  /// them. Rows stay on screen meanwhile.
  ///
  /// - Parameters:
  ///   - scope: how far to read again.
  ///   - isInvalid: whether the rows of a query are meant.
  public func invalidate(
    _ scope: RefreshScope = .all, where isInvalid: (Query) -> Bool = { _ in true }
  ) {
    for held in members.withLock({ $0.living }) where isInvalid(held.member.query) {
      held.member.invalidate(scope)
      if held.feed.publisher.observers > 0 { held.member.freshenSoon() }
    }
  }

  /// Waits until everything that its feeds show is stored, and what is too much is removed.
  public func flush() async {
    for held in members.withLock({ $0.living }) { await held.feed.flush() }
    await chore.done()
    await cache?.enforceLimits()
  }

  // MARK: - Its feeds

  /// The feed of a query, which is now the one used last.
  func held(_ query: Query) -> FamilyMembers<Query, Item>.Held {
    let (held, gone) = members.withLock { $0.use(query) } ?? add(make(query))
    letGo(gone)
    return held
  }

  private func add(
    _ new: FamilyMembers<Query, Item>.Held
  ) -> (held: FamilyMembers<Query, Item>.Held, gone: [Feed<Item>]) {
    members.withLock { $0.add(new) }
  }

  /// How many rows of a query are at hand.
  func rowsAtHand(of query: Query) -> Int {
    members.withLock { $0.living(query) }?.value.rows.count ?? 0
  }

  private func make(_ query: Query) -> FamilyMembers<Query, Item>.Held {
    let cache = cache.flatMap { cache in FamilyCache<Item>.name(of: query).map(cache.cache) }
    let feed = makeFeed(query, cache)
    return FamilyMembers.Held(feed: feed, member: FamilyMember(query, feed))
  }

  /// What is kept no longer is stored before it goes.
  private func letGo(_ feeds: [Feed<Item>]) {
    guard cache != nil, !feeds.isEmpty else { return }
    leaving.withLock { $0 += feeds }
    chore.perform(priority: .utility) { [self] in
      while let feed = leaving.withLock({ $0.popLast() }) { await feed.flush() }
    }
  }
}
