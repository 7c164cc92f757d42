public import FreshetLists

/// A list whose query changes: it shows the feed of one query of a family, then that of another.
///
/// Every change of the query is one exact update from the old rows to the new rows. Until the new
/// rows are available, from memory, disk or the source, the old rows stay and
/// `value.state.isShowingOldRows` is `true`. If the load fails, both stay as they are. Loads of the
/// previous query that are not finished are cancelled, unless other callers wait for them (rule
/// R3).
///
/// ```swift
/// let found = QueryFeed(books, query: "")
/// found.show("maps", debounce: .milliseconds(300))
/// for await update in found.updates { print(update.changes) }
/// ```
///
/// It is a live list like any other: other lists can be derived from it, and `QueryController`
/// presents it to views. Every method may be called from any thread, at any time.
public final class QueryFeed<Query: Hashable & Codable & Sendable, Item: ListItem>: LiveList {
  /// The publisher that delivers the list to its observers.
  public let publisher: ListPublisher<Item>
  let family: FeedFamily<Query, Item>
  let eventQueue: EventQueue<Engine>
  /// The feeds that supply the rows, for calls that return at once.
  let feeds: Locked<(displayed: Feed<Item>, loading: Feed<Item>?)>

  /// Creates a list of a family's feeds, which shows this query until another one is requested.
  ///
  /// Like a feed, it shows rows from memory and from disk, and makes no request by itself. The
  /// first request is made by `refresh(_:)` or another load, or by `show(_:debounce:)`, even with
  /// the same query.
  ///
  /// - Parameters:
  ///   - family: the family that supplies the feeds.
  ///   - query: the first query.
  public init(_ family: FeedFamily<Query, Item>, query: Query) {
    self.family = family
    let held = family.held(query)
    let waker = CallbackBox()
    let followed = FeedSubscription(held) { waker.wake() }
    publisher = ListPublisher(followed.value)
    feeds = Locked((held.feed, held.feed))
    eventQueue = EventQueue(
      Engine(queries: QuerySwitch(showing: query), shown: followed, waker: waker))
    waker.set { [weak self] in self?.catchUp() }
    catchUp()
  }

  deinit {
    var (waiting, loads): (Task<Void, Never>?, [Task<LoadState, Never>]) = (nil, [])
    var pausing: [FamilyMember<Query, Item>] = []
    var id: ObjectIdentifier?
    eventQueue.close { engine in
      (waiting, loads, id) = (engine.waiting, Array(engine.loads.values), engine.id)
      if engine.isPaused { pausing = engine.members }
    }
    // Other lists that observe the feeds are no longer paused by this one.
    if let id {
      for member in pausing {
        member.setPaused(false, by: id)
        member.tellPauses()
      }
    }
    waiting?.cancel()
    for load in loads { load.cancel() }
    publisher.steps.finish()
  }

  // MARK: - The query

  /// The query that was requested last.
  public var query: Query {
    get async { await eventQueue.ask { $0.queries.asked } }
  }

  /// Shows another query, or loads the current query again if its rows are outdated.
  ///
  /// The query is loaded unless its source answered since the family was created. It is loaded
  /// again after `FeedFamily.invalidate(_:where:)`.
  ///
  /// - Parameters:
  ///   - query: the query to show.
  ///   - debounce: how long to wait for another query before this one is loaded, measured by the
  ///     clock of the family's configuration; `nil` loads at once. A load such as `refresh(_:)`
  ///     ends the wait. The query whose rows are on display is shown without a wait.
  public func show(_ query: Query, debounce: Duration? = nil) {
    eventQueue.post(asTaskIf: { [family] in $0.isLongTurn(to: family.rowsAtHand(of: query)) }) {
      [self] engine in
      happen(to: &engine) { $0.queries.show(query, after: debounce) }
    }
  }

  // MARK: - Loading

  /// Loads the requested query again from its head; see `Feed.refresh(_:)`.
  ///
  /// - Returns: the state of the head afterwards; `idle` if another query was requested meanwhile.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await load { await $0.member.refresh(scope) }
  }

  /// Loads the page after the last row of the requested query; see `Feed.loadNext()`.
  ///
  /// - Returns: the state of the end afterwards; `idle` if another query was requested meanwhile.
  @discardableResult
  public func loadNext() async -> LoadState { await load { await $0.feed.loadNext() } }

  /// Loads the page above the first row of the requested query; see `Feed.loadPrevious()`.
  ///
  /// - Returns: the state of the top afterwards; `idle` if another query was requested meanwhile.
  @discardableResult
  public func loadPrevious() async -> LoadState { await load { await $0.feed.loadPrevious() } }

  /// Loads the rows that may be missing at a gap; see `Feed.load(_:from:)`.
  ///
  /// A gap among old rows is not loaded, as those rows are about to be removed.
  ///
  /// - Returns: the state of the gap afterwards; `idle` if another query was requested meanwhile.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    if value.state.isShowingOldRows { return .idle }
    return await load { await $0.feed.load(gap, from: side) }
  }

  /// Loads the rows around a row of the whole list; see `Feed.load(rowAt:)`.
  ///
  /// A row among old ones is not loaded, as those are about to be removed.
  ///
  /// - Returns: the state of the gap or the end that has the row, or had it; `idle` if another
  ///   query was requested meanwhile.
  @discardableResult
  public func load(rowAt index: Int) async -> LoadState {
    if value.state.isShowingOldRows { return .idle }
    return await load { await $0.feed.load(rowAt: index) }
  }

  /// Repeats every load of the requested query that failed.
  ///
  /// - Returns: the state of the first of them afterwards.
  @discardableResult
  public func retry() async -> LoadState { await load { await $0.feed.retry() } }
}
