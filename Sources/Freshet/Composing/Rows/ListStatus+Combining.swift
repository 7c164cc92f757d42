extension ListStatus {
  /// How lists stand that are merged: at the end where all are.
  static func merged(_ standings: [ListStatus]) -> ListStatus {
    var result = ListStatus()
    let loads = standings.map(\.loads)
    result.loads.refresh = .together(loads.map(\.refresh))
    result.loads.previous = .together(loads.map(\.previous))
    result.loads.next = .together(loads.map(\.next))
    for gaps in loads.map(\.gaps) { result.loads.gaps.merge(gaps) { first, _ in first } }
    result.loads.retrying = loads.lazy.compactMap(\.retrying).first
    result.loads.isPaused = loads.contains(where: \.isPaused)
    result.loads.newItems = loads.reduce(0) { $0 + $1.newItems }
    result.loads.isShowingOldRows = loads.contains(where: \.isShowingOldRows)
    result.loads.turns = loads.reduce(0) { $0 + $1.turns }
    result.refreshedAt = standings.compactMap(\.refreshedAt).min()
    result.isCut = standings.contains(where: \.isCut)
    result.isPartial = standings.contains(where: \.isPartial)
    return result
  }

  /// How lists stand that follow each other: the first one begins, and the first that may go on
  /// decides at the end.
  static func following(_ standings: [ListStatus]) -> ListStatus {
    var result = merged(standings)
    result.loads.previous = standings.first?.loads.previous ?? .end
    result.loads.next = standings.lazy.map(\.loads.next).first { $0 != .end } ?? .end
    result.isCut = standings.last?.isCut ?? false
    return result
  }
}

extension LoadState {
  /// How several edges stand as one.
  static func together(_ states: [LoadState]) -> LoadState {
    if states.contains(.loading) { return .loading }
    if let failed = states.first(where: { $0.failure != nil }) { return failed }
    return states.allSatisfy { $0 == .end } ? .end : .idle
  }
}
