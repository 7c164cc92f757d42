internal import FreshetLists
internal import struct Foundation.Date

// What the source answers.
extension FeedMachine {
  /// Pages in a row that may bring nothing new before that counts as a loop (rule T7).
  private static var fruitlessLimit: Int { 8 }
  /// Pages to read backwards for a row that moved, before a gap is left (rule T5).
  private static var stepBackLimit: Int { 4 }

  /// An answer with its rows: `unchanged` stands for the page whose validator was sent, whatever came
  /// meanwhile (rules N3, R2).
  mutating func resolved(_ answer: Answer, for load: Load) -> Answer {
    guard case .success(let page) = answer else { return answer }
    guard page.isUnchanged else {
      answered.note(page, for: load.key)
      return answer
    }
    guard var page = load.sent else { return .failure(.source(UnaskedUnchanged())) }
    // What its answer left out was counted when it came.
    page.invalidItems = 0
    return .success(page)
  }

  mutating func fail(_ load: Load, _ error: FeedError, at now: Date) -> [Effect] {
    if error.meansStaleKey, let key = load.key, load.staleKeys < 2 {
      // The next key above still leads here, or else the way down from the head does; what was read
      // on the way is read again.
      var load = load
      load.staleKeys += 1
      if load.isStart { start = nil }
      value.diagnostics.expiredKeys += 1
      let stale = load.staleKeys == 1 || load.run != nil ? key : nil
      timeline.forget(stale)
      answered.forget(naming: stale)
      return restart(load)
    }
    if let effects = postpone(load, after: error) { return effects }
    fail(load.edge, error, load.scope)
    failedSides[load.edge] = load.side
    // What came before the failure is evidence all the same.
    return mergeSoFar(load, at: now)
  }

  /// Notes why an edge could not be loaded.
  ///
  /// What could not be renewed is a matter of the next refresh.
  private mutating func fail(
    _ edge: FeedEdge, _ error: FeedError, _ scope: RefreshScope = .head
  ) {
    if case .page = edge { return fail(.head, error, .visible) }
    failures[edge] = error.masked
    if edge == .head { failedScope = scope }
  }

  mutating func mergeSoFar(_ load: Load, at now: Date) -> [Effect] {
    guard let read = load.run else { return finish(load) }
    let run = overlay.seen(read, at: now)
    guard let fit = timeline.fit(run, at: load.place) else { return finish(load) }
    return finish(load, merge(run, fit, for: load, at: now))
  }

  /// What becomes of a load for whose answer it is too late; `nil` where it is not.
  private mutating func overtaken(_ load: Load) -> [Effect]? {
    if case .gap(let id) = load.edge {
      if timeline.gaps[id] == nil { return finish(load) }
      // What the gap stands for went to disk while the page was on its way.
      if timeline.unloaded[id] != nil { return restart(load) }
    }
    // What others found after this one asked is newer.
    return load.oldestRequest < lastMerged ? restart(load) : nil
  }

  /// Takes the pages of the source to shift (rule T5): only rows tell where they stand, and no key leads up
  /// to a row or to the page of one.
  ///
  /// - Returns: what is to be done instead where the load went by such a key.
  private mutating func readByRows(_ load: inout Load) -> [Effect]? {
    continuity = .overlapping
    if load.isAimed { load.after = nil }
    if case .page = load.edge { return finish(load) + self.load(.head, scope: .visible) }
    guard load.before != nil else { return nil }
    timeline.forget(load.key)
    load.side = .above
    return restart(load)
  }

  mutating func take(
    _ page: Page<Item, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    value.diagnostics.note(page)
    if let effects = overtaken(load) { return effects }
    var load = load
    let shifts = (page.continuity ?? continuity) == .overlapping
    if shifts, let effects = readByRows(&load) { return effects }
    if let before = load.before { return takeAbove(before, page, for: load, at: now) }
    // The row that this run continues moved or went while the page was on its way.
    let firstKey = load.run == nil ? load.key : load.run?.key
    if let after = load.after, timeline.marks[after]?.next != firstKey { return restart(load) }
    load.pages += 1
    if load.pages > load.furthest { (load.furthest, load.retries) = (load.pages, 0) }
    // A page that does not continue the run that was read leaves a gap behind it.
    guard let read = extend(&load, with: page) else { return mergeSoFar(load, at: now) }
    let run = overlay.seen(read, at: now)
    if load.edge == .head, configuration.refreshPolicy == .replace, timeline.tail != .unknown,
      !load.keepsList
    {
      return replaceList(by: run, page, for: load, at: now)
    }
    if load.edge == .head, load.scope > .head, timeline.count > 0, !load.isStart {
      return takeFurther(page, run, for: load, at: now)
    }
    guard
      var fit = timeline.fit(
        run, at: load.place, overlapping: shifts, isConfirmed: load.stepsBack > 0)
    else { return finish(load) }

    if fit.isApart {
      value.diagnostics.shiftsRepaired += 1
      if let previous = load.previous, load.stepsBack < Self.stepBackLimit {
        load.stepsBack += 1
        load.run = nil
        load.readIDs = []
        return ask(load, for: previous)
      }
      if load.previous == nil, let head = timeline.fit(run, at: .head) {
        // Reading backwards came to the first page without a known row: that page is the head.
        load.place = .head
        fit = head
      }
    }
    if load.place.isKnown, let next = run.next, !fit.meetsKnown,
      load.pages < configuration.refreshPages, !load.readKeys.contains(next)
    {
      return readOn(load, at: next)
    }
    return mergeAndGoOn(run, fit, for: load, at: now)
  }

  /// Keeps what was read and asks for the page behind it.
  mutating func readOn(_ load: Load, at next: PageKey) -> [Effect] {
    var load = load
    load.readKeys.insert(next)
    return ask(load, for: next)
  }

  /// A page on the way through what is on display, or everything that is loaded.
  ///
  /// Where as many rows were read as there are and the last of those is not among them, it is
  /// further down or gone. Of everything, the list is what was read, and the rest comes again by
  /// scrolling; below what is on display the rest stays behind a gap.
  mutating func takeFurther(
    _ page: Page<Item, PageKey>, _ run: Run<Item>, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    let reached = page.items.compactMap { timeline.index(of: $0.id) }.max() ?? -1
    load.pagesSinceReached = reached > load.reached ? 0 : load.pagesSinceReached + 1
    load.reached = max(load.reached, reached)
    guard let next = run.next, !load.readKeys.contains(next) else {
      guard let fit = timeline.fit(run, at: .head, keepingStored: load.scope < .all) else {
        return finish(load)
      }
      return mergeAndGoOn(run, fit, for: load, at: now)
    }
    if load.repeatedPages == Self.fruitlessLimit {
      fail(.head, .pagingLoop(key: next.shown), load.scope)
      return mergeSoFar(load, at: now)
    }
    let last = load.scope == .all ? timeline.count - 1 : lastDisplayed
    if load.reached >= last,
      let fit = timeline.fit(run, at: .head, keepingStored: load.scope < .all), fit.end > last
    {
      return mergeAndGoOn(run, fit, for: load, at: now)
    }
    let known =
      load.scope == .all ? timeline.storedCount - 1 : timeline.stored.index(of: max(0, last))
    if run.items.count > known, load.pagesSinceReached >= configuration.refreshPages {
      if load.scope < .all, let fit = timeline.fit(run, at: .head) {
        return mergeAndGoOn(run, fit, for: load, at: now)
      }
      return finish(load, become(run, for: load, at: now))
    }
    return readOn(load, at: next)
  }

  /// The index of the last row on display: what came on screen last may be the first one there.
  private var lastDisplayed: Int {
    let index = (displayed ?? timeline.anchor?.id).flatMap(timeline.index(of:)) ?? 0
    return min(index + configuration.prefetchDistance, timeline.count - 1)
  }

  /// Merges, and sees to it that a walk gets somewhere (rule T7).
  mutating func mergeAndGoOn(
    _ run: Run<Item>, _ fit: RunFit, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    if load.place == .head { usedKeys = [] }
    if let key = load.key { usedKeys.insert(key) }
    let gaps = timeline.gaps.count
    let change = merge(run, fit, for: load, at: now)
    forgetUnread(behind: run)
    guard let next = run.next else { return finish(load, change) }
    if next == load.key || load.edge == .tail && leadsBack(next, from: run) {
      fail(load.edge, .pagingLoop(key: next.shown))
      return finish(load, change)
    }
    let isFruitless = change.edit.newItems == 0 && timeline.gaps.count >= gaps
    let isRefresh = load.edge.isKnown || load.edge == .top
    guard isFruitless, !isRefresh || timeline.count == 0 else {
      return finish(load, change)
    }
    // A walk down known rows gets somewhere; one that stays where it is does not.
    let reached = run.items.last.flatMap { timeline.index(of: $0.id) } ?? -1
    load.readIDs = []
    load.fruitlessPages = reached > load.reached ? 1 : load.fruitlessPages + 1
    load.reached = max(load.reached, reached)
    // What comes next continues a page that was just read.
    load.stepsBack = min(load.stepsBack, 1)
    load.run = nil
    load.place = load.edge
    (load.after, load.isAimed) = (run.items.last?.id ?? load.after, false)
    if load.fruitlessPages == Self.fruitlessLimit {
      fail(load.edge, .pagingLoop(key: next.shown))
      return finish(load, change)
    }
    return ask(load, for: next) + publish(change) + save(change)
  }

  /// Whether a key was used before, and a row still says that its page follows there (rule T7).
  ///
  /// Where no row does, those that led there are gone, and the key may be right again.
  private func leadsBack(_ next: PageKey, from run: Run<Item>) -> Bool {
    continuity == .stable && usedKeys.contains(next)
      && timeline.marks.contains { $0.value.next == next && $0.key != run.items.last?.id }
  }

  /// A page that leads up to a row, for the gap above it or the rows above the first.
  mutating func takeAbove(
    _ before: Item.ID, _ page: Page<Item, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    // The row that this page leads up to moved or went while the page was on its way.
    guard let below = keyBelow(load.edge), below.item == before, below.key == load.key else {
      return restart(load)
    }
    var load = load
    if let previous = page.previous, previous == load.key {
      fail(load.edge, .pagingLoop(key: previous.shown))
      return finish(load)
    }
    var page = page
    if page.items.last?.id == before {
      // The page ends with the row, and so does its key.
      page.items.removeLast()
      page.next = nil
    }
    if page.items.contains(where: { $0.id == before }) {
      // The row moved up: the page says what stands around its new place.
      timeline.forget(load.key)
      load.side = .above
      return restart(load)
    }
    load.readIDs = []
    guard let read = extend(&load, with: page) else { return finish(load) }
    load.run = nil
    if read.items.isEmpty, let previous = page.previous {
      load.fruitlessPages += 1
      if load.fruitlessPages == Self.fruitlessLimit {
        fail(load.edge, .pagingLoop(key: previous.shown))
        return finish(load)
      }
      var edit = TimelineEdit<Item>()
      timeline.mark(before, &edit) { $0.previous = previous }
      return ask(load, for: previous)
    }
    let run = overlay.seen(read, at: now)
    let bridgesNothing = read.items.isEmpty && load.edge != .top
    guard !bridgesNothing, let fit = timeline.fitAbove(run, load.edge) else {
      // It takes the page that leads down to the gap to tell.
      load.side = .above
      return restart(load)
    }
    lastMerged = max(lastMerged, load.request)
    let change = change(.page(load.key), load.duplicates) { timeline in
      let showsAll = timeline.waitingItems == 0
      var edit = timeline.merge(run, fit: fit)
      if run.items.isEmpty { timeline.mark(before, &edit) { $0.previous = page.previous } }
      if load.edge == .top {
        if page.previous == nil { timeline.setEnds(.end, nil, &edit) }
        // Who asks for the rows above wants to see them.
        if showsAll, timeline.fold != nil { timeline.fold = timeline.content.orders.first }
      }
      return edit
    }
    if load.edge == .top, change.edit.newItems == 0, let previous = page.previous {
      fail(.top, .pagingLoop(key: previous.shown))
    }
    return finish(load, change)
  }

  /// The ancestors' first-page cache deletion: a head that differs becomes the list.
  ///
  /// One that does not is evidence like any other.
  mutating func replaceList(
    by run: Run<Item>, _ page: Page<Item, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    if run.items.isEmpty, let next = run.next {
      if load.pages < Self.fruitlessLimit { return readOn(load, at: next) }
      fail(.head, .pagingLoop(key: next.shown), load.scope)
      return finish(load)
    }
    value.refreshedAt = now
    if timeline.startsWith(run.items), run.next != nil || timeline.count == run.items.count,
      let fit = timeline.fit(run, at: .head)
    {
      guard load.scope > .head else { return finish(load, merge(run, fit, for: load, at: now)) }
      var load = load
      load.keepsList = true
      return takeFurther(page, run, for: load, at: now)
    }
    var effects: [Effect] = []
    for other in loads where other.ticket.load != load.ticket.load {
      effects += [.cancel(other.ticket.load), .resume(other.waiters.keys.sorted(), .idle)]
    }
    loads = [load]
    failures = [:]
    return effects + finish(load, become(run, for: load, at: now))
  }

  /// Adds a page to what a load has read, or says that it does not continue it.
  func extend(_ load: inout Load, with page: Page<Item, PageKey>) -> Run<Item>? {
    var items = page.items[...]
    let continuity = page.continuity ?? continuity
    if continuity == .overlapping, let last = load.run?.items.last {
      guard let joint = items.lastIndex(where: { $0.id == last.id }) else { return nil }
      items = items[(joint + 1)...]
    }
    var run =
      load.run ?? Run(items: [], after: load.after, key: load.key)
    if load.run == nil {
      load.since = load.request
      load.previous = page.previous
      // Where pages shift, nothing leads up to a row for good.
      if continuity == .stable { run.previous = page.previous }
    }
    load.run = nil
    let repeated = Set(items.lazy.map(\.id)).intersection(load.readIDs)
    // A row on two pages moved down between them: the later answer decides (rule L1).
    if !repeated.isEmpty { run.remove(repeated) }
    load.readIDs.subtract(repeated)
    var fresh: [Item] = []
    for item in items where load.readIDs.insert(item.id).inserted { fresh.append(item) }
    load.duplicates += items.count - fresh.count + repeated.count
    load.repeatedPages = fresh.count > repeated.count ? 0 : load.repeatedPages + 1
    run.items += fresh
    run.requests += repeatElement(load.request, count: fresh.count)
    if let last = fresh.last, let next = page.next { run.ends.append((last.id, next)) }
    run.next = page.next
    run.isEnd = page.next == nil && page.unread == nil && load.before == nil
    run.unread = page.next == nil ? page.unread : nil
    run.fetchedAt = load.answeredAt
    load.run = run
    return run
  }
}
