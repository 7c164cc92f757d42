internal import FreshetLists

// What is on display decides what is asked for.
extension DerivedList {
  /// So many rows before an edge a reader soon needs more.
  private static var prefetchDistance: Int { 10 }
  /// After so many pages of which no row shows, the reader has to go on.
  private static var pagesWithoutRows: Int { 10 }

  /// Says which item came on screen, so that more is asked for before the end is reached.
  ///
  /// The list that the item comes from is told, as if it were on screen itself. Besides, near the
  /// end of this list those are asked for more that hold it back: where a filter leaves few rows,
  /// page after page, until there are enough, or ten pages in a row brought none. It matters while
  /// somebody looks.
  ///
  /// - Complexity: O(log *n*); once for each list made by `map(_:)`, O(*n*).
  public func willDisplay(_ item: Item) {
    eventQueue.post { [self] engine in
      guard let value = engine.running?.layout.value, !value.state.isShowingOldRows else {
        return {}
      }
      engine.displayed = item.id
      engine.running?.rows.willDisplay(item)
      let edges = [ListEdge.next, .previous].filter {
        !engine.loadsAhead.contains($0) && engine.isNear($0, Self.prefetchDistance)
      }
      engine.loadsAhead.formUnion(edges)
      return {
        for edge in edges { Task { @concurrent in await self.goOn(at: edge) } }
      }
    }
  }

  /// Lets loads wait, in all lists it is made of; `value.state.isPaused` tells.
  public func pause() { for list in lists { list.pause() } }

  /// Sends the loads that `pause()` held back, and retries those that failed because the source was
  /// unreachable.
  public func resume() { for list in lists { list.resume() } }

  /// Loads at an edge while the reader is near it.
  private func goOn(at edge: ListEdge) async {
    var (pages, rows) = (0, publisher.value.rows.count)
    while await goesOn(at: edge, after: pages) {
      let outcome = await loadAhead(at: edge)
      // A failure is not asked for again by itself (rule R4).
      if outcome.failure != nil || publisher.value.state.refresh.failure != nil {
        pages = Self.pagesWithoutRows
        continue
      }
      let count = publisher.value.rows.count
      pages = count == rows ? pages + 1 : 0
      rows = count
    }
  }

  private func goesOn(at edge: ListEdge, after pages: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      eventQueue.post { engine in
        let goesOn =
          pages < Self.pagesWithoutRows && engine.isNear(edge, Self.prefetchDistance)
        if !goesOn { engine.loadsAhead.remove(edge) }
        return { continuation.resume(returning: goesOn) }
      }
    }
  }
}

extension DerivedList.Engine {
  /// Whether the reader is so near an edge that may go on.
  fileprivate func isNear(_ edge: ListEdge, _ distance: Int) -> Bool {
    guard let value = running?.layout.value, let displayed, !value.state.isPaused,
      !value.state.isShowingOldRows
    else { return false }
    let (rows, state) = (value.sourceRows, value.state)
    // Where nothing is known of a list, its head is asked for instead of its edge.
    if state.refresh.failure != nil { return false }
    let isOpen: Bool
    let near: Range<Int>
    switch edge {
    case .next:
      isOpen = state.next == .idle || state.next == .loading
      near = max(0, rows.count - distance)..<rows.count
    case .previous:
      isOpen = state.previous == .idle || state.previous == .loading
      near = 0..<min(distance, rows.count)
    }
    return isOpen && rows.slice(near).contains { $0.item?.id == displayed }
  }
}
