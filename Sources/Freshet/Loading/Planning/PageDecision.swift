internal import FreshetLists

/// The effect of an answer on the rows: the planner decides it, and the machine applies it.
enum PageDecision {
  /// Nothing changes yet: the load waits, requests another page or restarts.
  case wait([LoadAction])
  /// A page key is no longer valid; `nil` means all keys. The load restarts.
  case forget(PageKey?, Load)
  /// A page that was not known leads up to the row, and the load requests it.
  case lead(to: RowID, by: PageKey, Load)
  /// The rows that were read are merged as evidence.
  case merge(PageMerge)
  /// The windows that were read are merged, each in its place.
  case mergeWindows(Load)
  /// The rows that were read become the list; the actions end loads that are now obsolete.
  case replace(Run, Load, [LoadAction])
  /// The load ends without rows.
  case finish(Load)
}

/// The rows that a load read, and their place in the timeline.
struct PageMerge {
  let run: Run
  let plan: MergePlan
  var load: Load
  let then: Next
  /// The number of gaps before the merge.
  let gaps: Int

  /// The new state of the head of the list; `nil` if it does not change.
  var head: FeedEnd? {
    if case .apart(let reachesHead) = then { return reachesHead ? .end : nil }
    if isAbove || load.place != .head { return nil }
    return load.isStart ? .open : .end
  }

  /// Whether the page leads up to a row.
  var isAbove: Bool { if case .above = then { true } else { false } }

  /// The step after a merge.
  enum Next {
    /// The load ends.
    case finish
    /// The load continues if nothing was new.
    case goOn
    /// The load requested the rows above a row, and ends.
    ///
    /// `previous` is the page before that page, if there is one.
    case above(RowID, previous: PageKey?)
    /// The load requested rows far from its edge, and ends.
    case apart(reachesHead: Bool)
  }
}

/// The step of a load after its page was merged.
enum LoadContinuation {
  /// The load requests another page.
  case ask([LoadAction])
  case end(Load)
}
