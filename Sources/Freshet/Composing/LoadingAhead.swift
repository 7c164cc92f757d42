internal import FreshetLists

/// A list that can load more rows because of what is on screen, without a request by the user.
protocol LoadingAhead: LiveList {
  /// Loads rows at an edge, unless the last load there failed.
  ///
  /// A failed load is not repeated automatically (rule R4). A load that waits for its next attempt
  /// continues to wait.
  func loadAhead(at edge: ListEdge) async -> LoadState
}

extension LiveList {
  /// Loads rows at an edge, unless the edge or the head has failed.
  fileprivate func loadUnlessFailed(at edge: ListEdge) async -> LoadState {
    let state = value.state
    let known = edge == .next ? state.next : state.previous
    if known.failure != nil || state.refresh.failure != nil { return known }
    return edge == .next ? await loadNext() : await loadPrevious()
  }
}

/// Loads rows of a list at an edge, unless the last load there failed.
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
    // Rows of the old query are about to be removed, so more of them are not needed.
    if value.state.isShowingOldRows { return .idle }
    return await load(hurrying: false) { await $0.feed.loadAhead(at: edge) }
  }
}

extension FilteredList: LoadingAhead {
  func loadAhead(at edge: ListEdge) async -> LoadState { await list.loadAhead(at: edge) }
}
