public import FreshetLists

/// A list whose query changes: it shows the feed of one query of a family, then that of another.
///
/// Every change of the query is one exact update from the rows of the one to the rows of the other.
/// Until the new ones are there, from memory, from disk or from the source, the old ones stay and
/// `value.state.isShowingOldRows` says so; a failure leaves them there with it. What was asked for
/// the query before and is not there yet is cancelled, unless others wait for it (rule R3).
///
/// ```swift
/// let found = QueryFeed(books, query: "")
/// found.show("maps", debounce: .milliseconds(300))
/// for await update in found.updates { print(update.changes) }
/// ```
///
/// It is a live list like any other: others can be made of it, and `QueryController` is its face
/// for views. Every method may be called from any thread, at any time.
public final class QueryFeed<Query: Hashable & Codable & Sendable, Item: ListItem>: LiveList {
  /// Publishes what is shown to its observers.
  public let publisher: ListPublisher<Item>
  let family: FeedFamily<Query, Item>
  let eventQueue: EventQueue<Engine>
  /// The feeds behind the rows, for calls that do not wait.
  let feeds: Locked<(displayed: Feed<Item>, loading: Feed<Item>?)>

  /// Creates a list of a family's feeds, of this query until another one is shown.
  ///
  /// As a feed, it shows what is in memory and on disk, and asks its source for nothing before it
  /// is told to: by `refresh(_:)` or another load, or by `show(_:debounce:)`, of the same query
  /// too.
  ///
  /// - Parameters:
  ///   - family: the feeds.
  ///   - query: the query to begin with.
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
    // Others who look at the feeds do not wait for a list that is gone.
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

  /// The query that was asked for last.
  public var query: Query {
    get async { await eventQueue.ask { $0.queries.asked } }
  }

  /// Shows another query, or asks again for the one that is shown, if its rows are not fresh.
  ///
  /// Its source is asked unless it answered since the family was made, and again after
  /// `FeedFamily.invalidate(_:where:)`.
  ///
  /// - Parameters:
  ///   - query: what to show.
  ///   - debounce: how long to wait for yet another query before the source is asked, by the clock
  ///     of the family's configuration; `nil` asks at once. A load does not wait for it, and
  ///     neither does the query whose rows are on display.
  public func show(_ query: Query, debounce: Duration? = nil) {
    eventQueue.post(asTaskIf: { [family] in $0.isLongTurn(to: family.rowsAtHand(of: query)) }) {
      [self] engine in
      happen(to: &engine) { $0.queries.show(query, after: debounce) }
    }
  }

  // MARK: - Loading

  /// Asks for what is new for the query asked for; see `Feed.refresh(_:)`.
  ///
  /// - Returns: how the head stands afterwards; `idle` where another query was asked for meanwhile.
  @discardableResult
  public func refresh(_ scope: RefreshScope = .head) async -> LoadState {
    await load { await $0.member.refresh(scope) }
  }

  /// Asks for the page behind the last row of the query asked for; see `Feed.loadNext()`.
  ///
  /// - Returns: how the end stands afterwards; `idle` where another query was asked for meanwhile.
  @discardableResult
  public func loadNext() async -> LoadState { await load { await $0.feed.loadNext() } }

  /// Asks for the page above the first row of the query asked for; see `Feed.loadPrevious()`.
  ///
  /// - Returns: how the top stands afterwards; `idle` where another query was asked for meanwhile.
  @discardableResult
  public func loadPrevious() async -> LoadState { await load { await $0.feed.loadPrevious() } }

  /// Asks for the rows that may be missing at a gap; see `Feed.load(_:from:)`.
  ///
  /// A gap of old rows is about to go, and stays as it is.
  ///
  /// - Returns: how the gap stands afterwards; `idle` where another query was asked for meanwhile.
  @discardableResult
  public func load(_ gap: Gap, from side: Gap.Side = .above) async -> LoadState {
    if value.state.isShowingOldRows { return .idle }
    return await load { await $0.feed.load(gap, from: side) }
  }

  /// Asks again for everything that failed.
  ///
  /// - Returns: how the first of it stands afterwards.
  @discardableResult
  public func retry() async -> LoadState { await load { await $0.feed.retry() } }
}

/// Calls whoever is there by then.
final class CallbackBox: Sendable {
  private let body = Locked<(@Sendable () -> Void)?>(nil)

  func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

  func wake() { body.withLock { $0 }?() }
}
