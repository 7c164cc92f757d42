internal import FreshetLists

/// A barrier that lets several lists switch to another query together.
///
/// New rows of one list are held back while another list still shows old rows, so that rows of two
/// queries do not mix.
struct QuerySwitchBarrier<Item: ListItem>: Sendable {
  typealias Steps = [(list: Int, step: RowStep<Item>)]

  /// Whether each list showed old rows in the last step that was released.
  private var areOld: [Bool]
  /// The number of query switches of each list, in the last step that was released.
  ///
  /// An observer that starts late may never see a step with old rows: the number shows the switch.
  private var turns: [Int]
  /// Whether each list shows old rows now, including the steps that are held back.
  private var areStillOld: [Bool]
  /// The steps of each list that are held back.
  private var steps: [[RowStep<Item>]]
  /// Whether any step is held back.
  private var isWaiting = false

  init(count: Int) {
    areOld = Array(repeating: false, count: count)
    areStillOld = areOld
    turns = Array(repeating: 0, count: count)
    steps = Array(repeating: [], count: count)
  }

  /// The lists whose steps are held back, with the newest state of their heads.
  var waiting: [(list: Int, refresh: LoadState)] {
    guard isWaiting else { return [] }
    return steps.enumerated().compactMap { list, steps in
      steps.last.map { (list, $0.status.state.refresh) }
    }
  }

  mutating func begin(with step: RowStep<Item>, of list: Int) {
    areOld[list] = step.status.state.isShowingOldRows
    areStillOld[list] = areOld[list]
    turns[list] = step.status.state.turns
  }

  /// Holds back steps of a list.
  ///
  /// At most one step is kept after a switch that is held back, however often the list changes.
  private mutating func add(_ new: [RowStep<Item>], to list: Int) {
    guard let first = steps[list].first, let last = new.last else { return steps[list] += new }
    steps[list] = [first, last.since(first.rows)]
  }

  /// Takes new steps of the lists.
  ///
  /// - Returns: the steps that are released, and whether they switch to the rows of another query.
  mutating func take(_ new: [[RowStep<Item>]]) -> (steps: Steps, isTurn: Bool) {
    for (list, steps) in new.enumerated() {
      if let last = steps.last { areStillOld[list] = last.status.state.isShowingOldRows }
    }
    let mayTurn = !areStillOld.contains(true)
    let waits = isWaiting || !mayTurn
    if waits { for (list, steps) in new.enumerated() { add(steps, to: list) } }
    var (result, isTurn): (Steps, Bool) = ([], false)
    for (list, coming) in (waits ? steps : new).enumerated() {
      var taken = 0
      for step in coming {
        let loads = step.status.state
        let isTurned = areOld[list] && !loads.isShowingOldRows || turns[list] != loads.turns
        if isTurned && !mayTurn { break }
        isTurn = isTurn || isTurned
        (areOld[list], turns[list]) = (loads.isShowingOldRows, loads.turns)
        result.append((list, step))
        taken += 1
      }
      if waits { steps[list].removeFirst(taken) }
    }
    if waits { isWaiting = steps.contains { !$0.isEmpty } }
    return (result, isTurn)
  }
}
