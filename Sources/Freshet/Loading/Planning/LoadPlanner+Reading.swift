internal import FreshetLists
internal import struct Foundation.Date

// Answers of the source.
extension LoadPlanner {
  /// The number of consecutive pages without new rows that counts as a loop (rule T7).
  static var fruitlessLimit: Int { 8 }
  /// The number of pages to read backwards for a row that moved, before a gap is left (rule T5).
  private static var stepBackLimit: Int { 4 }

  // MARK: - Taking answers

  /// Records an answer that took `duration`.
  ///
  /// - Returns: whether its load is still under way.
  mutating func receive(
    _ answer: PageAnswer, for ticket: LoadTicket, at now: Date, after duration: Duration
  ) -> Bool {
    guard let load = queue[ticket] else {
      diagnostics.lateAnswersIgnored += 1
      return false
    }
    let resolved = resolve(answer, for: load)
    queue.update(ticket) { load in
      if case .failure = answer {
        load.attempts.spent += duration
      } else {
        load.attempts.spent = .zero
      }
      load.request.answer = (resolved, now)
      load.request.sent = nil
      load.request.position = answer.position
    }
    return true
  }

  /// Replaces `unchanged` by the page whose validator was sent, whatever arrived since.
  ///
  /// See rules N3 and R2.
  private mutating func resolve(_ answer: PageAnswer, for load: Load) -> PageAnswer {
    guard case .success(let page) = answer else { return answer }
    guard page.isUnchanged else {
      if load.isFar {
        noteTotal(page.total, of: load.request.number, isHead: false)
        return answer
      }
      answered.note(page, for: load.request.key)
      noteTotal(page.total, of: load.request.number, isHead: load.request.key == nil)
      return answer
    }
    guard var page = load.request.sent else { return .failure(.source(ValidatorError())) }
    // Items that its answer left out were counted when it arrived.
    page.invalidItems = 0
    // Its total was reported before later changes.
    page.total = nil
    return .success(page)
  }

  /// Notes the number of rows in the whole list; if it is another one, rows changed elsewhere.
  mutating func noteTotal(_ new: RowTotal?, of request: Int, isHead: Bool) {
    if let new, let old = total.total, new != old {
      unloaded.noteChangedTotal(of: request)
      shiftedAfter = max(shiftedAfter ?? request, request)
    }
    total.note(new, of: request, isHead: isHead)
  }

  /// Decides what to do with the answer of a load.
  ///
  /// - Parameter displayed: the index of the row that appeared on screen last.
  /// - Returns: `nil` if the load does not exist any more.
  mutating func read(
    _ ticket: LoadTicket, in timeline: Timeline, displayed: Int
  ) -> PageDecision? {
    guard let (load, answer) = queue.takeAnswer(for: ticket) else { return nil }
    switch answer.result {
    case .failure(let error): return fail(load, error, in: timeline)
    case .success(let page):
      noteReached()
      return read(page, for: load, in: timeline, displayed)
    }
  }

  private mutating func read(
    _ page: Page<AnyItem, PageKey>, for load: Load, in timeline: Timeline, _ displayed: Int
  ) -> PageDecision {
    diagnostics.note(page)
    if let decision = overtaken(load, in: timeline) { return decision }
    if load.readsWindows { return .mergeWindows(load) }
    if case .far(let skip) = load.target, let jump = load.jump {
      return readFar(page, jump, skip, for: load, in: timeline)
    }
    var load = load
    let shifts = (page.continuity ?? continuity) == .overlapping
    if shifts, let decision = readByRows(&load) { return decision }
    if let before = load.before { return readAbove(before, page, for: load, in: timeline) }
    // The row that this run continues was moved or removed while the page was loading.
    let firstKey = load.walk.run == nil ? load.request.key : load.walk.run?.key
    if let after = load.after, timeline.marks[after]?.next != firstKey {
      return .wait(restart(load, in: timeline))
    }
    // No row above is left for the page to repeat, so that nothing proves its position.
    if shifts, firstKey != nil, timeline.isTop(load.place) {
      return .wait(restart(load, in: timeline))
    }
    load.walk.pages += 1
    if load.walk.run == nil {
      (load.walk.total, load.walk.firstRows) = (page.total?.exact, page.items.count)
    }
    if load.walk.pages > load.walk.furthest {
      (load.walk.furthest, load.attempts.retries) = (load.walk.pages, 0)
    }
    if let decision = walkAgain(load, past: page, in: timeline) { return decision }
    if load.walk.run == nil, let decision = readElsewhere(load, page, in: timeline) {
      return decision
    }
    // If a page does not continue the run that was read, a gap is left after the run.
    guard let run = extend(&load, with: page) else { return mergeSoFar(load, in: timeline) }
    return decide(run, page, for: load, shifts: shifts, in: timeline, displayed)
  }

  /// Decides what to do with all pages that a load has read.
  ///
  /// - Parameters:
  ///   - run: the rows it has read.
  ///   - page: the last of these pages.
  ///   - shifts: whether only rows prove how pages are connected (rule T5).
  private mutating func decide(
    _ run: Run, _ page: Page<AnyItem, PageKey>, for load: Load, shifts: Bool,
    in timeline: Timeline, _ displayed: Int
  ) -> PageDecision {
    if load.edge == .refresh, configuration.refreshPolicy == .replace, timeline.tail != .unknown,
      !load.walk.keepsList
    {
      return replaceList(by: run, page, for: load, in: timeline, displayed)
    }
    if load.edge == .refresh, readsFurther(load, displayed, in: timeline),
      timeline.count > 0, !load.isStart
    {
      return readFurther(page, run, for: load, in: timeline, displayed)
    }
    var load = load
    let found =
      load.edge.isReread
      ? matchReread(run, of: &load, in: timeline)
      : timeline.match(
        run, at: load.place, overlapping: shifts, isConfirmed: load.walk.stepsBack > 0)
    guard var plan = found else { return .finish(load) }
    plan.isExact = windows.areRead
    if plan.isApart,
      let decision = readFurtherDown(load, page, in: timeline)
        ?? stepBack(&load, run, &plan, in: timeline)
    {
      return decision
    }
    if plan.isApart, isAboveEdge(page, of: load, in: timeline) {
      // The rows at the head may account for the shift.
      followUp.join(nil, for: .refresh, .head)
      return .finish(load)
    }
    let isLeft = !plan.meetsKnown || isLeft(of: load.edge, after: plan, in: timeline)
    if load.place.isKnown, let next = run.next, isLeft,
      load.walk.pages < configuration.refreshPages, !load.walk.readKeys.contains(next)
    {
      return readOn(load, at: next, in: timeline)
    }
    return mergeAndGoOn(run, plan, for: load, in: timeline)
  }

  /// Returns the decision for a load whose answer is outdated; `nil` if it is not.
  private mutating func overtaken(_ load: Load, in timeline: Timeline) -> PageDecision? {
    if case .gap(let id) = load.edge.shown {
      if timeline.gaps[id] == nil { return .finish(load) }
      // The rows at the gap were evicted while the page was loading.
      if timeline.evicted.runs[id] != nil { return .wait(restart(load, in: timeline)) }
    }
    // Rows that other loads found after this request are newer.
    guard load.isPassed || load.oldestRequest < lastMerged else { return nil }
    var load = load
    if load.readsWindows { load.walk.timesOvertaken += 1 }
    return .wait(restart(load, in: timeline))
  }

  /// Treats the pages of the source as shifting (rule T5).
  ///
  /// From now on only rows prove the position of a page. No key leads up to a row, or to the page
  /// of a row.
  ///
  /// - Returns: the decision if the load used such a key; otherwise `nil`.
  private mutating func readByRows(_ load: inout Load) -> PageDecision? {
    continuity = .overlapping
    if case .below(_, isAimed: true) = load.target { load.target = .below(nil, isAimed: true) }
    if case .page = load.edge {
      followUp.join(nil, for: .refresh, .visible)
      return .finish(load)
    }
    guard load.before != nil else { return nil }
    load.side = .above
    return .forget(load.request.key, load)
  }

  /// Keeps the rows that were read, and requests the page after them.
  mutating func readOn(_ load: Load, at next: PageKey, in timeline: Timeline) -> PageDecision {
    var load = load
    load.walk.readKeys.insert(next)
    load.followPages()
    return .wait(ask(load, for: next, in: timeline))
  }

  // MARK: - Pages that shift

  /// Restarts a walk if a page has unread rows above its joint with the page before (rule T5).
  ///
  /// The joint is the row that both pages contain. The rows above it were moved or inserted there
  /// between the two answers, and nothing proves which rows are their neighbours. After a few
  /// restarts, the rows up to the joint are merged, and the known rows below stay.
  private mutating func walkAgain(
    _ load: Load, past page: Page<AnyItem, PageKey>, in timeline: Timeline
  ) -> PageDecision? {
    guard (page.continuity ?? continuity) == .overlapping, let last = load.walk.run?.items.last,
      let joint = page.items.lastIndex(where: { $0.id == last.id }),
      page.items[..<joint].contains(where: { !load.walk.readIDs.contains($0.id) })
    else { return nil }
    diagnostics.shiftsRepaired += 1
    guard load.walk.restarts < Self.stepBackLimit else { return mergeSoFar(load, in: timeline) }
    var load = load
    load.walk.restarts += 1
    load.walk.pages = 0
    return .wait(restart(load, in: timeline))
  }

  /// Reads backwards for a row that moved (rule T5), at most to the first page.
  ///
  /// - Returns: the decision; `nil` if the page is merged as it fits now.
  private mutating func stepBack(
    _ load: inout Load, _ run: Run, _ plan: inout MergePlan, in timeline: Timeline
  ) -> PageDecision? {
    diagnostics.shiftsRepaired += 1
    if let previous = load.walk.previous, load.walk.stepsBack < Self.stepBackLimit {
      load.walk.stepsBack += 1
      load.followPages()
      load.walk.run = nil
      load.walk.readIDs = []
      return .wait(ask(load, for: previous, in: timeline))
    }
    if load.walk.previous == nil, let head = timeline.match(run, at: .head) {
      // The walk reached the first page without a known row, so that page is the head.
      load.place = .head
      plan = head
    }
    return nil
  }

  // MARK: - Rows that were read

  /// Adds a page to the rows of a load; returns `nil` if the page does not continue them.
  func extend(_ load: inout Load, with page: Page<AnyItem, PageKey>) -> Run? {
    var items = page.items[...]
    let continuity = page.continuity ?? continuity
    if continuity == .overlapping, let last = load.walk.run?.items.last {
      guard let joint = items.lastIndex(where: { $0.id == last.id }) else { return nil }
      items = items[(joint + 1)...]
    }
    var run =
      load.walk.run
      ?? Run(items: [], after: load.after, key: load.isFar ? nil : load.request.key)
    if load.walk.run == nil {
      load.walk.since = load.request.number
      load.walk.previous = page.previous
      // If pages shift, no key leads up to a row permanently.
      if continuity == .stable { run.previous = page.previous }
    }
    load.walk.run = nil
    var repeated: Set<RowID> = []
    if !load.walk.readIDs.isEmpty {
      for item in items where load.walk.readIDs.contains(item.id) { repeated.insert(item.id) }
    }
    // A row on two pages moved down between them; the later answer decides (rule L1).
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
    run.requests += repeatElement(load.request.number, count: fresh.count)
    if let last = fresh.last, let next = page.next { run.ends.append((last.id, next)) }
    (run.last, run.next) = (page.items.last, page.next)
    run.isEnd = page.next == nil && page.unread == nil && !load.readsUpward
    run.unread = page.next == nil ? page.unread : nil
    run.fetchedAt = load.request.answeredAt
    load.walk.run = run
    return run
  }

  /// Returns how many rows of an answer share an id with a different row (rule L1).
  private func collisions(among items: ArraySlice<AnyItem>, kept: [AnyItem]) -> Int {
    let first = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
    return items.count { item in first[item.id].map { $0 != item } ?? false }
  }
}
