internal import FreshetLists

// The rows on display decide when more rows are loaded.
extension DerivedList {
  /// The distance to an edge, in rows, at which a reader soon needs more.
  private static var prefetchDistance: Int { 10 }
  /// The number of consecutive pages without a shown row after which loading stops.
  ///
  /// It continues when the reader moves on.
  private static var pagesWithoutRows: Int { 10 }

  /// Notes that an item appears on screen, so that more rows are loaded before the end is reached.
  ///
  /// The item is reported to its source list, as if it were on screen there. In addition, near an
  /// edge of this list, the lists that hold it back load more. If a filter leaves few rows, they
  /// load page after page, until there are enough rows or ten pages in a row added none. The call
  /// has an effect only while the list is observed.
  ///
  /// - Complexity: O(log *n*); the first call for each list made by `map(_:)` is O(*n*).
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

  /// Pauses loads in all source lists; see `value.state.isPaused`.
  public func pause() { for list in lists { list.pause() } }

  /// Sends the loads that `pause()` held back.
  ///
  /// Loads that failed because the source was unreachable are retried.
  public func resume() { for list in lists { list.resume() } }

  /// Loads rows at an edge while the reader is near it.
  private func goOn(at edge: ListEdge) async {
    var (pages, rows) = (0, publisher.value.rows.count)
    while await goesOn(at: edge, after: pages) {
      let outcome = await loadAhead(at: edge)
      // A failed load is not repeated automatically (rule R4).
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
  /// Whether the reader is near an edge at which there may be more rows.
  fileprivate func isNear(_ edge: ListEdge, _ distance: Int) -> Bool {
    guard let value = running?.layout.value, let displayed, !value.state.isPaused,
      !value.state.isShowingOldRows
    else { return false }
    let (rows, state) = (value.sourceRows, value.state)
    // If a list has not loaded anything yet, an edge load requests its head: it must not have
    // failed.
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
