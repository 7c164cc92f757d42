internal import FreshetLists

/// The loads and waiters that are held back while rows are being read from disk.
struct DeferredLoads: Sendable {
  /// The loads that were requested while the page keys were still being read.
  var asks: [LoadAsk] = []
  /// The callers that wait for the rows themselves.
  var waiters: [Int] = []
  /// Whether the rows of the page at the head are still to be read, as far as is known.
  var isHeadUnread = true

  func contains(_ edge: FeedEdge) -> Bool { asks.contains { $0.edge == edge } }

  /// The gaps that are to be loaded.
  var gaps: Set<Gap.ID> {
    var gaps: Set<Gap.ID> = []
    for ask in asks { if case .gap(let id) = ask.edge { gaps.insert(id) } }
    return gaps
  }

  /// Cancels a waiter.
  ///
  /// - Returns: the edge it waited for; `nil` if it does not wait here.
  mutating func cancel(_ waiter: Int) -> FeedEdge? {
    if let index = waiters.firstIndex(of: waiter) {
      waiters.remove(at: index)
      return .refresh
    }
    guard let index = asks.firstIndex(where: { $0.waiter == waiter }) else { return nil }
    return asks.remove(at: index).edge
  }
}
