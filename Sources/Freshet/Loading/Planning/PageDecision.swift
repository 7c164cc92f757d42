internal import FreshetLists

/// What an answer is to do to the rows: the planner decides, and the machine carries it out.
enum PageDecision {
  /// Nothing yet: the load waits, asks for another page or restarts.
  case wait([LoadAction])
  /// A page key leads nowhere any more; `nil` for all keys. Then the load restarts.
  case forget(PageKey?, Load)
  /// A row is led up to by another page than was known, and the load asks for that.
  case lead(to: RowID, by: PageKey, Load)
  /// What was read is evidence.
  case merge(PageMerge)
  /// What was read is the list, and other loads are in vain.
  case replace(Run, Load, [LoadAction])
  /// The load ends, and brings nothing.
  case finish(Load)
}

/// What a load read, and where it belongs.
struct PageMerge {
  let run: Run
  let plan: MergePlan
  var load: Load
  let then: Next
  /// How many gaps there were before.
  let gaps: Int

  /// What is known of the head of the list with it; `nil` where that is as it was.
  var head: FeedEnd? {
    if isAbove || load.place != .head { return nil }
    return load.isStart ? .open : .end
  }

  /// Whether it leads up to a row.
  var isAbove: Bool { if case .above = then { true } else { false } }

  /// What comes after it.
  enum Next {
    /// The load ends.
    case finish
    /// The load goes on where it brought nothing new.
    case goOn
    /// The load ends, which asked for what is above a row; the page before it, if there is one.
    case above(RowID, previous: PageKey?)
  }
}

/// What a load does once its page is merged.
enum LoadContinuation {
  /// It asks for another page.
  case ask([LoadAction])
  case end(Load)
}
