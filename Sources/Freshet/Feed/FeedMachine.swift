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

  private struct Load: Sendable {
    var ticket: Ticket
    /// The edge somebody wants loaded.
    let edge: RunStart
    /// Where the answers start: at the edge, or at the head where nothing known led there.
    var place: RunStart
    var key: PageKey?
    /// The row that the key continues.
    var after: Item.ID?
    /// Who waits, and for which edge: where nothing is known the end is loaded at the head.
    var waiters: [Int: RunStart] = [:]
    /// Whether somebody asked who does not wait: then cancelling waiters cancels nothing.
    var isUnattended = false
    var answer: (result: Answer, at: Date)?
    /// What a refresh has read so far, before it met a known row.
    var run: Run<Item>?
    var pages = 0
    var scope = RefreshScope.head
    /// The ids in `run`.
    var readIDs: Set<Item.ID> = []
    /// The keys of the pages that a refresh has read.
    var readKeys: Set<PageKey> = []
    /// Pages in a row that added nothing to `run`.
    var repeatedPages = 0
    /// Pages in a row that brought no row which the feed did not know.
    var fruitlessPages = 0
    /// How far down the known rows a walk or a refresh has come, and how many pages ago.
    var reached = -1
    var pagesSinceReached = 0
    var staleKeys = 0
    var stepsBack = 0
    var duplicates = 0
  }

  /// Pages in a row that may bring nothing new before that counts as a loop (rule T7).
  private static var fruitlessLimit: Int { 8 }
  /// Pages to read backwards for a row that moved, before a gap is left (rule T5).
  private static var stepBackLimit: Int { 4 }

  let configuration: FeedConfiguration
  let continuity: PageContinuity
  private(set) var timeline = Timeline<Item>()
  private(set) var value = FeedValue<Item>()
  private var layout: FeedLayout<Item>
  /// The loads under way, oldest first.
  private var loads: [Load] = []
  private var failures: [RunStart: FeedError] = [:]
  /// What the refresh that failed was asked for.
  private var failedScope = RefreshScope.head
  private var isRestoring = false
  /// Whether a gap follows the rows that came from disk so far.
  private var isGapNext = false
  /// Whether edits wait for the rest of what is on disk before they are stored.
  private var isSaveHeld = false
  /// Whether what is stored is not the list before the next step.
  private var savesWhole = false
  /// Loads that were asked for while the page keys were still being read from disk.
  private var deferred: [(edge: RunStart, waiter: Int?)] = []
  private var restoreWaiters: [Int] = []
  private var lastLoad = 0
  /// The keys of the pages taken since the head was last read anew.
  private var usedKeys: Set<PageKey> = []

  init(
    configuration: FeedConfiguration, continuity: PageContinuity,
    section: (@Sendable (Item) -> String)?
  ) {
    self.configuration = configuration
    self.continuity = continuity
    layout = FeedLayout(key: section)
  }

  // MARK: - What the user asks for

  /// Somebody wants an edge loaded, and waits for it or not.
  mutating func load(
    _ edge: RunStart, scope: RefreshScope = .head, waiter: Int? = nil
  ) -> [Effect] {
    if isRestoring, edge != .head {
      deferred.append((edge, waiter))
      return []
    }
    let asked = edge
    var edge = edge
    switch edge {
    case .tail where timeline.tail == .end: return resume(waiter, .end)
    case .tail where timeline.tail == .unknown || timeline.count == 0: edge = .head
    case .gap(let id):
      guard timeline.gaps[id] != nil else { return resume(waiter, .end) }
    default: break
    }
    if let index = loads.firstIndex(where: { $0.edge == edge }) {
      join(&loads[index], waiter, asked)
      if scope == .all { loads[index].scope = .all }
      return []
    }
    lastLoad += 1
    var load = Load(ticket: Ticket(load: lastLoad, attempt: 0), edge: edge, place: edge)
    load.scope = scope
    aim(&load)
    join(&load, waiter, asked)
    loads.append(load)
    failures[edge] = nil
    return [fetch(load)] + publish()
  }

  /// Asks again for every edge that failed.
  mutating func retry(waiter: Int? = nil) -> [Effect] {
    let gaps = timeline.gaps.keys.sorted().map(RunStart.gap)
    let edges = ([.head, .tail] + gaps).filter { failures[$0] != nil }
    guard let first = edges.first else { return resume(waiter, .idle) }
    let scope = failedScope
    return edges.dropFirst().reduce(load(first, scope: scope, waiter: waiter)) { $0 + load($1) }
  }

  /// An item comes on screen: near the end, that asks for more (but does not retry: rule R4).
  mutating func willDisplay(_ id: Item.ID) -> [Effect] {
    guard timeline.tail == .open, failures[.tail] == nil, let index = timeline.index(of: id),
      index >= timeline.count - configuration.prefetchDistance
    else { return [] }
    return load(.tail)
  }

  /// A waiter was cancelled: the last one takes the request with it (rule R3).
  mutating func cancel(waiter: Int) -> [Effect] {
    if let index = restoreWaiters.firstIndex(of: waiter) {
      restoreWaiters.remove(at: index)
      return [.resume([waiter], value.state.refresh)]
    }
    if let index = deferred.firstIndex(where: { $0.waiter == waiter }) {
      return [.resume([waiter], value.state[deferred.remove(at: index).edge])]
    }
    guard let index = loads.firstIndex(where: { $0.waiters[waiter] != nil }),
      let edge = loads[index].waiters.removeValue(forKey: waiter)
    else { return [] }
    let load = loads[index]
    guard load.waiters.isEmpty, !load.isUnattended else {
      return [.resume([waiter], value.state[edge])]
    }
    loads.remove(at: index)
    return [.cancel(load.ticket.load)] + publish() + [.resume([waiter], value.state[edge])]
      + takeAnswers()
  }

  // MARK: - What the source answers

  /// An answer arrived.
  mutating func receive(_ answer: Answer, for ticket: Ticket, at now: Date) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    loads[index].answer = (answer, now)
    return takeAnswers()
  }

  private mutating func takeAnswers() -> [Effect] {
    var effects: [Effect] = []
    while !isRestoring, var load = loads.first, let answer = load.answer {
      load.answer = nil
      // What was read is worked on in place.
      loads[0].answer = nil
      loads[0].run = nil
      loads[0].readIDs = []
      switch answer.result {
      case .failure(let error): effects += fail(load, error, at: answer.at)
      case .success(let page): effects += take(page, for: load, at: answer.at)
      }
    }
    return effects
  }

  private mutating func fail(_ load: Load, _ error: FeedError, at now: Date) -> [Effect] {
    if error.meansStaleKey, let key = load.key, load.run == nil, load.staleKeys < 2 {
      // The next key above still leads here, or else the way down from the head does.
      var load = load
      load.staleKeys += 1
      timeline.forget(load.staleKeys == 1 ? key : nil)
      aim(&load)
      return ask(load, for: load.key)
    }
    failures[load.edge] = error
    if load.edge == .head { failedScope = load.scope }
    // What came before the failure is evidence all the same.
    return mergeSoFar(load, at: now)
  }

  private mutating func mergeSoFar(_ load: Load, at now: Date) -> [Effect] {
    guard let run = load.run, let fit = timeline.fit(run, at: load.place) else {
      return finish(load)
    }
    return finish(load, merge(run, fit, for: load, at: now))
  }

  private mutating func take(
    _ page: Page<Item, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    if case .gap(let id) = load.edge, timeline.gaps[id] == nil { return finish(load) }
    if let after = load.after, timeline.keys[after] != load.key {
      // The row that this page continues moved or went while the page was on its way.
      aim(&load)
      return ask(load, for: load.key)
    }
    load.pages += 1
    // A page that does not continue the run that was read leaves a gap behind it.
    guard let run = extend(&load, with: page) else { return mergeSoFar(load, at: now) }
    if load.edge == .head, configuration.refreshPolicy == .replace, timeline.tail != .unknown {
      return replaceList(by: run, for: load, at: now)
    }
    if load.edge == .head, load.scope == .all, timeline.count > 0 {
      return takeAll(page, run, for: load, at: now)
    }
    guard var fit = timeline.fit(run, at: load.place, overlapping: continuity == .overlapping)
    else { return finish(load) }

    if fit.isApart {
      if let previous = run.previous, load.stepsBack < Self.stepBackLimit {
        load.stepsBack += 1
        return ask(load, for: previous)
      }
      if run.previous == nil, let head = timeline.fit(run, at: .head) {
        // Reading backwards came to the first page without a known row: that page is the head.
        load.place = .head
        fit = head
      }
    }
    if load.place == .head, let next = run.next, !fit.meetsKnown,
      load.pages < configuration.refreshPages, !load.readKeys.contains(next)
    {
      return readOn(run, for: load, at: next)
    }
    return mergeAndGoOn(run, fit, for: load, at: now)
  }

  /// Keeps what was read and asks for the page behind it.
  private mutating func readOn(_ run: Run<Item>, for load: Load, at next: PageKey) -> [Effect] {
    var load = load
    load.run = run
    load.readKeys.insert(next)
    return ask(load, for: next)
  }

  /// A page on the way through everything that is loaded.
  ///
  /// Where as many rows were read as were loaded and the last of those is not among them, it is
  /// further down or gone: the list is what was read, and the rest comes again by scrolling.
  private mutating func takeAll(
    _ page: Page<Item, PageKey>, _ run: Run<Item>, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    let reached = page.items.compactMap { timeline.index(of: $0.id) }.max() ?? -1
    load.pagesSinceReached = reached > load.reached ? 0 : load.pagesSinceReached + 1
    load.reached = max(load.reached, reached)
    guard let next = run.next, !load.readKeys.contains(next) else {
      guard let fit = timeline.fit(run, at: .head) else { return finish(load) }
      return mergeAndGoOn(run, fit, for: load, at: now)
    }
    if load.repeatedPages == Self.fruitlessLimit {
      failures[.head] = .pagingLoop(key: next.json)
      load.run = run
      return mergeSoFar(load, at: now)
    }
    if load.reached == timeline.count - 1, let fit = timeline.fit(run, at: .head),
      fit.end == timeline.count
    {
      return mergeAndGoOn(run, fit, for: load, at: now)
    }
    if run.items.count >= timeline.count, load.pagesSinceReached >= configuration.refreshPages {
      value.refreshedAt = now
      return finish(load, change(.network, load.duplicates) { $0.become(run) })
    }
    return readOn(run, for: load, at: next)
  }

  /// Merges, and sees to it that a walk gets somewhere (rule T7).
  private mutating func mergeAndGoOn(
    _ run: Run<Item>, _ fit: RunFit, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    if load.place == .head { usedKeys = [] }
    if let key = load.key { usedKeys.insert(key) }
    let gaps = timeline.gaps.count
    let change = merge(run, fit, for: load, at: now)
    guard let next = run.next else { return finish(load, change) }
    if next == load.key || continuity == .stable && load.edge == .tail && usedKeys.contains(next) {
      failures[load.edge] = .pagingLoop(key: next.json)
      return finish(load, change)
    }
    let isFruitless = change.edit.newItems == 0 && timeline.gaps.count >= gaps
    guard isFruitless, load.edge != .head || timeline.count == 0 else {
      return finish(load, change)
    }
    // A walk down known rows gets somewhere; one that stays where it is does not.
    let reached = run.items.last.flatMap { timeline.index(of: $0.id) } ?? -1
    load.readIDs = []
    load.fruitlessPages = reached > load.reached ? 1 : load.fruitlessPages + 1
    load.reached = max(load.reached, reached)
    load.stepsBack = 0
    load.run = nil
    load.place = load.edge
    load.after = run.items.last?.id ?? load.after
    if load.fruitlessPages == Self.fruitlessLimit {
      failures[load.edge] = .pagingLoop(key: next.json)
      return finish(load, change)
    }
    return ask(load, for: next) + publish(change) + save(change)
  }

  /// The ancestors' first-page cache deletion: a head that differs becomes the list.
  private mutating func replaceList(
    by run: Run<Item>, for load: Load, at now: Date
  ) -> [Effect] {
    if run.items.isEmpty, let next = run.next {
      if load.pages < Self.fruitlessLimit { return readOn(run, for: load, at: next) }
      failures[.head] = .pagingLoop(key: next.json)
      return finish(load)
    }
    value.refreshedAt = now
    if timeline.startsWith(run.items), run.next != nil || timeline.count == run.items.count,
      let fit = timeline.fit(run, at: .head)
    {
      return finish(load, merge(run, fit, for: load, at: now))
    }
    var effects: [Effect] = []
    for other in loads.dropFirst() {
      effects += [.cancel(other.ticket.load), .resume(other.waiters.keys.sorted(), .idle)]
    }
    loads = [load]
    failures = [:]
    usedKeys = []
    return effects + finish(load, change(.network, load.duplicates) { $0.become(run) })
  }

  /// Adds a page to what a load has read, or says that it does not continue it.
  private mutating func extend(_ load: inout Load, with page: Page<Item, PageKey>) -> Run<Item>? {
    var items = page.items[...]
    var run = load.run ?? Run(items: [], next: nil, previous: page.previous, after: load.after)
    if continuity == .overlapping, let last = run.items.last {
      guard let joint = items.lastIndex(where: { $0.id == last.id }) else { return nil }
      items = items[(joint + 1)...]
    }
    let repeated = Set(items.lazy.map(\.id)).intersection(load.readIDs)
    // A row on two pages moved down between them: the later answer decides (rule L1).
    if !repeated.isEmpty { run.items.removeAll { repeated.contains($0.id) } }
    load.readIDs.subtract(repeated)
    var fresh: [Item] = []
    for item in items where load.readIDs.insert(item.id).inserted { fresh.append(item) }
    load.duplicates += items.count - fresh.count + repeated.count
    load.repeatedPages = fresh.count > repeated.count ? 0 : load.repeatedPages + 1
    run.items += fresh
    run.next = page.next
    return run
  }

  // MARK: - What is on disk

  /// Rows are being read from disk: answers wait for them.
  mutating func beginRestoring() { isRestoring = true }

  /// Somebody waits until all that is on disk is shown.
  mutating func waitForRestore(_ waiter: Int) -> [Effect] {
    guard isRestoring else { return resume(waiter, value.state.refresh) }
    restoreWaiters.append(waiter)
    return []
  }

  /// Rows came from disk.
  mutating func restore(_ cached: CachedRows<Item>) -> [Effect] {
    if let refreshedAt = cached.refreshedAt { value.refreshedAt = refreshedAt }
    var rows: [NewRow<Item>] = isGapNext ? [NewRow(row: .gap(timeline.makeGap()))] : []
    var seen: Set<Item.ID> = []
    var dropped = 0
    for row in cached.rows {
      switch row {
      case .item(let item, _):
        if timeline.index(of: item.id) == nil, seen.insert(item.id).inserted {
          rows.append(NewRow(row: .item(item)))
        } else {
          dropped += 1
        }
      case .gap: rows.append(NewRow(row: .gap(timeline.makeGap())))
      }
    }
    // A gap at the end is none, unless more rows follow.
    isGapNext = !cached.isComplete && rows.last?.row.gap != nil
    if isGapNext { rows.removeLast() }
    savesWhole = savesWhole || dropped > 0
    let end = timeline.count
    let change = change(.cache, dropped) {
      var edit = $0.replace(end..<end, with: rows, tail: cached.isComplete ? cached.tail : nil)
      for case .item(let item, let key?) in cached.rows {
        $0.note(key, continues: item.id, &edit)
      }
      return edit
    }
    var effects = publish(change)
    guard cached.isComplete else { return effects }
    isRestoring = false
    if isSaveHeld { effects += save(self.change(.edit) { _ in TimelineEdit() }) }
    isSaveHeld = false
    effects.append(.resume(restoreWaiters, value.state.refresh))
    restoreWaiters = []
    effects += deferred.flatMap { load($0.edge, waiter: $0.waiter) }
    deferred = []
    return effects + takeAnswers()
  }

  // MARK: - What the user edits by hand

  /// Puts an item behind another, or at the head; one with its id moves there.
  mutating func insert(_ item: Item, after other: Item.ID?) -> [Effect] {
    edit { $0.put(item, after: other) }
  }

  /// Takes an item out.
  mutating func remove(_ id: Item.ID) -> [Effect] { edit { $0.remove(id) } }

  /// Moves an item behind another, or to the head.
  mutating func move(_ id: Item.ID, after other: Item.ID?) -> [Effect] {
    guard let index = timeline.index(of: id), let item = timeline.rows[index].item else {
      return []
    }
    return insert(item, after: other)
  }

  private mutating func edit(
    _ edit: (inout Timeline<Item>) -> TimelineEdit<Item>
  ) -> [Effect] {
    let change = change(.edit, by: edit)
    return change.edit.isEmpty ? [] : publish(change) + save(change)
  }

  // MARK: - Steps

  /// What a step did, before anybody is told.
  private struct Change {
    var edit: TimelineEdit<Item>
    var step: FeedStep
    var list: ListUpdate<FeedRow<Item>>?
    var duplicates: Int
  }

  private mutating func merge(
    _ run: Run<Item>, _ fit: RunFit, for load: Load, at now: Date
  ) -> Change {
    if load.place == .head { value.refreshedAt = now }
    return change(.network, load.duplicates) { $0.merge(run, fit: fit) }
  }

  /// Changes the timeline, and with it what is shown.
  private mutating func change(
    _ origin: ListUpdate<FeedRow<Item>>.Origin, _ duplicates: Int = 0,
    by change: (inout Timeline<Item>) -> TimelineEdit<Item>
  ) -> Change {
    let before = timeline.content
    let shown = layout.snapshot
    let edit = change(&timeline)
    let step = FeedStep(edit, from: before, to: timeline.content)
    var result = Change(edit: edit, step: step, duplicates: duplicates)
    failures = failures.filter { edge, _ in
      switch edge {
      case .head: true
      case .gap(let id): timeline.gaps[id] != nil
      case .tail: timeline.tail != .end
      }
    }
    guard edit.isVisible else { return result }
    let changes = layout.show(edit, step, in: timeline)
    value.rows = timeline.rows
    value.items = timeline.items
    value.list = layout.snapshot
    if !changes.isEmpty {
      value.origin = origin
      result.list = ListUpdate(
        before: shown, after: layout.snapshot, changes: changes, origin: origin)
    }
    return result
  }

  /// Stores a step.
  ///
  /// Nothing is stored over rows that nobody has read yet.
  private mutating func save(_ change: Change) -> [Effect] {
    guard !isRestoring else {
      isSaveHeld = true
      savesWhole = true
      return []
    }
    defer { savesWhole = false }
    let edits = change.step.edits
    return [
      .save(
        FeedCommit(
          rows: timeline.rows, deleted: edits.deleted, inserted: edits.inserted,
          updated: (edits.updated + change.step.keyed).sorted(), isWhole: savesWhole,
          keys: timeline.keys, tail: timeline.tail,
          refreshedAt: value.refreshedAt))
    ]
  }

  /// Ends a load, and with it tells what it changed: rows and state as one (rule R5).
  private mutating func finish(_ load: Load, _ change: Change? = nil) -> [Effect] {
    loads.removeAll { $0.ticket == load.ticket }
    let saved = change.map { $0.edit.isEmpty && load.edge != .head ? [] : save($0) } ?? []
    let published = publish(change)
    return published + saved
      + load.waiters.sorted { $0.key < $1.key }.map { waiter, edge in
        let failure = failures[load.edge].map(LoadState.failed)
        return .resume([waiter], failure ?? value.state[edge])
      }
  }

  /// Publishes what changed, if anything did.
  private mutating func publish(_ change: Change? = nil) -> [Effect] {
    let state = currentState
    guard change?.list != nil || state != value.state else { return [] }
    value.state = state
    let update = change.flatMap { change in
      change.list.map { [value] in
        FeedUpdate(list: $0, value: value, duplicatesDropped: change.duplicates)
      }
    }
    return [.publish(update)]
  }

  private var currentState: FeedState {
    var state = FeedState()
    state.refresh = self.state(of: .head)
    state.append = self.state(of: .tail)
    for gap in timeline.gaps.keys { state.gaps[gap] = self.state(of: .gap(gap)) }
    return state
  }

  private func state(of edge: RunStart) -> LoadState {
    if loads.contains(where: { $0.edge == edge }) { return .loading }
    if let failure = failures[edge] { return .failed(failure) }
    return edge == .tail && timeline.tail == .end ? .end : .idle
  }

  // MARK: - Loads

  /// Points a load at the page that leads to its edge.
  private func aim(_ load: inout Load) {
    let above: (key: PageKey, item: Item.ID)? =
      switch load.edge {
      case .head: nil
      case .gap(let id): timeline.index(ofGap: id).flatMap(timeline.key(above:))
      case .tail: timeline.key(above: timeline.count)
      }
    load.key = above?.key
    load.after = continuity == .stable ? above?.item : nil
    load.place = above == nil ? .head : load.edge
  }

  private func fetch(_ load: Load) -> Effect {
    .fetch(load.ticket, PageRequest(key: load.key, limit: configuration.pageSize))
  }

  /// Asks for one more page on behalf of a load.
  private mutating func ask(_ load: Load, for key: PageKey?) -> [Effect] {
    guard let index = loads.firstIndex(where: { $0.ticket == load.ticket }) else { return [] }
    loads[index] = load
    loads[index].ticket.attempt += 1
    loads[index].key = key
    return [fetch(loads[index])]
  }

  private func join(_ load: inout Load, _ waiter: Int?, _ edge: RunStart) {
    if let waiter { load.waiters[waiter] = edge } else { load.isUnattended = true }
  }

  private func resume(_ waiter: Int?, _ state: LoadState) -> [Effect] {
    waiter.map { [.resume([$0], state)] } ?? []
  }
}

extension FeedState {
  /// How one edge stands; a gap that closed is at its end.
  subscript(edge: RunStart) -> LoadState {
    switch edge {
    case .head: refresh
    case .tail: append
    case .gap(let id): gaps[id] ?? .end
    }
  }
}
