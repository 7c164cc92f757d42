internal import FreshetLists

/// An edge of the list that can be loaded, and has a load state of its own.
enum FeedEdge: Hashable, Sendable {
  /// New rows at the head of the list, and further down as far as a refresh reads.
  case refresh
  /// The rows above the first one, if the feed began in the middle of the list.
  case previous
  /// The rows that may be missing at a gap.
  case gap(Gap.ID)
  /// The rows after the last one.
  case next
  /// A known page that is requested again by its key.
  case page(PageKey)
  /// Loaded rows that are requested again by their position below a gap, from one to another.
  case reread(from: RowID, through: RowID)
  /// Rows in the middle of a gap, or far from an end.
  indirect case jump(Jump)

  /// The place at which an answer for this edge starts.
  var place: RunPlace {
    switch self {
    case .refresh, .previous: .head
    case .gap(let id): .gap(id)
    case .next: .end
    case .page, .reread: .page
    case .jump: .apart
    }
  }

  /// The jump, if it is one.
  var jump: Jump? { if case .jump(let jump) = self { jump } else { nil } }
  /// Whether it is loaded rows that are requested again by their position.
  var isReread: Bool { if case .reread = self { true } else { false } }
  /// The edge whose state shows a load of this one.
  var shown: FeedEdge { jump?.edge ?? self }
}

extension ListState {
  /// The state of an edge; a closed gap is at its end.
  subscript(edge: FeedEdge) -> LoadState {
    switch edge {
    case .refresh: refresh
    case .previous: previous
    case .next: next
    case .gap(let id): gaps[id] ?? .end
    case .page, .reread: .idle
    case .jump(let jump): self[jump.edge]
    }
  }
}
