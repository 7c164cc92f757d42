extension ListStatus {
  /// Returns the status of merged lists, which is at its end if all of them are.
  static func merged(_ statuses: [ListStatus]) -> ListStatus {
    var result = ListStatus()
    let loads = statuses.map(\.state)
    result.state.refresh = .together(loads.map(\.refresh))
    result.state.previous = .together(loads.map(\.previous))
    result.state.next = .together(loads.map(\.next))
    for gaps in loads.map(\.gaps) { result.state.gaps.merge(gaps) { first, _ in first } }
    result.state.retrying = loads.lazy.compactMap(\.retrying).first
    result.state.isPaused = loads.contains(where: \.isPaused)
    result.state.newItems = loads.reduce(0) { $0 + $1.newItems }
    result.state.isShowingOldRows = loads.contains(where: \.isShowingOldRows)
    result.state.turns = loads.reduce(0) { $0 + $1.turns }
    result.refreshedAt = statuses.compactMap(\.refreshedAt).min()
    result.isCut = statuses.contains(where: \.isCut)
    result.isPartial = statuses.contains(where: \.isPartial)
    return result
  }

  /// Returns the status of lists that follow each other.
  ///
  /// The first list decides at the top, and the first list that is not at its end decides at the
  /// end.
  static func following(_ statuses: [ListStatus]) -> ListStatus {
    var result = merged(statuses)
    result.state.previous = statuses.first?.state.previous ?? .end
    result.state.next = statuses.lazy.map(\.state.next).first { $0 != .end } ?? .end
    result.isCut = statuses.last?.isCut ?? false
    return result
  }
}

extension LoadState {
  /// Returns the combined state of several edges.
  static func together(_ states: [LoadState]) -> LoadState {
    if states.contains(.loading) { return .loading }
    if let failed = states.first(where: { $0.failure != nil }) { return failed }
    return states.allSatisfy { $0 == .end } ? .end : .idle
  }
}
