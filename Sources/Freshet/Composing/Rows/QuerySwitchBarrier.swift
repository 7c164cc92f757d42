internal import FreshetLists

/// Lets lists turn to another query together: what came of one that is there waits while another
/// one still shows old rows, so that rows of two queries do not mix.
struct QuerySwitchBarrier<Item: ListItem>: Sendable {
  typealias Steps = [(list: Int, step: RowStep<Item>)]

  /// Whether each list showed old rows with the last step that was taken.
  private var areOld: [Bool]
  /// How often each list had turned by then: who looks late never sees its old rows say so.
  private var turns: [Int]
  /// Whether each list shows old rows, whatever waits.
  private var areStillOld: [Bool]
  /// What waits of each list.
  private var steps: [[RowStep<Item>]]
  /// Whether anything waits.
  private var isWaiting = false

  init(count: Int) {
    areOld = Array(repeating: false, count: count)
    areStillOld = areOld
    turns = Array(repeating: 0, count: count)
    steps = Array(repeating: [], count: count)
  }

  /// How the heads of the lists stand whose rows wait.
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

  /// Lets steps wait: behind the turn that waits there is one at most, whatever becomes of the
  /// list.
  private mutating func add(_ new: [RowStep<Item>], to list: Int) {
    guard let first = steps[list].first, let last = new.last else { return steps[list] += new }
    steps[list] = [first, last.since(first.rows)]
  }

  /// Takes in what became of the lists.
  ///
  /// - Returns: what may be shown of it, and whether that is the rows of another query.
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
