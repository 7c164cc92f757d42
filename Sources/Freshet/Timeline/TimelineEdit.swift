internal import FreshetLists

/// What one step changed in a timeline, by order.
///
/// Removed and updated rows existed before the step, inserted ones exist after it; a row that
/// moved is removed and inserted.
struct TimelineEdit<Item: ListItem>: Sendable {
  var removed: [(order: RowOrder, row: FeedRow<Item>)] = []
  var inserted: [(order: RowOrder, row: FeedRow<Item>)] = []
  var updated: [(order: RowOrder, before: FeedRow<Item>, after: FeedRow<Item>)] = []
  /// Rows for which another key is known: nothing to show, but something to save.
  var keyed: [RowOrder] = []
  /// Whether something else is known of the ends of the list.
  var changesEnds = false
  /// Where rows had to be numbered anew first: the orders of this edit are the new ones.
  var renumbered: (orders: Renumbering, before: OrderedRows<FeedRow<Item>>)?

  /// Whether the list shows something else now.
  var isVisible: Bool { !removed.isEmpty || !inserted.isEmpty || !updated.isEmpty }

  /// Whether there is anything to save.
  var isEmpty: Bool { !isVisible && keyed.isEmpty && !changesEnds }

  /// The items that were not there before: removed and inserted again is a move.
  var newItems: Int {
    let moved = Set(removed.lazy.compactMap { $0.row.item?.id })
    return inserted.count { $0.row.item.map { !moved.contains($0.id) } ?? false }
  }
}
