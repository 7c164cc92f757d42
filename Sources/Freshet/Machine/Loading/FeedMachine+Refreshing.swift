internal import FreshetLists
internal import struct Foundation.Date

// Refreshes that read further than the first page.
extension FeedMachine {
  /// Keeps what was read and asks for the page behind it.
  mutating func readOn(_ load: Load, at next: PageKey) -> [Effect] {
    var load = load
    load.walk.readKeys.insert(next)
    return ask(load, for: next)
  }

  /// A page on the way through what is on display, or everything that is loaded.
  ///
  /// Where as many rows were read as there are and the last of those is not among them, it is
  /// further down or gone. Of everything, the list is what was read, and the rest comes again by
  /// scrolling; below what is on display the rest stays behind a gap.
  mutating func readFurther(
    _ page: Page<AnyItem, PageKey>, _ run: Run, for load: Load, at now: Date
  ) -> [Effect] {
    var load = load
    let reached = page.items.compactMap { timeline.index(of: $0.id) }.max() ?? -1
    load.walk.pagesSinceReached = reached > load.walk.reached ? 0 : load.walk.pagesSinceReached + 1
    load.walk.reached = max(load.walk.reached, reached)
    guard let next = run.next, !load.walk.readKeys.contains(next) else {
      guard let match = timeline.match(run, at: .head, keepingStored: load.scope < .all) else {
        return finish(load, at: now)
      }
      return mergeAndGoOn(run, match, for: load, at: now)
    }
    if load.walk.repeatedPages == Self.fruitlessLimit {
      fail(.refresh, .pagingLoop(key: next.shown), load.scope)
      return mergeSoFar(load, at: now)
    }
    let last = load.scope == .all ? timeline.count - 1 : lastDisplayed
    if load.walk.reached >= last,
      let match = timeline.match(run, at: .head, keepingStored: load.scope < .all),
      match.end > last
    {
      return mergeAndGoOn(run, match, for: load, at: now)
    }
    let known =
      load.scope == .all
      ? timeline.stored.count - 1 : timeline.stored.index(of: max(0, last))
    if run.items.count > known, load.walk.pagesSinceReached >= configuration.refreshPages {
      if load.scope < .all, let match = timeline.match(run, at: .head) {
        return mergeAndGoOn(run, match, for: load, at: now)
      }
      return finish(load, become(run, for: load, at: now), at: now)
    }
    return readOn(load, at: next)
  }

  /// The index of the last row on display: what came on screen last may be the first one there.
  private var lastDisplayed: Int {
    let id = reader.displayed ?? presentation.reader
    let index = id.flatMap { presentation.overlay.timelineIndex(of: $0, in: timeline) } ?? 0
    return min(index + configuration.prefetchDistance, timeline.count - 1)
  }

  /// The ancestors' first-page cache deletion: a head that differs becomes the list.
  ///
  /// One that does not is evidence like any other.
  mutating func replaceList(
    by run: Run, _ page: Page<AnyItem, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    if run.items.isEmpty, let next = run.next {
      if load.walk.pages < Self.fruitlessLimit { return readOn(load, at: next) }
      fail(.refresh, .pagingLoop(key: next.shown), load.scope)
      return finish(load, at: now)
    }
    noteAnswered(at: now)
    if timeline.startsWith(run.items), run.next != nil || timeline.count == run.items.count,
      let match = timeline.match(run, at: .head)
    {
      guard load.scope > .head else {
        return finish(load, merge(run, match, for: load, at: now), at: now)
      }
      var load = load
      load.walk.keepsList = true
      return readFurther(page, run, for: load, at: now)
    }
    var effects: [Effect] = []
    for other in loads where other.ticket.load != load.ticket.load {
      effects += [.cancel(other.ticket.load), .resume(other.demand.waiters.keys.sorted(), .idle)]
    }
    loads = [load]
    failures.removeAll()
    return effects + finish(load, become(run, for: load, at: now), at: now)
  }
}
