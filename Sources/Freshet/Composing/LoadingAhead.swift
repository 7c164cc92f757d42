internal import FreshetLists

/// A list that can be asked for more because of what is on screen, and not because a person wants
/// it.
protocol LoadingAhead: LiveList {
  /// Asks for rows at an edge, unless that failed before: it is not asked for again by itself (rule
  /// R4).
  ///
  /// A load that waits for its next attempt goes on waiting.
  func loadAhead(at edge: ListEdge) async -> LoadState
}

extension LiveList {
  /// Asks for rows at an edge where a list that nothing more is known of has not failed.
  fileprivate func loadUnlessFailed(at edge: ListEdge) async -> LoadState {
    let state = value.state
    let known = edge == .next ? state.next : state.previous
    if known.failure != nil || state.refresh.failure != nil { return known }
    return edge == .next ? await loadNext() : await loadPrevious()
  }
}

/// Asks a list for rows at an edge, unless that failed before.
func loadAhead(_ list: any LiveList, at edge: ListEdge) async -> LoadState {
  if let list = list as? any LoadingAhead { return await list.loadAhead(at: edge) }
  return await list.loadUnlessFailed(at: edge)
}

extension Feed: LoadingAhead {
  func loadAhead(at edge: ListEdge) async -> LoadState {
    engine.startLoadingCache()
    return await engine.wait { $0.loadAhead(edge == .next ? .next : .previous, waiter: $1) }
  }
}

extension QueryFeed: LoadingAhead {
  func loadAhead(at edge: ListEdge) async -> LoadState {
    // Rows that are about to go need no more of their kind.
    if value.state.isShowingOldRows { return .idle }
    return await load(hurrying: false) { await $0.feed.loadAhead(at: edge) }
  }
}

extension FilteredList: LoadingAhead {
  func loadAhead(at edge: ListEdge) async -> LoadState { await list.loadAhead(at: edge) }
}
