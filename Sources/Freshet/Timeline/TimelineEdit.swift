internal import FreshetLists

/// What one step changed in a timeline, by order.
///
/// Removed and updated rows existed before the step, inserted ones exist after it; a row that
/// moved is removed and inserted.
struct TimelineEdit: Sendable {
  var removed: [(order: RowOrder, row: ListRow<AnyItem>)] = []
  var inserted: [(order: RowOrder, row: ListRow<AnyItem>)] = []
  var updated: [(order: RowOrder, before: ListRow<AnyItem>, after: ListRow<AnyItem>)] = []
  /// Rows for which another key is known: nothing to show, but something to save.
  var keyed: [RowOrder] = []
  /// Whether something else is known of the ends of the list.
  var changesEnds = false
  /// Where rows had to be numbered anew first: the orders of this edit are the new ones.
  var renumbered: (orders: Renumbering, before: OrderedRows<ListRow<AnyItem>>)?

  /// The rows that changed, as indices.
  ///
  /// - Parameters:
  ///   - before: the rows before, with the orders of this edit.
  ///   - after: the rows after.
  /// - Complexity: O(*k* log *n*) for *k* rows changed.
  func byIndex(
    from before: OrderedRows<ListRow<AnyItem>>, to after: OrderedRows<ListRow<AnyItem>>
  ) -> RowEdits {
    RowEdits(
      deleted: Self.indices(of: removed.count, in: before.orders) { removed[$0].order },
      inserted: Self.indices(of: inserted.count, in: after.orders) { inserted[$0].order },
      updated: Self.indices(of: updated.count, in: after.orders) { updated[$0].order })
  }

  private static func indices(
    of count: Int, in orders: CountedTree<RowOrder>, order: (Int) -> RowOrder
  ) -> [Int] {
    var indices: [Int] = []
    indices.reserveCapacity(count)
    for place in 0..<count {
      let order = order(place)
      // Rows mostly stand side by side.
      if let next = indices.last.map({ $0 + 1 }), next < orders.count, orders[next] == order {
        indices.append(next)
      } else {
        indices.append(orders.index(from: order))
      }
    }
    return indices
  }

  /// Whether the list shows something else now.
  var isVisible: Bool { !removed.isEmpty || !inserted.isEmpty || !updated.isEmpty }

  /// Whether there is anything to save.
  var isEmpty: Bool { !isVisible && keyed.isEmpty && !changesEnds }

  /// Whether an item came that was not there before: removed and inserted again is a move.
  var hasNewItems: Bool {
    var moved: Set<RowID> = []
    for (_, row) in removed { if let item = row.item { moved.insert(item.id) } }
    for place in inserted.indices {
      guard case .item(let item) = inserted[place].row else { continue }
      if moved.isEmpty || !moved.contains(item.id) { return true }
    }
    return false
  }
}
