internal import FreshetLists

/// Why edges could not be loaded, and how they were to be.
struct LoadFailures: Sendable {
  private var errors: [FeedEdge: FeedError] = [:]
  /// The gaps whose failures came or went since the last call of `takeChanged()`.
  private var changed: Set<Gap.ID> = []
  /// From which side a gap was filled when that failed.
  private var sides: [FeedEdge: Gap.Side] = [:]
  /// What the refresh that failed was asked for.
  private(set) var scope = RefreshScope.head

  /// Why an edge could not be loaded.
  subscript(edge: FeedEdge) -> FeedError? { errors[edge] }

  /// Notes why an edge could not be loaded.
  mutating func note(
    _ error: FeedError, at edge: FeedEdge, scope: RefreshScope = .head, side: Gap.Side? = nil
  ) {
    set(edge, error.masked)
    if let side { sides[edge] = side }
    if edge == .refresh { self.scope = scope }
  }

  /// Forgets why an edge could not be loaded.
  mutating func forget(_ edge: FeedEdge) {
    set(edge, nil)
    if edge == .refresh { scope = .head }
  }

  private mutating func set(_ edge: FeedEdge, _ error: FeedError?) {
    if case .gap(let id) = edge, error != nil || errors[edge] != nil { changed.insert(id) }
    errors[edge] = error
  }

  /// The side from which an edge was to be loaded when that failed; it is asked for once.
  mutating func takeSide(of edge: FeedEdge) -> Gap.Side? { sides.removeValue(forKey: edge) }

  /// The edges that could not be loaded: the ends, then gaps by their ids.
  var edges: [FeedEdge] {
    if errors.isEmpty { return [] }
    let gaps = errors.keys.compactMap { if case .gap(let id) = $0 { id } else { nil } }
    return [.refresh, .previous, .next].filter { errors[$0] != nil }
      + gaps.sorted().map(FeedEdge.gap)
  }

  /// The edges that could not be loaded for a reason that may pass by itself.
  var passing: [FeedEdge] { edges.filter { errors[$0]?.isTransient == true } }

  /// The gaps whose failures came or went since this was last asked for.
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
