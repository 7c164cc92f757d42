/// A transform that keeps the rows for which a condition is true.
@usableFromInline
package struct FilterTransform<Item: ListItem>: ListTransform {
  /// Whether each row of the input is included.
  ///
  /// Each row has an order that stays the same while rows around it are inserted and removed.
  @usableFromInline var flags = OrderedTree<Bool>()
  @usableFromInline var included = OrderedRows<Item>()
  @usableFromInline var isIncluded: @Sendable (Item) -> Bool

  /// Creates a filter that calls `isIncluded` once for each row that is inserted or changes.
  @inlinable
  package init(_ isIncluded: @escaping @Sendable (Item) -> Bool) { self.isIncluded = isIncluded }

  /// The included rows.
  @inlinable
  package var rows: RowTree<Item> { included.rows }

  /// Applies edits, and evaluates the condition for inserted and changed rows.
  ///
  /// - Complexity: O(*k* log *n*) for *k* edits.
  @inlinable
  package mutating func apply(_ edits: RowEdits, to input: RowTree<Item>) -> RowEdits {
    var result = RowEdits()
    // The places before the edits are looked up before anything moves.
    let deleted = edits.deleted.filter { flags.rows[$0] }.map { flags.orders[$0] }
    result.deleted = deleted.map(included.index(of:))
    let placesBefore = edits.updated.map { index in
      let order = flags.orders[edits.placeBefore(index)]
      return included.index(of: order)
    }
    included.remove(deleted)
    flags.removeRows(edits.deleted)
    for run in edits.inserted.runs { insert(run.map { input[$0] }, at: run.lowerBound) }
    let inserted = edits.inserted.filter { flags.rows[$0] }
    var came = inserted.map { flags.orders[$0] }
    var changed: [RowOrder] = []
    for (index, place) in zip(edits.updated, placesBefore) {
      let (item, order, wasIncluded) = (input[index], flags.orders[index], flags.rows[index])
      switch (wasIncluded, isIncluded(item)) {
      case (true, true):
        included.update(item, at: order)
        changed.append(order)
      case (true, false):
        drop(order)
        result.deleted.append(place)
      case (false, true):
        show(item, order)
        came.append(order)
      case (false, false): break
      }
    }
    result.deleted.sort()
    result.inserted = came.sorted().map(included.index(of:))
    result.updated = changed.map(included.index(of:))
    return result
  }

  /// Replaces the condition in one step, and returns the resulting edits.
  ///
  /// - Parameters:
  ///   - input: the current input.
  ///   - isIncluded: the new condition.
  /// - Complexity: O(*n*), and O(*k* log *n*) for *k* rows that are inserted or removed.
  @usableFromInline
  package mutating func filter(
    _ input: RowTree<Item>, by isIncluded: @escaping @Sendable (Item) -> Bool
  ) -> RowEdits {
    self.isIncluded = isIncluded
    let (before, old) = (included, flags)
    var came: [RowOrder] = []
    var result = RowEdits()
    for (item, (order, wasIncluded)) in zip(input, zip(old.orders, old.rows)) {
      switch (wasIncluded, isIncluded(item)) {
      case (true, false):
        drop(order)
        result.deleted.append(before.index(of: order))
      case (false, true):
        show(item, order)
        came.append(order)
      default: break
      }
    }
    result.inserted = came.map(included.index(of:))
    return result
  }

  @inlinable
  mutating func insert(_ items: [Item], at index: Int) {
    let areIncluded = items.map(isIncluded)
    if let renumbering = flags.insert(areIncluded, at: index) { included.renumber(renumbering) }
    let orders = flags.orders.slice(index..<(index + items.count))
    included.insert(
      zip(zip(orders, items), areIncluded).compactMap { place, isIn in
        isIn ? (order: place.0, row: place.1) : nil
      })
  }

  @inlinable
  mutating func show(_ item: Item, _ order: RowOrder) {
    flags.update(true, at: order)
    included.insert([(order: order, row: item)])
  }

  @inlinable
  mutating func drop(_ order: RowOrder) {
    flags.update(false, at: order)
    included.remove([order])
  }
}
