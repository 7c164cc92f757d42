internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: events go in, effects come out.
///
/// It decides everything and does nothing: no task, no clock, no lock. Answers are taken in the
/// order in which they were asked for, whatever order they arrive in (rule R2).
struct FeedMachine<Item: ListItem>: Sendable {
  /// Something for the shell to do.
  enum Effect: Sendable {
    /// Ask the source for a page, and report the answer for this load and attempt.
    case fetch(Ticket, PageRequest<PageKey>)
    /// Read rows from disk, by their indices among so many, and report them for this load.
    case read(Ticket, Range<Int>, of: Int)
    /// Wait before a load is asked for again.
    case wait(Ticket, Duration)
    /// Nobody waits for this load any more.
    case cancel(Int)
    /// Show the machine's value; an update where rows changed.
    case publish(FeedUpdate<Item>?)
    /// Store a step.
    case save(FeedCommit<Item>)
    /// Tell these waiters how their edge stands now.
    case resume([Int], LoadState)
  }

  /// What an answer is for: a late answer for an earlier ticket of a load has no effect.
  struct Ticket: Hashable, Sendable {
    var load: Int
    var attempt: Int
  }

  typealias Answer = Result<Page<Item, PageKey>, FeedError>

  var configuration: FeedConfiguration
  /// When the event at hand happens: the shell says so before it.
  var now = Date.distantPast
  /// How pages hang together, as far as is known: a source may find out from its answers that they
  /// shift.
  var continuity: PageContinuity
  /// How the source orders its items, where that is known.
  let order: Timeline<Item>.Order?
  /// News of items that belong beyond what is loaded.
  var beyond: [Item.ID: (item: Item, token: Int, request: Int)] = [:]
  /// The page to begin with; `nil` for the head.
  var start: PageKey?
  var timeline = Timeline<Item>()
  var value = FeedValue<Item>()
  var layout: FeedLayout<Item>
  /// The loads under way, oldest first.
  var loads: [Load] = []
  var failures: [FeedEdge: FeedError] = [:]
  /// From which side a gap was filled when that failed.
  var failedSides: [FeedEdge: Gap.Side] = [:]
  /// What the refresh that failed was asked for.
  var failedScope = RefreshScope.head
  /// Whether rows are stored, so that those that are let go can be read back.
  let isCached: Bool
  /// Whether loads wait until the user says that the source can be reached again.
  var isPaused = false
  var isRestoring = false
  private var isTakingAnswers = false
  /// How many rows came from disk so far.
  var restoredRows = 0
  /// Whether a gap follows the rows that came from disk so far.
  var isGapNext = false
  /// Whether edits wait for the rest of what is on disk before they are stored.
  var isSaveHeld = false
  /// Whether what is stored is not the list before the next step.
  var savesWhole = false
  /// Whether the reader's place and the time of the last refresh are stored.
  var isPlaceSaved = true
  /// The rows for which another key is known that is stored with the next step.
  var keyedLater: [Item.ID] = []
  /// What is stored of the page at the head.
  var savedPage: CachedPage?
  /// That page, as far as its rows were read from disk.
  var restoredPage: (page: CachedPage, items: [Item])?
  /// The answers that a source may call unchanged.
  var answered = AnsweredPages<Item>()
  /// Loads that were asked for while the page keys were still being read from disk.
  var deferred: [(edge: FeedEdge, side: Gap.Side, scope: RefreshScope, waiter: Int?)] = []
  var restoreWaiters: [Int] = []
  /// What the source said while rows were being read from disk.
  var news: [(event: FeedEvent<Item>, token: Int)] = []
  /// When pages were asked for again because they were old, by their first item.
  private var renewals: [Item.ID: Date] = [:]
  /// The item that the last load of an edge came to.
  var reached: Item.ID?
  /// The item that came on screen last.
  var displayed: Item.ID?
  var lastLoad = 0
  /// The number of the newest request.
  var lastRequest = 0
  /// The newest request whose answer was taken in.
  var lastMerged = 0
  var retryPolicy: RetryPolicy
  /// What is shown that the source does not say yet.
  var overlay = FeedOverlay<Item>()
  /// The keys of the pages taken since the head was last read anew.
  var usedKeys: Set<PageKey> = []

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    sourcePolicy: RetryPolicy = .never, isCached: Bool = false, start: PageKey? = nil,
    order: Timeline<Item>.Order? = nil, section: (@Sendable (Item) -> String)?
  ) {
    self.configuration = configuration
    self.continuity = continuity
    self.isCached = isCached
    self.start = start
    self.order = order
    retryPolicy = configuration.retryPolicy ?? sourcePolicy
    layout = FeedLayout(key: section)
  }

  // MARK: - What the user asks for

  /// Somebody wants an edge loaded, and waits for it or not.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    middle: Int? = nil, waiter: Int? = nil
  ) -> [Effect] {
    // A feed that begins in the middle does so only where nothing is stored, and what is stored of the
    // page at the head may spare its body.
    if isRestoring, edge != .head || start != nil || isHeadUnread {
      deferred.append((edge, side, scope, waiter))
      return publish()
    }
    let asked = edge
    var edge = edge
    switch edge {
    case .top where timeline.head == .end: return resume(waiter, .end)
    case .top where timeline.key(below: 0) == nil: edge = .head
    case .tail where timeline.endGap != nil:
      // What follows the last row is on disk.
      edge = timeline.endGap.map { .gap($0.id) } ?? .tail
    case .tail where timeline.tail == .end: return resume(waiter, .end)
    case .tail where timeline.tail == .unknown || timeline.count == 0: edge = .head
    case .gap(let id):
      guard timeline.gaps[id] != nil else { return resume(waiter, .end) }
    default: break
    }
    if let index = loads.firstIndex(where: { $0.edge == edge }) {
      join(&loads[index], waiter, asked)
      loads[index].scope = max(loads[index].scope, scope)
      // Who asks does not want to wait for the next attempt.
      return loads[index].isPausing && waiter != nil ? proceed(with: loads[index].ticket) : []
    }
    lastLoad += 1
    var load = Load(ticket: Ticket(load: lastLoad, attempt: 0), edge: edge, place: edge)
    load.scope = scope
    load.side = edge == .top ? .below : side
    load.middle = middle
    aim(&load)
    join(&load, waiter, asked)
    load.isPausing = isPaused && load.disk == nil
    loads.append(load)
    failures[edge] = nil
    return (load.isPausing ? [] : fetch(at: loads.count - 1)) + publish()
  }

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    let pausing = loads.filter(\.isPausing)
    let gaps = timeline.gaps.keys.sorted().map(FeedEdge.gap)
    let failed = ([.head, .top, .tail] + gaps).filter { failures[$0] != nil }
    guard let first = pausing.first?.edge ?? failed.first else { return resume(waiter, .idle) }
    let (scope, sides) = (failedScope, failedSides)
    failedSides = [:]
    var effects: [Effect] = []
    for edge in pausing.isEmpty ? failed : [first] + failed {
      let waiter = edge == first ? waiter : nil
      if waiter != nil || failures[edge] != nil {
        effects += load(edge, from: sides[edge] ?? .above, scope: scope, waiter: waiter)
      }
    }
    return pausing.reduce(effects) { $0 + proceed(with: $1.ticket) } + publish()
  }

  /// The source cannot be reached: loads wait.
  mutating func pause() -> [Effect] {
    isPaused = true
    return publish()
  }

  /// The source can be reached again: what waits is asked for.
  mutating func resume() -> [Effect] {
    isPaused = false
    return loads.filter(\.isPausing).reduce(into: []) { $0 += proceed(with: $1.ticket) } + publish()
  }

  /// An item comes on screen: near an end, that asks for more, and where it is old, for its page
  /// (but does not retry: rule R4).
  mutating func willDisplay(_ id: Item.ID) -> [Effect] {
    displayed = id
    guard let index = timeline.index(of: id) else { return [] }
    var effects = renew(index) + reload(around: index)
    if timeline.tail == .open, timeline.endGap == nil, failures[.tail] == nil,
      index >= timeline.count - configuration.prefetchDistance
    {
      effects += load(.tail)
    }
    if timeline.head == .open, failures[.top] == nil, index < configuration.prefetchDistance,
      timeline.key(below: 0) != nil
    {
      effects += load(.top)
    }
    return effects
  }

  /// Asks again for the page of a row that is older than it may be (rule T3), once in that time.
  private mutating func renew(_ index: Int) -> [Effect] {
    guard let staleAfter = configuration.staleAfter?.seconds, !isRestoring, failures[.head] == nil
    else { return [] }
    let isFresh = { [now] (date: Date) in now.timeIntervalSince(date) < staleAfter }
    if let date = timeline.fetchedAt(index), isFresh(date) { return [] }
    renewals = renewals.filter { isFresh($0.value) }
    let (key, first) = timeline.startOfPage(around: index)
    guard let id = timeline.rows[first].item?.id, renewals[id] == nil else { return [] }
    // What leads here may be on disk, and near: then it is being read.
    if first > 0, timeline.rows[first - 1].gap?.isStored == true { return [] }
    renewals[id] = now
    if first == 0 { return load(.head) }
    guard let key, continuity == .stable else { return load(.head, scope: .visible) }
    return load(.page(key))
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int) -> [Effect] {
    if let index = restoreWaiters.firstIndex(of: waiter) {
      restoreWaiters.remove(at: index)
      return [.resume([waiter], value.state.refresh)]
    }
    if let index = deferred.firstIndex(where: { $0.waiter == waiter }) {
      let edge = deferred.remove(at: index).edge
      return publish() + [.resume([waiter], value.state[edge])]
    }
    guard let index = loads.firstIndex(where: { $0.waiters[waiter] != nil }),
      let edge = loads[index].waiters.removeValue(forKey: waiter)
    else { return [] }
    let load = loads[index]
    guard load.waiters.isEmpty, !load.isUnattended else {
      return [.resume([waiter], value.state[edge])]
    }
    loads.remove(at: index)
    settle(at: now)
    return [.cancel(load.ticket.load)] + publish() + [.resume([waiter], value.state[edge])]
      + takeAnswers()
  }

  // MARK: - What the source answers

  /// An answer arrived.
  mutating func receive(_ answer: Answer, for ticket: Ticket) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }) else {
      value.diagnostics.lateAnswersIgnored += 1
      return []
    }
    loads[index].answer = (resolved(answer, for: loads[index]), now)
    loads[index].sent = nil
    return takeAnswers()
  }

  mutating func takeAnswers() -> [Effect] {
    // Taking one in may lead here again.
    guard !isTakingAnswers else { return [] }
    isTakingAnswers = true
    defer { isTakingAnswers = false }
    var effects: [Effect] = []
    while !isRestoring, let index = loads.firstIndex(where: { !$0.isPausing && $0.disk == nil }),
      let answer = loads[index].answer
    {
      var load = loads[index]
      load.answer = nil
      load.answeredAt = answer.at
      settle(at: answer.at)
      // What was read is worked on in place.
      loads[index].answer = nil
      loads[index].run = nil
      loads[index].readIDs = []
      switch answer.result {
      case .failure(let error): effects += fail(load, error, at: answer.at)
      case .success(let page): effects += take(page, for: load, at: answer.at)
      }
    }
    return effects
  }
}
