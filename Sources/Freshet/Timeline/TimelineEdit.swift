internal import FreshetLists

/// The changes that one step made to a timeline, by order.
///
/// Removed and updated rows existed before the step, and inserted rows exist after it. A row that
/// moved is both removed and inserted.
struct TimelineEdit: Sendable {
  var removed: [(order: RowOrder, row: ListRow<AnyItem>)] = []
  var inserted: [(order: RowOrder, row: ListRow<AnyItem>)] = []
  var updated: [(order: RowOrder, before: ListRow<AnyItem>, after: ListRow<AnyItem>)] = []
  /// The rows that have other page keys now: nothing to show, but something to save.
  var keyed: [RowOrder] = []
  /// Whether the known state of an end of the list changed.
  var changesEnds = false
  /// The renumbering that was needed before the edit.
  ///
  /// The orders of the edit are the new ones.
  var renumbered: (orders: Renumbering, before: OrderedRows<ListRow<AnyItem>>)?

  /// Returns the changed rows as indices.
  ///
  /// - Parameters:
  ///   - before: the rows before the step, with the orders of this edit.
  ///   - after: the rows after the step.
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
      // Most rows are side by side.
      if let next = indices.last.map({ $0 + 1 }), next < orders.count, orders[next] == order {
        indices.append(next)
      } else {
        indices.append(orders.index(from: order))
      }
    }
    return indices
  }

  /// Whether the list shows something else after the step.
  var isVisible: Bool { !removed.isEmpty || !inserted.isEmpty || !updated.isEmpty }

  /// Whether there is nothing to show and nothing to save.
  var isEmpty: Bool { !isVisible && keyed.isEmpty && !changesEnds }

  /// Whether items were inserted or removed.
  var changesItems: Bool {
    inserted.contains { $0.row.item != nil } || removed.contains { $0.row.item != nil }
  }

  /// Whether an item was inserted that was not there before.
  ///
  /// A moved item does not count.
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
