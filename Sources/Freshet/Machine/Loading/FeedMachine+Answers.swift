internal import FreshetLists
internal import struct Foundation.Date

// What the source answers.
extension FeedMachine {
  /// Pages in a row that may bring nothing new before that counts as a loop (rule T7).
  static var fruitlessLimit: Int { 8 }
  /// Pages that are read again where a total contradicts them (rule T8).
  static var doubtLimit: Int { 20 }
  /// Pages to read backwards for a row that moved, before a gap is left (rule T5).
  private static var stepBackLimit: Int { 4 }

  /// An answer with its rows: `unchanged` stands for the page whose validator was sent, whatever
  /// came meanwhile (rules N3, R2).
  mutating func resolved(_ answer: Answer, for load: Load) -> Answer {
    guard case .success(let page) = answer else { return answer }
    guard page.isUnchanged else {
      answered.note(page, for: load.asked.key)
      return answer
    }
    guard var page = load.asked.sent else { return .failure(.source(UnaskedUnchanged())) }
    // What its answer left out was counted when it came.
    page.invalidItems = 0
    // It was told before what happened since.
    page.total = nil
    return .success(page)
  }

  mutating func fail(_ load: Load, _ error: FeedError, at now: Date) -> [Effect] {
    if error.meansStaleKey, let key = load.asked.key, load.attempts.staleKeys < 2 {
      // The next key above still leads here, or else the way down from the head does; what was read
      // on the way is read again.
      var load = load
      load.attempts.staleKeys += 1
      if load.isStart { setup.start = nil }
      contents.diagnostics.expiredKeys += 1
      let stale = load.attempts.staleKeys == 1 || load.walk.run != nil ? key : nil
      timeline.forget(stale)
      answered.forget(naming: stale)
      return restart(load)
    }
    if let effects = postpone(load, after: error) { return effects }
    fail(load.edge, error, load.scope)
    failures.sides[load.edge] = load.side
    // What came before the failure is evidence all the same.
    return mergeSoFar(load, at: now)
  }

  /// Notes why an edge could not be loaded.
  ///
  /// What could not be renewed is a matter of the next refresh, and no failure of one that is under
  /// way.
  mutating func fail(
    _ edge: FeedEdge, _ error: FeedError, _ scope: RefreshScope = .head
  ) {
    if case .page = edge {
      if !loads.contains(where: { $0.edge == .refresh }) { fail(.refresh, error, .visible) }
      return
    }
    failures[edge] = error.masked
    if edge == .refresh { failures.scope = scope }
  }

  /// What becomes of a load for whose answer it is too late; `nil` where it is not.
  private mutating func overtaken(_ load: Load, at now: Date) -> [Effect]? {
    if case .gap(let id) = load.edge {
      if timeline.gaps[id] == nil { return finish(load, at: now) }
      // What the gap stands for went to disk while the page was on its way.
      if timeline.evicted.runs[id] != nil { return restart(load) }
    }
    // What others found after this one asked is newer.
    return load.oldestRequest < traffic.lastMerged ? restart(load) : nil
  }

  /// Takes the pages of the source to shift (rule T5): only rows tell where they stand, and no key
  /// leads up to a row or to the page of one.
  ///
  /// - Returns: what is to be done instead where the load went by such a key.
  private mutating func readByRows(_ load: inout Load, at now: Date) -> [Effect]? {
    setup.continuity = .overlapping
    if case .below(_, isAimed: true) = load.target { load.target = .below(nil, isAimed: true) }
    if case .page = load.edge {
      return finish(load, at: now) + self.load(.refresh, scope: .visible)
    }
    guard load.before != nil else { return nil }
    timeline.forget(load.asked.key)
    load.side = .above
    return restart(load)
  }

  mutating func read(
    _ page: Page<AnyItem, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    contents.diagnostics.note(page)
    if let effects = overtaken(load, at: now) { return effects }
    var load = load
    let shifts = (page.continuity ?? continuity) == .overlapping
    if shifts, let effects = readByRows(&load, at: now) { return effects }
    if let before = load.before { return readAbove(before, page, for: load, at: now) }
    // The row that this run continues moved or went while the page was on its way.
    let firstKey = load.walk.run == nil ? load.asked.key : load.walk.run?.key
    if let after = load.after, timeline.marks[after]?.next != firstKey { return restart(load) }
    // No row is left above that the page could repeat: nothing says where it belongs.
    if shifts, firstKey != nil, timeline.isTop(load.place) { return restart(load) }
    load.walk.pages += 1
    if load.walk.run == nil {
      (load.walk.total, load.walk.firstRows) = (page.total, page.items.count)
    }
    if load.walk.pages > load.walk.furthest {
      (load.walk.furthest, load.attempts.retries) = (load.walk.pages, 0)
    }
    if let effects = walkAgain(load, past: page, at: now) { return effects }
    // A page that does not continue the run that was read leaves a gap behind it.
    guard let run = extend(&load, with: page) else { return mergeSoFar(load, at: now) }
    if load.edge == .refresh, configuration.refreshPolicy == .replace, timeline.tail != .unknown,
      !load.walk.keepsList
    {
      return replaceList(by: run, page, for: load, at: now)
    }
    if load.edge == .refresh, load.scope > .head, timeline.count > 0, !load.isStart {
      return readFurther(page, run, for: load, at: now)
    }
    guard
      var match = timeline.match(
        run, at: load.place, overlapping: shifts, isConfirmed: load.walk.stepsBack > 0)
    else { return finish(load, at: now) }

    if match.isApart, let effects = stepBack(&load, run, &match) { return effects }
    if load.place.isKnown, let next = run.next, !match.meetsKnown,
      load.walk.pages < configuration.refreshPages, !load.walk.readKeys.contains(next)
    {
      return readOn(load, at: next)
    }
    return mergeAndGoOn(run, match, for: load, at: now)
  }

  /// Walks again from the start if a page has rows above the row that joins it to the page before,
  /// and the walk has not read them (rule T5).
  ///
  /// They moved there or were inserted between the two answers, and nothing proves what their
  /// neighbours are. After a few walks the rows up to the joint are merged, and those below stay.
  private mutating func walkAgain(
    _ load: Load, past page: Page<AnyItem, PageKey>, at now: Date
  ) -> [Effect]? {
    guard (page.continuity ?? continuity) == .overlapping, let last = load.walk.run?.items.last,
      let joint = page.items.lastIndex(where: { $0.id == last.id }),
      page.items[..<joint].contains(where: { !load.walk.readIDs.contains($0.id) })
    else { return nil }
    contents.diagnostics.shiftsRepaired += 1
    guard load.walk.restarts < Self.stepBackLimit else { return mergeSoFar(load, at: now) }
    var load = load
    load.walk.restarts += 1
    load.walk.pages = 0
    return restart(load)
  }

  /// Reads backwards for a row that moved (rule T5), to the first page at most.
  ///
  /// - Returns: what is to be done; `nil` where the page is to be merged as it fits now.
  private mutating func stepBack(
    _ load: inout Load, _ run: Run, _ match: inout MergePlan
  ) -> [Effect]? {
    contents.diagnostics.shiftsRepaired += 1
    if let previous = load.walk.previous, load.walk.stepsBack < Self.stepBackLimit {
      load.walk.stepsBack += 1
      load.walk.run = nil
      load.walk.readIDs = []
      return ask(load, for: previous)
    }
    if load.walk.previous == nil, let head = timeline.match(run, at: .head) {
      // It came to the first page without a known row: that page is the head.
      load.place = .head
      match = head
    }
    return nil
  }

  /// How many rows of an answer share their ids with others and are not the same (rule L1).
  private func collisions(among items: ArraySlice<AnyItem>, kept: [AnyItem]) -> Int {
    let first = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
    return items.count { item in first[item.id].map { $0 != item } ?? false }
  }

  /// Adds a page to what a load has read, or says that it does not continue it.
  func extend(_ load: inout Load, with page: Page<AnyItem, PageKey>) -> Run? {
    var items = page.items[...]
    let continuity = page.continuity ?? continuity
    if continuity == .overlapping, let last = load.walk.run?.items.last {
      guard let joint = items.lastIndex(where: { $0.id == last.id }) else { return nil }
      items = items[(joint + 1)...]
    }
    var run =
      load.walk.run ?? Run(items: [], after: load.after, key: load.asked.key)
    if load.walk.run == nil {
      load.walk.since = load.asked.request
      load.walk.previous = page.previous
      // Where pages shift, nothing leads up to a row for good.
      if continuity == .stable { run.previous = page.previous }
    }
    load.walk.run = nil
    var repeated: Set<RowID> = []
    if !load.walk.readIDs.isEmpty {
      for item in items where load.walk.readIDs.contains(item.id) { repeated.insert(item.id) }
    }
    // A row on two pages moved down between them: the later answer decides (rule L1).
    if !repeated.isEmpty { run.remove(repeated) }
    load.walk.readIDs.subtract(repeated)
    var fresh: [AnyItem] = []
    fresh.reserveCapacity(items.count)
    load.walk.readIDs.reserveCapacity(load.walk.readIDs.count + items.count)
    for item in items where load.walk.readIDs.insert(item.id).inserted { fresh.append(item) }
    if fresh.count < items.count { load.collisions += collisions(among: items, kept: fresh) }
    load.duplicates += items.count - fresh.count + repeated.count
    load.walk.repeatedPages = fresh.count > repeated.count ? 0 : load.walk.repeatedPages + 1
    run.items += fresh
    run.requests += repeatElement(load.asked.request, count: fresh.count)
    if let last = fresh.last, let next = page.next { run.ends.append((last.id, next)) }
    (run.last, run.next) = (page.items.last, page.next)
    run.isEnd = page.next == nil && page.unread == nil && load.before == nil
    run.unread = page.next == nil ? page.unread : nil
    run.fetchedAt = load.asked.answeredAt
    load.walk.run = run
    return run
  }
}
