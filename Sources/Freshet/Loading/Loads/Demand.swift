internal import FreshetLists

/// A request for an edge, by a caller that may wait for it.
struct LoadAsk: Sendable {
  /// The edge; the end of the list until the edge of `row` is known.
  var edge: FeedEdge
  /// A row of the whole list around which rows are wanted, loaded or not.
  var row: Int?
  /// The side from which the edge is loaded, if both sides are possible.
  var side = Gap.Side.above
  /// How far a refresh reads.
  var scope = RefreshScope.head
  /// The row on disk around which a gap's rows are read, instead of at a side.
  var middle: Int?
  var waiter: Int?
  /// Whether the request is made because of the rows on screen.
  ///
  /// If so, a failed edge is not requested again, and a load that waits for its next attempt keeps
  /// waiting (rule R4).
  var isPatient = false

  init(_ edge: FeedEdge, waiter: Int? = nil) { (self.edge, self.waiter) = (edge, waiter) }

  /// Creates a request for the rows around a row of the whole list.
  init(rowAt row: Int, waiter: Int?) {
    self.init(.next, waiter: waiter)
    self.row = row
  }
}

/// The callers that want a load, and how far it reads for them.
struct Demand: Sendable {
  var scope = RefreshScope.head
  /// The callers that wait, with the edge of each.
  ///
  /// The edge may differ from that of the load: if no row is known, the end is loaded at the head.
  var waiters: [Int: FeedEdge] = [:]
  /// Whether a caller wants the load without waiting for it.
  ///
  /// Then cancelling waiters does not cancel the load.
  var isUnattended = false

  var isEmpty: Bool { waiters.isEmpty && !isUnattended }

  /// Adds a caller, which may wait for the load.
  mutating func join(_ waiter: Int?, for edge: FeedEdge, _ scope: RefreshScope) {
    if let waiter { waiters[waiter] = edge } else { isUnattended = true }
    self.scope = max(self.scope, scope)
  }

  /// The same callers, who wait for another edge.
  func moved(to edge: FeedEdge) -> Demand {
    var demand = self
    demand.waiters = waiters.mapValues { _ in edge }
    return demand
  }

  /// Adds the callers of another demand.
  mutating func join(_ other: Demand) {
    waiters.merge(other.waiters) { own, _ in own }
    isUnattended = isUnattended || other.isUnattended
    scope = max(scope, other.scope)
  }
}
