public import FreshetLists

/// A live list that is made of others: mapped, filtered, with separators, merged, in sections.
///
/// ```swift
/// let timeline = home.merged(with: lists, sortedBy: \.date, .reverse)
///   .filter { !$0.isSensitive }
///   .separated { above, below in above?.day == below.day ? nil : Divider(day: below.day) }
/// for await update in timeline.updates { print(update.changes) }
/// ```
///
/// Its rows are items and gaps, as those of a feed: closures are asked about items, and gaps stay
/// where they are and load as ever (rule X4). Closures are called for rows that changed and their
/// neighbours (rule X3), on no particular actor.
///
/// It costs nothing while nobody looks. With its first observer it begins to follow the lists it is
/// made of, and it ends with its last. It holds on to those lists, and a sequence of its updates or
/// values holds on to it. A list of lists with sections is one list, section after section, until
/// `sectioned(by:)` sorts its rows again.
///
/// A chain of lists takes a change in as one, up to a merge or a list with sections: what nobody
/// looks at on the way is not made. Each list that is looked at does the work of its own chain,
/// with calls of the closures for it.
public final class DerivedList<Item: ListItem>: LiveList {
  /// How rows are made, anew with each first observer.
  ///
  /// With a closure to be called when there is something new; `nil` looks once.
  typealias Recipe = @Sendable (_ wake: (@Sendable () -> Void)?) -> any ListNode<Item>

  /// Publishes what is shown to its observers.
  public let publisher = ListPublisher<Item>()
  let eventQueue = EventQueue(Engine())
  /// What it is made of.
  let lists: [any LiveList]
  let recipe: Recipe
  /// Whether what is new will be taken in anyway.
  private let isWoken = Locked(false)
  /// Whether what is shown is kept up to date.
  private let isRunning = Locked(false)
  /// What lays its rows out in sections, if they are; anew with each first observer.
  let sections: (@Sendable () -> RowSections<ListRow<Item>>)?

  init(
    of lists: [any LiveList], sections: (@Sendable () -> RowSections<ListRow<Item>>)? = nil,
    recipe: @escaping Recipe
  ) {
    self.lists = lists
    self.sections = sections
    self.recipe = recipe
    publisher.steps.setDemandObserver(self)
  }

  /// All that is shown now.
  ///
  /// - Complexity: O(1) while somebody looks; else, and until a list of hundreds of rows has begun,
  ///   the list is made for the question, with a call of the closures for each row.
  public var value: ListValue<Item> {
    // Under the lock: what is shown goes once it no longer runs.
    if let value = isRunning.withLock({ $0 ? publisher.value : nil }) { return value }
    var rows = recipe(nil)
    var layout = DerivedLayout(in: sections?())
    _ = layout.show(rows.begin())
    return layout.value
  }

  // MARK: - While somebody looks

  /// What there is while somebody looks.
  struct Engine: Sendable {
    var running: (rows: any ListNode<Item>, layout: DerivedLayout<Item>)?
    var lastStep = 0
    /// The item that came on screen last.
    var displayed: Item.ID?
    /// The edges at which more is asked for because the reader is near.
    var loadsAhead: Set<ListEdge> = []
  }

  /// As many rows as a caller on the main actor can take in itself.
  private static var fewRows: Int { 256 }

  /// Takes in what became of the lists, and shows it.
  private func wake() {
    let wasWoken = isWoken.withLock { isWoken in
      defer { isWoken = true }
      return isWoken
    }
    guard !wasWoken else { return }
    eventQueue.post(asTaskIf: { ($0.running?.rows.waitingRows ?? 0) > Self.fewRows }) {
      [self] engine in advance(&engine)
    }
  }

  private func advance(_ engine: inout Engine) -> EventQueue<Engine>.DeferredActions {
    isWoken.withLock { $0 = false }
    guard engine.running != nil else { return {} }
    return show(engine.running?.rows.advance() ?? [], &engine)
  }

  private func show(
    _ steps: [RowStep<Item>], _ engine: inout Engine
  ) -> EventQueue<Engine>.DeferredActions {
    var updates: [ListUpdate<Item>] = []
    var isNew = false
    for step in steps {
      guard let told = engine.running?.layout.show(step) else { continue }
      isNew = isNew || told.isNew
      if let update = told.update { updates.append(update) }
    }
    guard isNew, let value = engine.running?.layout.value else { return {} }
    engine.lastStep = value.step
    return publisher.show(value, updates, isNew: true)
  }
}

extension DerivedList: DemandObserver {
  func begin() {
    let rows = lists.reduce(0) { $0 + $1.rowsShown }
    eventQueue.post(asTaskIf: { $0.running == nil && rows > Self.fewRows }) { [self] engine in
      guard engine.running == nil, publisher.observers > 0 else { return {} }
      // What comes while it begins belongs to its first step.
      isWoken.withLock { $0 = true }
      var rows = recipe { [weak self] in self?.wake() }
      var layout = DerivedLayout<Item>(in: sections?())
      layout.continueSteps(after: engine.lastStep)
      let first = rows.begin()
      engine.running = (rows, layout)
      isWoken.withLock { $0 = false }
      let steps = [first] + (engine.running?.rows.advance() ?? [])
      defer { isRunning.withLock { $0 = true } }
      return show(steps, &engine)
    }
  }

  func end() {
    eventQueue.post(asTaskIf: { ($0.running?.layout.value.rows.count ?? 0) > Self.fewRows }) {
      [self] engine in
      guard engine.running != nil else { return {} }
      isRunning.withLock { $0 = false }
      guard publisher.steps.clear() else {
        isRunning.withLock { $0 = true }
        return {}
      }
      let running = engine.running
      engine.running = nil
      engine.displayed = nil
      // Other lists end with it: when this one is free again.
      return { withExtendedLifetime(running) {} }
    }
  }
}

extension LiveList {
  /// How many rows are shown without a question.
  var rowsShown: Int { publisher.value.list.count }
}
