internal import FreshetLists

/// The state that a family keeps for one of its feeds, for as long as the feed exists.
final class FamilyMember<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  let query: Query
  weak let feed: Feed<Item>?
  private let freshness = Locked(Freshness())
  /// The lists that pause the loads of the feed.
  private let pausing = Locked<Set<ObjectIdentifier>>([])
  /// The refreshes that run only for observers.
  private let questions = Locked(Questions())

  private struct Questions {
    var last = 0
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  init(_ query: Query, _ feed: Feed<Item>) {
    self.query = query
    self.feed = feed
    feed.publisher.steps.setDemandObserver(self)
  }

  /// The refresh that is due when the feed is next observed, if any.
  private var question: Freshness.Question? {
    let isAnswered = feed?.value.isAnswered ?? false
    return freshness.withLock { $0.question(isAnswered: isAnswered) }
  }

  func invalidate(_ scope: RefreshScope) {
    // The feed is marked first: a caller that finds a refresh due must find the feed marked.
    feed?.markChanged()
    freshness.withLock { $0.invalidate(scope) }
  }

  /// Whether any list pauses the loads of the feed.
  var isPaused: Bool { pausing.withLock { !$0.isEmpty } }

  /// Records whether a list pauses the loads of the feed; `tellPauses()` applies it to the feed.
  ///
  /// It calls no other code, so a list can call it within the event that decides the pause.
  func setPaused(_ isPaused: Bool, by list: ObjectIdentifier) {
    pausing.withLock { _ = isPaused ? $0.insert(list).inserted : $0.remove(list) != nil }
  }

  /// Pauses the loads of the feed while any list wants that, and resumes them otherwise.
  func tellPauses() {
    // Read within the feed's own event, so that the last event sees the decisions of all lists.
    feed?.engine.perform { [self] machine, _ in isPaused ? machine.pause() : machine.resume() }
  }

  /// Refreshes the feed if that is due, or joins the refresh that is running (rule R1).
  ///
  /// - Returns: the state of the head afterwards.
  @discardableResult
  func freshen() async -> LoadState {
    guard let feed else { return .idle }
    return question == nil ? feed.value.state.refresh : await refresh(.head)
  }

  /// Refreshes the feed as far as the scope says, or farther if that is due.
  ///
  /// - Returns: the state of the head afterwards.
  func refresh(_ scope: RefreshScope) async -> LoadState {
    guard let feed else { return .idle }
    let question = question
    let outcome = await feed.refresh(max(scope, question?.scope ?? scope))
    if let question, outcome.failure == nil, !Task.isCancelled {
      freshness.withLock { $0.answered(question) }
    }
    return outcome
  }
}

extension FamilyMember: DemandObserver {
  /// Starts the refresh that is due because the rows became outdated while no observer was there.
  func begin() {
    guard let question, question.invalidations > 0 else { return }
    freshenSoon()
  }

  /// Cancels the refreshes that run only for observers, if no observer is left.
  ///
  /// Each holds the feed until the source answers, and a paused feed makes no request.
  func end() {
    let tasks = questions.withLock { questions -> [Task<Void, Never>] in
      // Another observer may have started meanwhile.
      guard (feed?.publisher.observers ?? 0) == 0 else { return [] }
      defer { questions.tasks = [:] }
      return Array(questions.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  /// Refreshes the feed if that is due.
  ///
  /// The task holds the feed until the source has answered, or no observer is left.
  func freshenSoon() {
    guard let feed else { return }
    questions.withLock { questions in
      questions.last += 1
      questions.tasks[questions.last] = Task { @concurrent [number = questions.last] in
        await freshen()
        self.questions.withLock { $0.tasks[number] = nil }
        withExtendedLifetime(feed) {}
      }
    }
  }
}
