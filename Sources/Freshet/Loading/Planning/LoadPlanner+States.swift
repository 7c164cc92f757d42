internal import FreshetLists

// How edges stand, and who is to know.
extension LoadPlanner {
  func state(of edge: FeedEdge, in timeline: Timeline) -> LoadState {
    if deferred?.contains(edge) == true || queue.contains(edge) { return .loading }
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

  /// The gaps whose states may have changed since this was last asked for.
  mutating func takeChangedGaps() -> Set<Gap.ID> {
    var loading = queue.gaps
    if let deferred { loading.formUnion(deferred.gaps) }
    // Where there are no gaps, as is usual, no set is made.
    var changed = failures.takeChanged()
    for others in [loadingGaps, loading] where !others.isEmpty { changed.formUnion(others) }
    loadingGaps = loading
    return changed
  }

  /// The edges of a load that ended, for those who wait for them: why it failed, or how each
  /// stands.
  func tell(_ load: Load, _ state: ListState) -> [LoadAction] {
    let failure = failures[load.edge].map(LoadState.failed)
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
