internal import FreshetLists
internal import struct Foundation.Date

/// The state machine of a feed: events go in, effects come out.
///
/// It decides everything and does nothing: no task, no clock, no lock. An event that depends on the
/// time is told it. Answers are taken in the order in which they were asked for, whatever order
/// they arrive in (rule R2).
struct FeedMachine: Sendable {
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
    /// Show the machine's contents; a step where rows changed.
    case publish(StepContents?)
    /// Store a step.
    case save(FeedCommit<AnyItem>)
    /// Tell these waiters how their edge stands now.
    case resume([Int], LoadState)
  }

  /// What an answer is for: a late answer for an earlier ticket of a load has no effect.
  struct Ticket: Hashable, Sendable {
    var load: Int
    var attempt: Int
  }

  typealias Answer = Result<Page<AnyItem, PageKey>, FeedError>

  var setup: Setup
  /// What answers proved.
  var timeline = Timeline()
  /// What is shown of it.
  var presentation: Presentation
  var contents = ListContents() { didSet { shared = nil } }
  /// The contents as they were shared, until they change.
  private var shared: Shared<ListContents>?
  /// The loads under way, oldest first.
  var loads: [Load] = []
  var traffic = Traffic()
  var failures = Failures()
  /// What waits while rows are being read from disk; `nil` where that is done.
  var restoring: Restoring?
  var storing = Storing()
  /// The answers that a source may call unchanged.
  var answered = AnsweredPages()
  /// News of items that belong beyond what is loaded.
  var unplacedNews: [RowID: (item: AnyItem, token: Int, request: Int)] = [:]
  /// Items that an edit put out of order, and that answers showed not to be there.
  var misplaced: [AnyItem] = []
  var reader = Reader()

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    sourcePolicy: RetryPolicy = .never, isCached: Bool = false, start: PageKey? = nil,
    order: Timeline.Order? = nil, sectionedBy section: (@Sendable (AnyItem) -> String)?
  ) {
    setup = Setup(
      configuration: configuration, continuity: continuity,
      retryPolicy: configuration.retryPolicy ?? sourcePolicy, order: order, isCached: isCached,
      start: start)
    presentation = Presentation(sectionedBy: section)
    timeline.isSorted = order != nil
  }

  var configuration: FeedConfiguration {
    get { setup.configuration }
    set { setup.configuration = newValue }
  }
  var continuity: PageContinuity { setup.continuity }
  var isRestoring: Bool { restoring != nil }

  /// The contents, to be copied as one reference.
  mutating func share() -> Shared<ListContents> {
    let shared = shared ?? Shared(contents)
    self.shared = shared
    return shared
  }

  // MARK: - What the user asks for

  /// The source cannot be reached: loads wait.
  mutating func pause() -> [Effect] {
    traffic.isPaused = true
    return publish()
  }

  /// The source can be reached again: what waits is asked for, and what failed while it could not
  /// be (rule R7).
  mutating func resume() -> [Effect] {
    traffic.isPaused = false
    let pausing = loads.filter(\.isPausing)
    let effects = loadAgain(failures.passing)
    return pausing.reduce(effects) { $0 + proceed(with: $1.ticket, isAsked: true) } + publish()
  }

  // MARK: - What the source answers

  /// Takes in an answer that took `duration`.
  mutating func receive(
    _ answer: Answer, for ticket: Ticket, at now: Date, after duration: Duration = .zero
  ) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }) else {
      contents.diagnostics.lateAnswersIgnored += 1
      return []
    }
    if case .failure = answer {
      loads[index].attempts.spent += duration
    } else {
      loads[index].attempts.spent = .zero
    }
    loads[index].asked.answer = (resolved(answer, for: loads[index]), now)
    loads[index].asked.sent = nil
    return readAnswers()
  }

  mutating func readAnswers() -> [Effect] {
    // Taking one in may lead here again.
    guard !traffic.isReading else { return [] }
    if loads.isEmpty { return refreshOnceMore() }
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
      case .success(let page):
        load.attempts.failure = nil
        let isReached = noteReached()
        effects += read(page, for: load, at: answer.at)
        // A load of several pages goes on, and is not asked again.
        if isReached || contents.state.retrying != nil { effects += publish() }
      }
    }
    return effects + refreshOnceMore()
  }
}
