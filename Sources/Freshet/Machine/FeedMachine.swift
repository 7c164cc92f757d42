internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: events go in, effects come out.
///
/// It decides everything and does nothing: no task, no clock, no lock. An event that depends on the time
/// is told it. Answers are taken in the order in which they were asked for, whatever order they arrive in
/// (rule R2).
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

  var setup: Setup
  /// What answers proved.
  var timeline = Timeline<Item>()
  /// Which of it is in memory.
  var window = Window<Item>()
  /// What is shown of it.
  var stages: FeedStages<Item>
  var value = FeedValue<Item>()
  /// The loads under way, oldest first.
  var loads: [Load] = []
  var traffic = Traffic()
  var failures = Failures()
  /// What waits while rows are being read from disk; `nil` where that is done.
  var restoring: Restoring?
  var storing = Storing()
  /// The answers that a source may call unchanged.
  var answered = AnsweredPages<Item>()
  /// News of items that belong beyond what is loaded.
  var unplacedNews: [Item.ID: (item: Item, token: Int, request: Int)] = [:]
  var reader = Reader()

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    sourcePolicy: RetryPolicy = .never, isCached: Bool = false, start: PageKey? = nil,
    order: Timeline<Item>.Order? = nil, sectionedBy section: (@Sendable (Item) -> String)?
  ) {
    setup = Setup(
      configuration: configuration, continuity: continuity,
      retryPolicy: configuration.retryPolicy ?? sourcePolicy, order: order, isCached: isCached,
      start: start)
    stages = FeedStages(sectionedBy: section)
  }

  var configuration: FeedConfiguration {
    get { setup.configuration }
    set { setup.configuration = newValue }
  }
  var continuity: PageContinuity { setup.continuity }
  var isRestoring: Bool { restoring != nil }

  // MARK: - What the user asks for

  /// Somebody wants an edge loaded, and waits for it or not.
  mutating func load(
    _ edge: FeedEdge, from side: Gap.Side = .above, scope: RefreshScope = .head,
    middle: Int? = nil, waiter: Int? = nil
  ) -> [Effect] {
    // A feed that begins in the middle does so only where nothing is stored, and what is stored of the
    // page at the head may spare its body.
    if let restoring, edge != .refresh || setup.start != nil || restoring.isHeadUnread {
      self.restoring?.deferred.append((edge, side, scope, waiter))
      return publish()
    }
    let asked = edge
    guard let edge = edgeToLoad(asked) else { return resume(waiter, .end) }
    if let index = loads.firstIndex(where: { $0.edge == edge }) {
      join(&loads[index], waiter, asked)
      loads[index].scope = max(loads[index].scope, scope)
      // Who asks does not want to wait for the next attempt.
      return loads[index].isPausing && waiter != nil ? proceed(with: loads[index].ticket) : []
    }
    traffic.lastLoad += 1
    var load = Load(ticket: Ticket(load: traffic.lastLoad, attempt: 0), edge: edge)
    load.scope = scope
    load.side = edge == .previous ? .below : side
    load.middle = middle
    aim(&load)
    join(&load, waiter, asked)
    load.attempts.isPausing = traffic.isPaused && load.disk == nil
    loads.append(load)
    failures[edge] = nil
    return (load.isPausing ? [] : fetch(at: loads.count - 1)) + publish()
  }

  /// Where an answer begins that brings what somebody wants; `nil` where there is nothing more.
  private func edgeToLoad(_ edge: FeedEdge) -> FeedEdge? {
    switch edge {
    case .previous where timeline.head == .end,
      .next where timeline.tail == .end && timeline.endGap == nil:
      nil
    case .previous where timeline.key(below: 0) == nil: .refresh
    // What follows the last row is on disk.
    case .next where timeline.endGap != nil: timeline.endGap.map { .gap($0.id) }
    case .next where timeline.tail == .unknown || timeline.count == 0: .refresh
    case .gap(let id) where timeline.gaps[id] == nil: nil
    default: edge
    }
  }

  /// Asks again for every edge that failed, and at once for those that wait to be asked for again.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    let pausing = loads.filter(\.isPausing)
    let failed = failures.edges
    guard let first = pausing.first?.edge ?? failed.first else { return resume(waiter, .idle) }
    let (scope, sides) = (failures.scope, failures.sides)
    failures.sides = [:]
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
    traffic.isPaused = true
    return publish()
  }

  /// The source can be reached again: what waits is asked for.
  mutating func resume() -> [Effect] {
    traffic.isPaused = false
    return loads.filter(\.isPausing).reduce(into: []) { $0 += proceed(with: $1.ticket) } + publish()
  }

  /// An item comes on screen: near an end, that asks for more, and where it is old, for its page
  /// (but does not retry: rule R4).
  mutating func willDisplay(_ id: Item.ID, at now: Date) -> [Effect] {
    reader.displayed = id
    guard timeline.count > 0, let index = stages.overlay.timelineIndex(of: id, in: timeline)
    else { return [] }
    var effects = renew(min(index, timeline.count - 1), at: now) + reload(around: index)
    if timeline.tail == .open, timeline.endGap == nil, failures[.next] == nil,
      index >= timeline.count - configuration.prefetchDistance
    {
      effects += load(.next)
    }
    if timeline.head == .open, failures[.previous] == nil, index < configuration.prefetchDistance,
      timeline.key(below: 0) != nil
    {
      effects += load(.previous)
    }
    return effects
  }

  /// Asks again for the page of a row that is older than it may be (rule T3), once in that time.
  private mutating func renew(_ index: Int, at now: Date) -> [Effect] {
    guard let staleAfter = configuration.staleAfter?.seconds, !isRestoring,
      failures[.refresh] == nil
    else { return [] }
    let isFresh = { (date: Date) in now.timeIntervalSince(date) < staleAfter }
    if let date = timeline.fetchedAt(index), isFresh(date) { return [] }
    reader.renewals = reader.renewals.filter { isFresh($0.value) }
    let (key, first) = timeline.startOfPage(around: index)
    guard let id = timeline.rows[first].item?.id, reader.renewals[id] == nil else { return [] }
    // What leads here may be on disk, and near: then it is being read.
    if first > 0, timeline.rows[first - 1].gap?.isStored == true { return [] }
    reader.renewals[id] = now
    if first == 0 { return load(.refresh) }
    guard let key, continuity == .stable else { return load(.refresh, scope: .visible) }
    return load(.page(key))
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int, at now: Date) -> [Effect] {
    if let index = restoring?.waiters.firstIndex(of: waiter) {
      restoring?.waiters.remove(at: index)
      return [.resume([waiter], value.state.refresh)]
    }
    if let index = restoring?.deferred.firstIndex(where: { $0.waiter == waiter }),
      let edge = restoring?.deferred.remove(at: index).edge
    {
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
    let settled = settle(at: now)
    return [.cancel(load.ticket.load)] + settled + publish() + [
      .resume([waiter], value.state[edge])
    ]
      + readAnswers()
  }

  // MARK: - What the source answers

  /// An answer arrived.
  mutating func receive(_ answer: Answer, for ticket: Ticket, at now: Date) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }) else {
      value.diagnostics.lateAnswersIgnored += 1
      return []
    }
    loads[index].asked.answer = (resolved(answer, for: loads[index]), now)
    loads[index].asked.sent = nil
    return readAnswers()
  }

  mutating func readAnswers() -> [Effect] {
    // Taking one in may lead here again.
    guard !traffic.isReading else { return [] }
    traffic.isReading = true
    defer { traffic.isReading = false }
    var effects: [Effect] = []
    while !isRestoring, let next = loads.first(where: { !$0.isPausing && $0.disk == nil }),
      let answer = next.asked.answer
    {
      effects += settle(at: answer.at)
      // What settles may close the edge that is loaded, and end the load with it.
      guard let index = loads.firstIndex(where: { $0.ticket == next.ticket }) else { continue }
      var load = loads[index]
      load.asked.answer = nil
      load.asked.answeredAt = answer.at
      // What was read is worked on in place.
      loads[index].asked.answer = nil
      loads[index].walk.run = nil
      loads[index].walk.readIDs = []
      switch answer.result {
      case .failure(let error): effects += fail(load, error, at: answer.at)
      case .success(let page): effects += read(page, for: load, at: answer.at)
      }
    }
    return effects
  }
}
