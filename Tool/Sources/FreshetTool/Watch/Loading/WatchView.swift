import Freshet

/// What is shown of a feed: the rows within the bounds, and how the rest stands.
struct WatchView {
  let list: ListSnapshot<WatchedItem>
  let state: State
  /// The first gap within the bounds.
  let gap: Gap?
  /// The rows that are there and not shown.
  let beyond: Set<RowID>

  /// How the list stands, in words.
  struct State: Equatable {
    var refresh = "idle"
    var next = "idle"
    /// Why an edge or a gap failed.
    var error: String?
    /// How many gaps there are among the rows.
    var gaps = 0
  }

  /// What is shown of a feed where no more than `limit` rows are.
  init(_ value: FeedValue<WatchedItem>, limit: Int) {
    let isCut = value.items.count > limit
    let gaps: [Gap]
    if isCut {
      var (count, rest, before): (Int, Set<RowID>, [Gap]) = (0, [], [])
      for row in value.rows {
        switch row {
        case .item(let item):
          count += 1
          if count > limit { rest.insert(item.id) }
        case .gap(let gap):
          if count < limit { before.append(gap) }
        }
      }
      list = value.list.items { !rest.contains($0.id) }
      gaps = before
      beyond = rest
    } else {
      beyond = []
      list = value.list.items()
      gaps = value.state.gaps.isEmpty ? [] : value.rows.compactMap(\.gap)
    }
    gap = gaps.first
    state = State(value.state, gaps: gaps.count, isCut: isCut)
  }
}

extension WatchView.State {
  /// The state of a feed of which the first rows are shown where it `isCut`: its end is not theirs.
  init(_ state: FeedState, gaps: Int, isCut: Bool) {
    refresh = state.refresh.word
    next = isCut && state.next == .end ? "idle" : state.next.word
    error = state.failure?.description
    self.gaps = gaps
  }
}

extension LoadState {
  /// The state in one word.
  var word: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .failed: "failed"
    case .end: "end"
    }
  }
}
