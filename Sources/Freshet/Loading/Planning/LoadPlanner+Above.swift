internal import FreshetLists

// Answers for rows above other rows.
extension LoadPlanner {
  /// Decides about a page that leads up to a row.
  ///
  /// The page is for the gap above the row, or for the rows above the first one.
  mutating func readAbove(
    _ before: RowID, _ page: Page<AnyItem, PageKey>, for load: Load, in timeline: Timeline
  ) -> PageDecision {
    // The row that this page leads up to was moved or removed while the page was loading.
    guard let below = keyBelow(load.edge, in: timeline), below.item == before,
      below.key == load.request.key
    else { return .wait(restart(load, in: timeline)) }
    var load = load
    if let previous = page.previous, previous == load.request.key {
      fail(load.edge, .pagingLoop(key: previous.shown))
      return .finish(load)
    }
    var page = page
    if page.items.last?.id == before {
      // The page ends with the row, and so does its key.
      page.items.removeLast()
      page.next = nil
    }
    if page.items.contains(where: { $0.id == before }) {
      // The row moved up, so that the page describes the rows around its new place.
      load.side = .above
      return .forget(load.request.key, load)
    }
    return bridge(load, above: before, page, in: timeline)
  }

  /// Merges a page that leads up to a row; if it is empty, requests the page above it.
  private mutating func bridge(
    _ load: Load, above before: RowID, _ page: Page<AnyItem, PageKey>, in timeline: Timeline
  ) -> PageDecision {
    var load = load
    load.walk.readIDs = []
    guard let run = extend(&load, with: page) else { return .finish(load) }
    load.walk.run = nil
    if run.items.isEmpty, let previous = page.previous {
      // A bounded number of times (rule T7).
      load.walk.fruitlessPages += 1
      if load.walk.fruitlessPages < Self.fruitlessLimit {
        return .lead(to: before, by: previous, load)
      }
      fail(load.edge, .pagingLoop(key: previous.shown))
      return .finish(load)
    }
    let bridgesNothing = run.items.isEmpty && load.edge != .previous
    guard !bridgesNothing, let plan = timeline.matchAbove(run, load.edge.place) else {
      // Only the page that leads down to the gap can decide.
      load.side = .above
      return .wait(restart(load, in: timeline))
    }
    return merge(run, plan, for: load, then: .above(before, previous: page.previous), in: timeline)
  }
}
