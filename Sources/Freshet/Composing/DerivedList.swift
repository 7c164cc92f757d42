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
/// Its rows are items and gaps, as in a feed. Closures are called with items only. Gaps stay at
/// their places and load as usual (rule X4). Closures are called for changed rows and their
/// neighbours (rule X3), on no particular actor.
///
/// A list without observers does no work. It starts to follow its source lists with its first
/// observer, and stops with its last. It keeps a strong reference to its source lists, and a
/// sequence of its updates or values keeps one to it. A source list with sections is read as one
/// list, section after section, until `sectioned(by:)` makes sections of its rows again.
///
/// A chain of lists handles a change in one pass, up to a merge or a list with sections. The
/// intermediate lists of the chain are not built unless they are observed. Each observed list does
/// the work of its own chain, and calls the closures for it.
public final class DerivedList<Item: ListItem>: LiveList {
  /// A closure that builds the rows, called again for each first observer.
  ///
  /// `wake` is called when there is something new; if it is `nil`, the rows are read only once.
  typealias Recipe = @Sendable (_ wake: (@Sendable () -> Void)?) -> any ListNode<Item>

  /// The publisher that delivers the list to its observers.
  public let publisher = ListPublisher<Item>()
  let eventQueue = EventQueue(Engine())
  /// The lists from which this one is derived.
  let lists: [any LiveList]
  let recipe: Recipe
  /// Whether `advance` is already scheduled, which takes in all pending changes.
  private let isWoken = Locked(false)
  /// Whether the published value is kept up to date.
  private let isRunning = Locked(false)
  /// The closure that divides the rows into sections, if any; called again for each first observer.
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

  /// The list as it is now, with its state.
  ///
  /// - Complexity: O(1) while the list is observed. Otherwise, each read computes the list, with a
  ///   call of the closures for each row. So does a read before an observed list of hundreds of
  ///   rows has started.
  public var value: ListValue<Item> {
    // Under the lock, because the published value is cleared once the list no longer runs.
    if let value = isRunning.withLock({ $0 ? publisher.value : nil }) { return value }
    var rows = recipe(nil)
    var layout = DerivedLayout(in: sections?())
    _ = layout.show(rows.begin())
    return layout.value
  }

  // MARK: - While the list is observed

  /// The state that exists while the list is observed.
  struct Engine: Sendable {
    var running: (rows: any ListNode<Item>, layout: DerivedLayout<Item>)?
    var lastStep = 0
    /// The item that appeared on screen last.
    var displayed: Item.ID?
    /// The edges at which more rows are loaded because the reader is near.
    var loadsAhead: Set<ListEdge> = []
  }

  /// The largest number of rows that is processed on the caller's thread, possibly the main thread.
  private static var fewRows: Int { 256 }

  /// Takes in the changes of the source lists, and publishes the result.
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
      // Changes that arrive while the list starts belong to its first step.
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
      // Source lists may be released with it: wait until this engine is idle again.
      return { withExtendedLifetime(running) {} }
    }
  }
}

extension LiveList {
  /// The number of rows in the published value, which is read without computing the list.
  var rowsShown: Int { publisher.value.list.count }
}
