internal import FreshetLists

/// What somebody may want loaded, each with a state of its own.
enum FeedEdge: Hashable, Sendable {
  /// What is new at the head of the list, and further down as far as a refresh reads.
  case refresh
  /// The rows above the first one, where the feed began in the middle of the list.
  case previous
  /// The rows that may be missing at a gap.
  case gap(Gap.ID)
  /// The rows behind the last one.
  case next
  /// A page that is known, asked for again by its key.
  case page(PageKey)

  /// Where an answer starts that brings it.
  var place: RunPlace {
    switch self {
    case .refresh, .previous: .head
    case .gap(let id): .gap(id)
    case .next: .end
    case .page: .page
    }
  }
}

extension ListState {
  /// How one edge stands; a gap that closed is at its end.
  subscript(edge: FeedEdge) -> LoadState {
    switch edge {
    case .refresh: refresh
    case .previous: previous
    case .next: next
    case .gap(let id): gaps[id] ?? .end
    case .page: .idle
    }
  }
}
