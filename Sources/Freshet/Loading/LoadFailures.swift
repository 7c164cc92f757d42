internal import FreshetLists

/// The failures of edges, and how each failed edge was to be loaded.
struct LoadFailures: Sendable {
  private var errors: [FeedEdge: FeedError] = [:]
  /// The gaps with a new or removed failure since the last call of `takeChanged()`.
  private var changed: Set<Gap.ID> = []
  /// The side from which each edge was to be loaded when it failed.
  private var sides: [FeedEdge: Gap.Side] = [:]
  /// The scope of the refresh that failed.
  private(set) var scope = RefreshScope.head

  /// The failure of an edge.
  subscript(edge: FeedEdge) -> FeedError? { errors[edge] }

  /// Records the failure of an edge.
  mutating func note(
    _ error: FeedError, at edge: FeedEdge, scope: RefreshScope = .head, side: Gap.Side? = nil
  ) {
    set(edge, error.masked)
    if let side { sides[edge] = side }
    if edge == .refresh { self.scope = scope }
  }

  /// Forgets the failure of an edge.
  mutating func forget(_ edge: FeedEdge) {
    set(edge, nil)
    if edge == .refresh { scope = .head }
  }

  private mutating func set(_ edge: FeedEdge, _ error: FeedError?) {
    if case .gap(let id) = edge, error != nil || errors[edge] != nil { changed.insert(id) }
    errors[edge] = error
  }

  /// Returns the side from which a failed edge was to be loaded, and forgets it.
  mutating func takeSide(of edge: FeedEdge) -> Gap.Side? { sides.removeValue(forKey: edge) }

  /// The edges that failed: the ends, then gaps by their ids.
  var edges: [FeedEdge] {
    if errors.isEmpty { return [] }
    let gaps = errors.keys.compactMap { if case .gap(let id) = $0 { id } else { nil } }
    return [.refresh, .previous, .next].filter { errors[$0] != nil }
      + gaps.sorted().map(FeedEdge.gap)
  }

  /// The edges whose failure is transient.
  var passing: [FeedEdge] { edges.filter { errors[$0]?.isTransient == true } }

  /// Returns the gaps with a new or removed failure since the last call.
  mutating func takeChanged() -> Set<Gap.ID> {
    defer { changed = [] }
    return changed
  }

  /// Forgets all failures.
  mutating func removeAll() {
    for edge in edges { forget(edge) }
    sides = [:]
  }
}
