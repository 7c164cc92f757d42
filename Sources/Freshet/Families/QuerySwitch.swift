/// A state machine for the query that a list shows, and the one that was requested.
///
/// It only makes decisions: it has no tasks and no clock.
struct QuerySwitch<Query: Hashable & Sendable>: Sendable {
  /// Something that the list must do.
  enum Effect: Equatable {
    /// Cancel the delay before the requested query is loaded.
    case stopWaiting
    /// Cancel the loads that only this list requested.
    case cancelLoads
    /// Call `waited(_:)` with this number after this time.
    case wait(Int, Duration)
    /// Observe the feed of the requested query, and load from its source if necessary.
    case open
    /// Show the rows of the requested query.
    case turn
  }

  private enum Phase: Equatable {
    /// The rows are those of the requested query.
    case there
    /// The requested query is not loaded yet.
    case waiting(Int)
    /// The requested query is being loaded, or is about to be.
    case asking
  }

  /// The query whose rows are shown.
  private(set) var shown: Query
  /// The query that was requested last.
  private(set) var asked: Query
  private var phase = Phase.there
  private var lastWait = 0

  init(showing query: Query) { (shown, asked) = (query, query) }

  /// Whether the rows belong to another query than the requested one.
  var isShowingOldRows: Bool { phase != .there }

  /// Whether the feed of the requested query is observed, but not shown yet.
  var isAsking: Bool { phase == .asking }

  /// Handles a request for a query, with a delay in which another query may be requested.
  mutating func show(_ query: Query, after wait: Duration? = nil) -> [Effect] {
    if query == asked {
      // The first delay still applies.
      if wait != nil, case .waiting = phase { return [] }
      let effects = hurry()
      return effects.isEmpty ? [.open] : effects
    }
    var effects: [Effect] = []
    if case .waiting = phase { effects.append(.stopWaiting) } else { effects.append(.cancelLoads) }
    asked = query
    if query == shown {
      phase = .there
      return effects + [.open]
    }
    guard let wait, wait > .zero else {
      phase = .asking
      return effects + [.open]
    }
    lastWait += 1
    phase = .waiting(lastWait)
    return effects + [.wait(lastWait, wait)]
  }

  /// Handles the end of a delay.
  mutating func waited(_ wait: Int) -> [Effect] {
    guard phase == .waiting(wait) else { return [] }
    phase = .asking
    return [.open]
  }

  /// Ends a delay early, and opens the requested query.
  mutating func hurry() -> [Effect] {
    guard case .waiting = phase else { return [] }
    phase = .asking
    return [.stopWaiting, .open]
  }

  /// Handles the arrival of the requested query's rows, or of an answer without rows.
  mutating func arrived() -> [Effect] {
    guard phase == .asking else { return [] }
    shown = asked
    phase = .there
    return [.turn]
  }
}
