internal import FreshetLists
internal import struct Foundation.Date

// Refreshes that read all loaded windows again.
extension LoadPlanner {
  /// Returns the loaded windows for a refresh; `nil` if it reads from the head of the list.
  func loadedWindows(in timeline: Timeline) -> [PageWindow<PageKey>]? {
    guard windows.areRead, deferred == nil else { return nil }
    let loaded = timeline.windows(startingAt: start).windows
    if loaded.isEmpty { return nil }
    return loaded.map {
      PageWindow(start: $0.window.start, end: $0.window.end, validator: windows[$0.window])
    }
  }

  /// Returns the loaded windows if all rows are as the source answered for them.
  ///
  /// It is `nil` if a window may have changed, a row is in no window, or a load is under way.
  ///
  /// - Parameter validators: those of all answers that are still true.
  func currentWindows(_ validators: Set<String>, in timeline: Timeline) -> [LoadedWindow]? {
    guard windows.areRead, deferred == nil, queue.isEmpty, followUp.isEmpty,
      failures[.refresh] == nil
    else { return nil }
    let loaded = timeline.windows(startingAt: start)
    let isCurrent = loaded.windows.allSatisfy { loaded in
      windows[loaded.window].map(validators.contains) ?? false
    }
    return isCurrent && loaded.loose.isEmpty ? loaded.windows : nil
  }

  /// Returns the part of some rows that can be evicted.
  ///
  /// If windows are read again, whole windows are evicted, so that the positions of the others stay
  /// known. For jumps, the key above the rows stays known, and the one below if pages do not shift.
  func evictable(_ rows: Range<Int>, in timeline: Timeline) -> Range<Int>? {
    guard windows.areRead || finds != .nothing else { return rows }
    if continuity == .overlapping { return timeline.wholePages(in: rows) ?? rows }
    let whole = timeline.wholeWindows(in: rows, startingAt: start)
    return windows.areRead ? whole : whole ?? rows
  }

  /// Records the answers for the windows of a load, which took `duration`.
  ///
  /// - Returns: whether the load is still under way.
  mutating func receive(
    windows answer: WindowAnswer, for ticket: LoadTicket,
    at now: Date,
    after duration: Duration
  ) -> Bool {
    guard let load = queue[ticket], case .windows(let asked) = load.target,
      case .success(let pages) = answer
    else {
      return receive(answer.map { _ in Page([], next: nil) }, for: ticket, at: now, after: duration)
    }
    let isKnown = zip(asked, pages).allSatisfy { window, pages in
      window.validator != nil || !pages.contains(where: \.isUnchanged)
    }
    guard isKnown else {
      return receive(.failure(.source(ValidatorError())), for: ticket, at: now, after: duration)
    }
    for page in pages.joined() where page.total != nil {
      noteTotal(page.total, of: load.request.number, isHead: false)
    }
    queue.update(ticket) { load in
      load.request.windows = Dictionary(
        zip(asked.lazy.map(\.position), pages), uniquingKeysWith: { first, _ in first })
      load.attempts.spent = .zero
      load.request.answer = (.success(Page([], next: nil)), now)
      load.request.position = nil
    }
    return true
  }

  /// Returns the validators of the windows that were answered, and keeps the answers to merge.
  ///
  /// If other windows were loaded meanwhile, another refresh follows, which reads them, too.
  mutating func takeValidators(of load: inout Load, in timeline: Timeline) -> WindowValidators {
    var validators = WindowValidators()
    (validators.areRead, validators.answeredAt) = (true, load.request.answeredAt)
    var answers: [PageWindow<PageKey>: [Page<AnyItem, PageKey>]] = [:]
    for loaded in timeline.windows(startingAt: start).windows {
      guard let pages = load.request.windows[loaded.window] else {
        refreshAgain(for: &load)
        continue
      }
      for page in pages { diagnostics.note(page) }
      if pages.contains(where: \.isUnchanged) {
        validators[loaded.window] = windows[loaded.window]
        // The list changed meanwhile, and may differ from that answer.
        if windows[loaded.window] == nil { refreshAgain(for: &load) }
        continue
      }
      answers[loaded.window] = pages
      var start = loaded.window.start
      for page in pages {
        validators[PageWindow(start: start, end: page.next)] = page.validator
        start = page.next
      }
    }
    load.request.windows = answers
    return validators
  }

  /// Reads from the head if a load left no rows, and the list may have others.
  mutating func refreshIfEmptied(by load: inout Load, _ timeline: Timeline) {
    if timeline.count == 0, timeline.head != .end || timeline.tail != .end {
      refreshAgain(for: &load)
    }
  }

  /// Requests one more refresh after a load that could not read everything.
  ///
  /// The callers of the load wait for it: what they write afterwards is then in the answer to their
  /// next refresh, which would join this one.
  private mutating func refreshAgain(for load: inout Load) {
    followUp.join(nil, for: .refresh, .head)
    followUp.join(load.demand)
    load.demand = Demand()
  }

  /// Returns the next windows of a load to merge: some of one segment.
  ///
  /// It is `nil` if all of them are merged.
  mutating func nextWindows(of load: inout Load, in timeline: Timeline) -> PageMerge? {
    if load.request.windows.isEmpty { return nil }
    let loaded = timeline.windows(startingAt: start).windows
    guard let first = loaded.firstIndex(where: { load.request.windows[$0.window] != nil }) else {
      // The rows of these windows are elsewhere by now.
      load.request.windows = [:]
      refreshAgain(for: &load)
      return nil
    }
    var (last, next) = (first, first + 1)
    while next < loaded.count, loaded[next].rows.lowerBound == loaded[next - 1].rows.upperBound,
      loaded[next].window.start == loaded[next - 1].window.end
    {
      if load.request.windows[loaded[next].window] != nil { last = next }
      next += 1
    }
    let (run, plan) = timeline.run(
      of: loaded[first...last], &load.request.windows, load.request.number,
      at: load.request.answeredAt)
    var part = load
    part.request.key = loaded[first].window.start
    return PageMerge(run: run, plan: plan, load: part, then: .finish, gaps: timeline.gaps.count)
  }
}
