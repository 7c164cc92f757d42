internal import FreshetLists

/// The places where edits put items.
///
/// Some of these items are shown there, in their order. The others are not shown for now.
struct PlacementIndex: Sendable {
  /// A place that an edit names.
  struct InsertionPoint: Sendable {
    /// The order of the timeline's row above.
    ///
    /// The place stays when that row is removed.
    var order: RowOrder
    /// The placed item directly above, if there is one between that row and this place.
    var behind: RowID?

    /// The place above all rows.
    static var top: InsertionPoint { InsertionPoint(order: .min) }
  }

  /// A shown item, placed after the timeline's row with the order `slot`.
  struct Entry: Sendable {
    var slot: RowOrder
    var id: RowID
  }

  private var entries = OrderedTree<Entry>()
  /// The orders of the shown items among each other.
  private var orders: [RowID: RowOrder] = [:]
  /// The places that edits gave to items, shown or not.
  private var slots: [RowID: InsertionPoint] = [:]
  /// The placed items that are not shown, by the order of their place.
  private var away: [RowOrder: Set<RowID>] = [:]

  var isEmpty: Bool { slots.isEmpty && entries.count == 0 }
  /// The items that are shown, in their order.
  var shown: CountedTree<Entry> { entries.rows }

  /// Returns whether an item is shown where an edit put it.
  func contains(_ id: RowID) -> Bool { orders[id] != nil }

  /// Returns the index of an item among the shown items.
  ///
  /// - Complexity: O(log *n*).
  func index(of id: RowID) -> Int? { orders[id].map(entries.index(of:)) }

  /// Returns the order of the row after which an item is shown.
  func shownSlot(of id: RowID) -> RowOrder? { index(of: id).map { entries.rows[$0].slot } }

  /// Returns the order of the row after which an edit put an item, shown or not.
  func slot(of id: RowID) -> RowOrder { shownSlot(of: id) ?? slots[id]?.order ?? .min }

  /// Returns how many items are shown above the row with an order.
  func count(above order: RowOrder) -> Int { entries.rows.partitioningIndex { $0.slot >= order } }

  // MARK: - Showing and hiding

  /// Sets the place of an item; `nil` forgets it.
  mutating func place(_ id: RowID, at slot: InsertionPoint?) {
    if !contains(id) { note(id, awayFrom: slots[id]?.order, to: slot?.order) }
    let old = slots[id]
    slots[id] = slot
    if slot == nil, let old { follow(old.behind, insteadOf: id, at: old.order) }
  }

  /// Makes the hidden items that follow an item follow another one instead.
  private mutating func follow(_ other: RowID?, insteadOf id: RowID, at slot: RowOrder) {
    for hidden in away[slot] ?? [] where slots[hidden]?.behind == id {
      slots[hidden]?.behind = other
    }
  }

  /// Shows an item at its place.
  ///
  /// It is inserted right after the item that it should follow, or as the first item of the place.
  mutating func show(_ id: RowID) {
    let slot = slots[id] ?? .top
    note(id, awayFrom: slots[id]?.order, to: nil)
    // If the item to follow is hidden too, use the item that it follows.
    var (behind, hidden) = (slot.behind, away[slot.order] ?? [])
    while let other = behind, hidden.remove(other) != nil { behind = slots[other]?.behind }
    let above = behind.flatMap { shownSlot(of: $0) == slot.order ? self.index(of: $0) : nil }
    let index = above.map { $0 + 1 } ?? count(above: slot.order)
    orders[id] = entries.insert(Entry(slot: slot.order, id: id), at: index) { entry, order in
      orders[entry.id] = order
    }
  }

  /// Hides an item.
  ///
  /// Its place is kept unless the item moves elsewhere.
  mutating func hide(_ id: RowID, keepsPlace: Bool) {
    guard let index = index(of: id), let order = orders.removeValue(forKey: id) else { return }
    let slot = entries.rows[index].slot
    let above = index > 0 ? entries.rows[index - 1] : nil
    entries.remove([order])
    if keepsPlace {
      slots[id] = InsertionPoint(
        order: slot, behind: above.flatMap { $0.slot == slot ? $0.id : nil })
    }
    note(id, awayFrom: nil, to: slots[id]?.order)
  }

  /// Gives an item another id, at the same place.
  mutating func rename(_ id: RowID, to other: RowID) {
    if let slot = slots[id] {
      follow(other, insteadOf: id, at: slot.order)
      place(id, at: nil)
      place(other, at: slot)
    }
    guard let order = orders[id], !contains(other) else { return }
    note(other, awayFrom: slots[other]?.order, to: nil)
    orders[id] = nil
    orders[other] = order
    entries.rename(at: order) { $0.id = other }
  }

  private mutating func note(_ id: RowID, awayFrom old: RowOrder?, to new: RowOrder?) {
    if let old {
      away[old]?.remove(id)
      if away[old]?.isEmpty == true { away[old] = nil }
    }
    if let new { away[new, default: []].insert(id) }
  }

  // MARK: - Following the timeline

  /// Updates places after a row was inserted between two others.
  ///
  /// Items below the item `id` are below the new row from now on, and all others are above it.
  /// Places between two rows may have any order between theirs, and so may the new row.
  ///
  /// - Parameters:
  ///   - id: the item; `nil` if the row was inserted first after the row of `slot`.
  ///   - slot: the place where the item was.
  ///   - order: the order of the new row.
  ///   - around: the orders that places between the two others may have.
  /// - Complexity: O(log *n*) for each item that was between the two, and O(*p*) for *p* places of
  ///   items that are not shown.
  mutating func bind(
    behind id: RowID?, at slot: RowOrder, to order: RowOrder, around: Range<RowOrder>
  ) {
    func bound(_ slot: RowOrder, isBelow: Bool) -> RowOrder {
      isBelow ? max(slot, order) : min(slot, order - 1)
    }
    let start = id.flatMap { self.index(of: $0).map { $0 + 1 } } ?? count(above: slot)
    let shown = count(above: around.lowerBound)..<count(above: around.upperBound)
    for index in shown {
      move(at: index, to: bound(entries.rows[index].slot, isBelow: index >= start))
    }
    // The same applies to items that are not shown for now.
    var waiting: [RowID: RowOrder] = [:]
    for (slot, ids) in away where around.contains(slot) { for id in ids { waiting[id] = slot } }
    waiting = waiting.filter { $0.key != id }
    var followers: [RowID: [RowID]] = [:]
    for other in waiting.keys {
      if let above = slots[other]?.behind { followers[above, default: []].append(other) }
    }
    var below = entries.rows.slice(start..<max(start, shown.upperBound)).map(\.id)
    if let id { below.append(id) } else { below += waiting.filter { $0.value >= slot }.keys }
    while let above = below.popLast() {
      if let place = waiting.removeValue(forKey: above) {
        keep(above, at: bound(place, isBelow: true))
      }
      below += followers.removeValue(forKey: above) ?? []
    }
    for (hidden, slot) in waiting { keep(hidden, at: bound(slot, isBelow: false)) }
  }

  /// Moves the items at the very top to the place after a row with this order.
  ///
  /// - Complexity: O(log *n*) for each item that was there.
  mutating func bindTop(to order: RowOrder) {
    for index in 0..<count(above: .min + 1) { move(at: index, to: order) }
    for hidden in away[.min] ?? [] { keep(hidden, at: order) }
  }

  /// Moves an item that is not shown for now to the place after the row with an order.
  private mutating func keep(_ hidden: RowID, at order: RowOrder) {
    place(hidden, at: InsertionPoint(order: order, behind: slots[hidden]?.behind))
  }

  private mutating func move(at index: Int, to slot: RowOrder) {
    entries.rename(at: entries.orders[index]) { $0.slot = slot }
    slots[entries.rows[index].id]?.order = slot
  }

  /// Gives the places in a range of orders new orders.
  ///
  /// Their sequence stays the same.
  mutating func renumber(_ range: ClosedRange<RowOrder>, by slot: (RowOrder) -> RowOrder) {
    let shown = count(above: range.lowerBound)
    var index = shown
    while index < entries.count, range.contains(entries.rows[index].slot) {
      move(at: index, to: slot(entries.rows[index].slot))
      index += 1
    }
    for (order, ids) in away where range.contains(order) {
      for id in ids { keep(id, at: slot(order)) }
    }
  }
}

extension OrderedTree {
  /// Changes a row in its place.
  fileprivate mutating func rename(at order: RowOrder, _ change: (inout Row) -> Void) {
    var row = rows[index(of: order)]
    change(&row)
    update(row, at: order)
  }
}
