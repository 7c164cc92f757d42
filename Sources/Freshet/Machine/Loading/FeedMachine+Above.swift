internal import FreshetLists
internal import struct Foundation.Date

// What the source answers for rows above others.
extension FeedMachine {
  /// A page that leads up to a row, for the gap above it or the rows above the first.
  mutating func readAbove(
    _ before: RowID, _ page: Page<AnyItem, PageKey>, for load: Load, at now: Date
  ) -> [Effect] {
    // The row that this page leads up to moved or went while the page was on its way.
    guard let below = keyBelow(load.edge), below.item == before, below.key == load.asked.key else {
      return restart(load)
    }
    var load = load
    if let previous = page.previous, previous == load.asked.key {
      fail(load.edge, .pagingLoop(key: previous.shown))
      return finish(load, at: now)
    }
    var page = page
    if page.items.last?.id == before {
      // The page ends with the row, and so does its key.
      page.items.removeLast()
      page.next = nil
    }
    if page.items.contains(where: { $0.id == before }) {
      // The row moved up: the page says what stands around its new place.
      timeline.forget(load.asked.key)
      load.side = .above
      return restart(load)
    }
    return bridge(load, above: before, page, at: now)
  }

  /// Asks for the page above one without rows, a bounded number of times (rule T7).
  private mutating func readOn(
    _ load: inout Load, above item: RowID, at previous: PageKey, at now: Date
  ) -> [Effect] {
    load.walk.fruitlessPages += 1
    if load.walk.fruitlessPages == Self.fruitlessLimit {
      fail(load.edge, .pagingLoop(key: previous.shown))
      return finish(load, at: now)
    }
    var edit = TimelineEdit()
    timeline.mark(item, &edit) { $0.previous = previous }
    return ask(load, for: previous)
  }

  /// Merges a page that leads up to a row, or asks for the one above it where it is empty.
  private mutating func bridge(
    _ load: Load, above before: RowID, _ page: Page<AnyItem, PageKey>, at now: Date
  ) -> [Effect] {
    var load = load
    load.walk.readIDs = []
    guard let run = extend(&load, with: page) else { return finish(load, at: now) }
    load.walk.run = nil
    if run.items.isEmpty, let previous = page.previous {
      return readOn(&load, above: before, at: previous, at: now)
    }
    let bridgesNothing = run.items.isEmpty && load.edge != .previous
    guard !bridgesNothing, let match = timeline.matchAbove(run, load.edge.place) else {
      // It takes the page that leads down to the gap to tell.
      load.side = .above
      return restart(load)
    }
    traffic.lastMerged = max(traffic.lastMerged, load.asked.request)
    noteEdited(run, merged: run.items.indices)
    // Who asks for the rows above wants to see them.
    let isShown = load.edge == .previous && presentation.waitingItems == 0
    let change = change(
      .page(load.asked.key), load.duplicates, showsTop: isShown, at: now
    ) { machine in
      var edit = machine.timeline.merge(run, match: match)
      if run.items.isEmpty {
        machine.timeline.mark(before, &edit) { $0.previous = page.previous }
      }
      if load.edge == .previous, page.previous == nil { machine.timeline.setEnds(.end, nil, &edit) }
      return edit
    }
    if load.edge == .previous, !change.edit.hasNewItems, let previous = page.previous {
      fail(.previous, .pagingLoop(key: previous.shown))
    }
    load.walk.run = run
    return finish(load, change, at: now)
  }
}
