internal import FreshetLists

/// The rows of several lists as one list, in the order of a key, or one list after the other.
///
/// If the lists switch to another query, their rows switch together: the new rows of one list are
/// held back while another list still shows old rows.
struct MergedLists<Item: ListItem>: ListNode {
  private var lists: [any ListNode<Item>]
  private let merge: RowMerge<ListRow<Item>>
  /// The rows that are shown.
  private var rows: RowTree<ListRow<Item>> = []
  private var turn: QuerySwitchBarrier<Item>
  private var statuses: [ListStatus]
  /// Whether the top and the end of each list are known; while it shows old rows, the last values.
  private var ends: [(isTopKnown: Bool, isEndKnown: Bool)]
  /// The items of each list that have pending edits, and those of all lists.
  private var pending: [ItemIDs<Item.ID>]
  private var allPending: ItemIDs<Item.ID> = []
  /// The combined status of all lists.
  private var status = ListStatus()
  private let combine: @Sendable ([ListStatus]) -> ListStatus

  /// Creates a merge of lists.
  ///
  /// - Parameters:
  ///   - merge: a merge with the same number of parts that has not processed any rows yet.
  ///   - combine: returns the status of the merged list.
  init(
    _ lists: [any ListNode<Item>], _ merge: RowMerge<ListRow<Item>>,
    combine: @escaping @Sendable ([ListStatus]) -> ListStatus
  ) {
    self.lists = lists
    self.merge = merge
    self.combine = combine
    turn = QuerySwitchBarrier(count: lists.count)
    statuses = lists.map { _ in ListStatus() }
    status = combine(statuses)
    ends = lists.map { _ in (false, false) }
    pending = lists.map { _ in [] }
  }

  var waitingRows: Int { lists.reduce(0) { $0 + $1.waitingRows } }

  func lists(holdingBack edge: ListEdge) -> [Int] {
    switch edge {
    case .previous: merge.openHeads()
    case .next: merge.openTails()
    }
  }

  mutating func willDisplay(_ item: Item) {
    if let list = merge.part(.item(item.id)) { lists[list].willDisplay(item) }
  }

  mutating func begin() -> RowStep<Item> {
    var result = RowStep<Item>()
    for list in lists.indices {
      let step = lists[list].begin()
      turn.begin(with: step, of: list)
      result = take(step, of: list, isFirst: true)
    }
    result.edits = RowEdits(inserted: Array(rows.indices))
    return result
  }

  mutating func advance() -> [RowStep<Item>] {
    let (steps, isTurn) = turn.take(lists.indices.map { lists[$0].advance() })
    let before = rows
    var results = steps.map { take($0.step, of: $0.list) }
    for (list, refresh) in turn.waiting where statuses[list].state.refresh != refresh {
      statuses[list].state.refresh = refresh
      status = combine(statuses)
      results.append(status(as: results.last))
    }
    guard isTurn, results.count > 1, let result = results.last else { return results }
    return [result.since(before)]
  }

  private mutating func take(
    _ step: RowStep<Item>, of list: Int, isFirst: Bool = false
  ) -> RowStep<Item> {
    let (old, loads) = (ends[list], step.status.state)
    if statuses[list] != step.status {
      statuses[list] = step.status
      status = combine(statuses)
    }
    if pending[list] != step.pending {
      pending[list] = step.pending
      allPending = pending.reduce([]) { $0.union($1) }
    }
    if isFirst || !loads.isShowingOldRows { ends[list] = (loads.isTopKnown, loads.isEndKnown) }
    let (isTopKnown, isEndKnown) = ends[list]
    var edits = RowEdits()
    if isFirst || old != ends[list] || !step.edits.isEmpty {
      (edits, rows) = merge.apply(step.edits, step.rows, list, isEndKnown, isTopKnown)
    }
    return combined(step.with(edits, rows))
  }

  /// Returns a step that changes only the status of the list.
  private func status(as last: RowStep<Item>?) -> RowStep<Item> {
    combined((last ?? RowStep()).with(RowEdits(), rows))
  }

  private func combined(_ step: RowStep<Item>) -> RowStep<Item> {
    var step = step
    step.status = status
    step.pending = allPending
    return step
  }
}

extension ListState {
  /// Whether there are no more rows after the last one.
  var isEndKnown: Bool { next == .end }
  /// Whether there are no more rows above the first one.
  var isTopKnown: Bool { previous == .end }
}
