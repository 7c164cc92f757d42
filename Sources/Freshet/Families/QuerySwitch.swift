/// Which query a list shows, and which one it is on its way to.
///
/// It decides and does nothing: no task, no clock.
struct QuerySwitch<Query: Hashable & Sendable>: Sendable {
  /// Something for the list to do.
  enum Effect: Equatable {
    /// End what waits to be asked for.
    case stopWaiting
    /// Cancel what is asked for nobody but this list.
    case cancelLoads
    /// Say so once this time has passed.
    case wait(Int, Duration)
    /// Look at the feed of the query asked for, and ask its source if that has to be.
    case open
    /// Show the rows of the query asked for.
    case turn
  }

  private enum Phase: Equatable {
    /// The rows are those of the query asked for.
    case there
    /// The query is not asked for yet.
    case waiting(Int)
    /// The source was asked, or is about to be.
    case asking
  }

  /// The query whose rows are shown.
  private(set) var shown: Query
  /// The query that was asked for last.
  private(set) var asked: Query
  private var phase = Phase.there
  private var lastWait = 0

  init(showing query: Query) { (shown, asked) = (query, query) }

  /// Whether the rows are those of another query than the one asked for.
  var isShowingOldRows: Bool { phase != .there }

  /// Whether the query asked for has a feed that is looked at.
  var isAsking: Bool { phase == .asking }

  /// Somebody asks for a query, after some time in which nobody asks for another.
  mutating func show(_ query: Query, after wait: Duration? = nil) -> [Effect] {
    if query == asked {
      // It waits as long as it was told to before.
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

  /// The time has passed.
  mutating func waited(_ wait: Int) -> [Effect] {
    guard phase == .waiting(wait) else { return [] }
    phase = .asking
    return [.open]
  }

  /// Somebody does not want to wait.
  mutating func hurry() -> [Effect] {
    guard case .waiting = phase else { return [] }
    phase = .asking
    return [.stopWaiting, .open]
  }

  /// The feed of the query asked for has rows, or an answer without any.
  mutating func arrived() -> [Effect] {
    guard phase == .asking else { return [] }
    shown = asked
    phase = .there
    return [.turn]
  }
}
