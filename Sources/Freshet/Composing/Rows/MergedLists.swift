internal import FreshetLists

/// The rows of several lists as one, in the order of a key, or one list behind the other.
struct MergedLists<Item: ListItem, Key: Comparable & Sendable>: LiveRows {
  private var lists: [any LiveRows<Item>]
  private var merged: MergedRows<FeedRow<Item>, Key>
  private var standings: [ListStanding]
  /// The items of each list that are being sent.
  private var pending: [Set<Item.ID>]
  private let combine: @Sendable ([ListStanding]) -> ListStanding

  /// Merges lists.
  ///
  /// - Parameters:
  ///   - merged: a merge of as many parts that has seen nothing yet.
  ///   - combine: how the merged list stands.
  init(
    _ lists: [any LiveRows<Item>], _ merged: MergedRows<FeedRow<Item>, Key>,
    combine: @escaping @Sendable ([ListStanding]) -> ListStanding
  ) {
    self.lists = lists
    self.merged = merged
    self.combine = combine
    standings = lists.map { _ in ListStanding() }
    pending = lists.map { _ in [] }
  }

  var waitingRows: Int { lists.reduce(0) { $0 + $1.waitingRows } }

  func lists(holdingBack edge: ListEdge) -> [Int] {
    switch edge {
    case .previous: merged.openHeads
    case .next: merged.openTails
    }
  }

  mutating func willDisplay(_ item: Item) {
    if let list = merged.part(of: FeedRow.item(item).id) { lists[list].willDisplay(item) }
  }

  mutating func begin() -> ListStep<Item> {
    var result = ListStep<Item>()
    for list in lists.indices { result = take(lists[list].begin(), of: list, isFirst: true) }
    result.edits = RowEdits(inserted: Array(merged.rows.indices))
    return result
  }

  mutating func advance() -> [ListStep<Item>] {
    lists.indices.flatMap { list in
      let steps = lists[list].advance()
      return steps.map { take($0, of: list) }
    }
  }

  private mutating func take(
    _ step: ListStep<Item>, of list: Int, isFirst: Bool = false
  ) -> ListStep<Item> {
    let (old, new) = (standings[list].loads, step.standing.loads)
    standings[list] = step.standing
    pending[list] = step.pending
    let isSame = old.isEndKnown == new.isEndKnown && old.isTopKnown == new.isTopKnown
    var edits = RowEdits()
    if isFirst || !isSame || !step.edits.isEmpty {
      edits = merged.apply(
        step.edits, to: step.rows, part: list, isComplete: new.isEndKnown,
        isHeadKnown: new.isTopKnown)
    }
    var result = step.with(edits, merged.rows)
    result.standing = combine(standings)
    result.pending = pending.reduce(into: []) { $0.formUnion($1) }
    return result
  }
}

extension FeedState {
  /// Whether there are no more rows behind the last one.
  var isEndKnown: Bool { next == .end }
  /// Whether there are no more rows above the first one.
  var isTopKnown: Bool { previous == .end }
}
