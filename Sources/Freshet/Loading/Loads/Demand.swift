internal import FreshetLists

/// A request for an edge, by a caller that waits for it or not.
struct LoadAsk: Sendable {
  var edge: FeedEdge
  /// From which side it is to be loaded, where both are possible.
  var side = Gap.Side.above
  /// How far a refresh is to read.
  var scope = RefreshScope.head
  /// Where a gap's rows on disk are to be read, instead of at a side.
  var middle: Int?
  var waiter: Int?
  /// Whether what is on screen asks: what failed is not asked for again, and what waits for its
  /// next attempt goes on waiting (rule R4).
  var isPatient = false

  init(_ edge: FeedEdge, waiter: Int? = nil) { (self.edge, self.waiter) = (edge, waiter) }
}

/// Who wants a load, and how far.
struct Demand: Sendable {
  var scope = RefreshScope.head
  /// Who waits, and for which edge: where nothing is known the end is loaded at the head.
  var waiters: [Int: FeedEdge] = [:]
  /// Whether a caller asked that does not wait: then cancelling waiters cancels nothing.
  var isUnattended = false

  var isEmpty: Bool { waiters.isEmpty && !isUnattended }

  /// Another caller wants it too, and waits for it or not.
  mutating func join(_ waiter: Int?, for edge: FeedEdge, _ scope: RefreshScope) {
    if let waiter { waiters[waiter] = edge } else { isUnattended = true }
    self.scope = max(self.scope, scope)
  }

  /// What others want is wanted too.
  mutating func join(_ other: Demand) {
    waiters.merge(other.waiters) { own, _ in own }
    isUnattended = isUnattended || other.isUnattended
    scope = max(scope, other.scope)
  }
}
