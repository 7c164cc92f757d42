import Freshet

/// The part of a feed that is shown: the rows within the bounds, and the state of the rest.
struct WatchView {
  typealias Row = ListRow<WatchedItem>

  /// The rows without gaps: the feed's own list if it has no gap and is within the bounds.
  let list: ListSnapshot<Row>
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
    /// How many gaps there are among the rows, and above them where the head is not known.
    var gaps = 0
  }

  /// The part of a feed that is shown if no more than `limit` rows are.
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
  /// The state of a feed of which the first rows are shown where it `isCut`: its end is not theirs.
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
