internal import FreshetLists

// What its types cannot say.
extension FeedMachine {
  /// What is wrong with it, in words; `nil` where nothing is.
  ///
  /// Debug builds look each time something is published.
  ///
  /// - Complexity: O(loads + failures).
  var brokenInvariant: String? {
    let edges = loads.map(\.edge)
    if Set(edges).count < edges.count { return "two loads of one edge" }
    if let edge = edges.first(where: { failures[$0] != nil }) {
      return "\(edge) is under way and has failed"
    }
    for case .gap(let id) in failures.edges where timeline.gaps[id] == nil {
      return "gap \(id) has failed and is not there"
    }
    if contents.gaps.count != contents.state.gaps.count {
      return "\(contents.gaps.count) gaps are shown, \(contents.state.gaps.count) have a state"
    }
    if timeline.evicted.runs.count > timeline.gaps.count {
      return "\(timeline.evicted.runs.count) gaps on disk of \(timeline.gaps.count)"
    }
    return timeline.brokenInvariant
  }
}
