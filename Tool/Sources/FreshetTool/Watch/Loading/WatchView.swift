import Freshet

/// The part of a feed that is shown: the rows within the bounds, and the state of the rest.
struct WatchView {
  typealias Row = ListRow<WatchedItem>

  /// The rows without gaps: the feed's own list if it has no gap and is within the bounds.
  let list: ListSnapshot<Row>
  let state: State
  /// The first gap within the bounds.
  let gap: Gap?
  /// The loaded rows that are not shown.
  let beyond: Set<RowID>

  /// The status of the list, in words.
  struct State: Equatable {
    var refresh = "idle"
    var next = "idle"
    /// The error of an edge or a gap that failed.
    var error: String?
    /// How many gaps there are among the rows, and above them if the head is not known.
    var gaps = 0
  }

  /// Creates the part of a feed that is shown, with at most `limit` rows.
  ///
  /// - Complexity: O(1) for a list without gaps that is within the limit, else O(*n*).
  init(_ value: ListValue<WatchedItem>, limit: Int) {
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
      list = value.list.rows { row in row.item.map { !rest.contains($0.id) } ?? false }
      gaps = before
      beyond = rest
    } else {
      beyond = []
      gaps = value.state.gaps.isEmpty ? [] : value.rows.compactMap(\.gap)
      list = gaps.isEmpty ? value.list : value.list.rows { $0.item != nil }
    }
    gap = gaps.first
    let isHeadless = !value.items.isEmpty && value.state.previous != .end
    state = State(value.state, gaps: gaps.count + (isHeadless ? 1 : 0), isCut: isCut)
  }
}

extension WatchView.State {
  /// Creates the state of a feed.
  ///
  /// If it `isCut`, only the first rows are shown, and the end of the feed is not theirs.
  init(_ state: ListState, gaps: Int, isCut: Bool) {
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
