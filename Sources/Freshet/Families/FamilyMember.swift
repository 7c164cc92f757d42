internal import FreshetLists

/// What a family knows of one of its feeds, for as long as somebody holds the feed.
final class FamilyMember<Query: Hashable & Codable & Sendable, Item: ListItem>: Sendable {
  let query: Query
  weak let feed: Feed<Item>?
  private let freshness = Locked(Freshness())
  /// The lists that let its loads wait.
  private let pausing = Locked<Set<ObjectIdentifier>>([])
  /// The questions to the source that are asked for observers alone.
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

  /// What the source is to be asked once somebody looks, if anything.
  private var question: Freshness.Question? {
    let isAnswered = feed?.value.isAnswered ?? false
    return freshness.withLock { $0.question(isAnswered: isAnswered) }
  }

  func invalidate(_ scope: RefreshScope) {
    // Told first: who sees that there is something to ask finds the feed told.
    feed?.markChanged()
    freshness.withLock { $0.invalidate(scope) }
  }

  /// Whether any list wants the loads of the feed to wait.
  var isPaused: Bool { pausing.withLock { !$0.isEmpty } }

  /// Notes whether a list wants the loads of the feed to wait; `tellPauses()` tells the feed.
  ///
  /// It calls nobody: a list says it in the turn in which it decides it.
  func setPaused(_ isPaused: Bool, by list: ObjectIdentifier) {
    pausing.withLock { _ = isPaused ? $0.insert(list).inserted : $0.remove(list) != nil }
  }

  /// Lets the loads of the feed wait while any list wants that, whatever the others want.
  func tellPauses() {
    // Looked at in the feed's own turn: the last one knows what all lists want.
    feed?.engine.perform { [self] machine, _ in isPaused ? machine.pause() : machine.resume() }
  }

  /// Asks the source if it has to be asked, or waits with those who asked already (rule R1).
  ///
  /// - Returns: how the head of the list stands afterwards.
  @discardableResult
  func freshen() async -> LoadState {
    guard let feed else { return .idle }
    return question == nil ? feed.value.state.refresh : await refresh(.head)
  }

  /// Asks the source, as far as somebody wants or as it has to be asked.
  ///
  /// - Returns: how the head of the list stands afterwards.
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
  /// Somebody looks: what became invalid meanwhile is asked for again.
  func begin() {
    guard let question, question.invalidations > 0 else { return }
    freshenSoon()
  }

  /// Cancels the questions that were asked for observers, as there are none left.
  ///
  /// Each holds the feed until the source answers, which a paused feed does not ask.
  func end() {
    let tasks = questions.withLock { questions -> [Task<Void, Never>] in
      // Another observer may have come meanwhile.
      guard (feed?.publisher.observers ?? 0) == 0 else { return [] }
      defer { questions.tasks = [:] }
      return Array(questions.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  /// Asks the source if it has to be asked, and holds the feed until it has answered or no observer
  /// is left.
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
