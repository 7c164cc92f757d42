internal import FreshetLists

// The states of edges, and the callers to notify of them.
extension LoadPlanner {
  func state(of edge: FeedEdge, in timeline: Timeline) -> LoadState {
    if deferred?.contains(edge) == true || queue.shows(edge) { return .loading }
    if edge == .next, let gap = timeline.endGap {
      let state = state(of: .gap(gap.id), in: timeline)
      return state == .end ? .idle : state
    }
    if let failure = failures[edge] { return .failed(failure) }
    return switch edge {
    case .previous where timeline.head == .end, .next where timeline.tail == .end: .end
    default: .idle
    }
  }

  /// Returns the gaps whose states may have changed since the last call.
  mutating func takeChangedGaps() -> Set<Gap.ID> {
    var loading = queue.gaps
    if let deferred { loading.formUnion(deferred.gaps) }
    // Usually there are no gaps; then no set is created.
    var changed = failures.takeChanged()
    for others in [loadingGaps, loading] where !others.isEmpty { changed.formUnion(others) }
    loadingGaps = loading
    return changed
  }

  /// Returns the actions that resume the waiters of a load that ended.
  ///
  /// Each waiter receives the failure of the load, or the state of its edge.
  func tell(_ load: Load, _ state: ListState) -> [LoadAction] {
    var error = failures[load.edge]
    // The edge of a jump may have another load, and rows that are read again have no state.
    if let failed, failed.load == load.ticket { error = failed.error }
    let failure = error.map(LoadState.failed)
    var waiters = load.demand.waiters
    if failure != nil { waiters.merge(load.followUp.waiters) { first, _ in first } }
    return waiters.sorted { $0.key < $1.key }.map { waiter, edge in
      .resume([waiter], failure ?? state[edge])
    }
  }

  func resume(_ waiter: Int?, _ state: LoadState) -> [LoadAction] {
    waiter.map { [.resume([$0], state)] } ?? []
  }
}
