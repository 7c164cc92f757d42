internal import FreshetLists

/// The rows of a timeline with the user's edits over them.
///
/// The timeline holds what answers proved, and nothing of this: an item that is being deleted stands there
/// and is hidden here, one that is being made stands here alone. Where nothing is edited, the rows are the
/// timeline's own.
struct Overlay<Item: ListItem>: Sendable {
  typealias Row = FeedRow<Item>

  var edits = PendingEdits<Item>()
  var rows: RowTree<Row> = []
  /// The items that stand where an edit put them, each behind the timeline's row of an order, as they
  /// stand.
  var placed: [(slot: RowOrder, id: Item.ID)] = []
  /// The orders of the timeline's rows that are hidden, ascending.
  var hidden: [RowOrder] = []
  /// Where items stand that an edit put somewhere, shown or not.
  var slots: [Item.ID: Slot] = [:]
  /// The placed items that are to go elsewhere.
  var replaced: Set<Item.ID> = []
  /// Whether orders that changed in the step at hand are known.
  var isRenumbered = false

  /// A place that an edit names.
  struct Slot: Sendable {
    /// The order of the timeline's row above; the place stays when that row goes.
    var order: RowOrder
    /// The placed item above, if there is one between.
    var behind: Item.ID?

    /// Above all rows.
    static var top: Slot { Slot(order: .min) }
  }

  // MARK: - Places

  /// Where an item is shown, among all rows.
  ///
  /// - Complexity: O(log *n* + placed).
  func index(of id: Item.ID, in timeline: Timeline<Item>) -> Int? {
    if let index = placed.firstIndex(where: { $0.id == id }) {
      return position(ofPlaced: index, in: timeline.content)
    }
    return timeline.order(of: id).flatMap { index(of: $0, in: timeline) }
  }

  /// Where a row of the timeline is shown.
  func index(of order: RowOrder, in timeline: Timeline<Item>) -> Int? {
    isHidden(order) ? nil : position(of: order, at: timeline.content.index(of: order))
  }

  /// Where the timeline would have an item that is shown: the index of the first row behind it.
  func timelineIndex(of id: Item.ID, in timeline: Timeline<Item>) -> Int? {
    if let index = timeline.index(of: id) { return index }
    return placed.first { $0.id == id }.map { timeline.content.index(behind: $0.slot) }
  }

  /// The place behind an item, or above all rows.
  func slot(behind id: Item.ID?, in timeline: Timeline<Item>) -> Slot? {
    guard let id else { return .top }
    if let entry = placed.first(where: { $0.id == id }) {
      return Slot(order: entry.slot, behind: id)
    }
    return timeline.order(of: id).map { Slot(order: $0) }
  }

  /// The order of the timeline's row behind which an edit put an item.
  func slot(of id: Item.ID) -> RowOrder {
    placed.first { $0.id == id }?.slot ?? slots[id]?.order ?? .min
  }

  /// Whether an item stands where an edit put it.
  func isPlaced(_ id: Item.ID) -> Bool { placed.contains { $0.id == id } }

  /// Says where an item stands that an edit puts somewhere.
  mutating func place(_ id: Item.ID, at slot: Slot) {
    if isPlaced(id) { replaced.insert(id) }
    slots[id] = slot
  }

  /// An item is another one now, in its place.
  mutating func rename(_ id: Item.ID, to other: Item.ID) {
    guard id != other else { return }
    if let slot = slots.removeValue(forKey: id) { slots[other] = slot }
    if replaced.remove(id) != nil { replaced.insert(other) }
    if let index = placed.firstIndex(where: { $0.id == id }), !isPlaced(other) {
      placed[index].id = other
    }
  }

  /// The timeline got a row where an edit put an item: what stood behind the item stands behind the row.
  ///
  /// - Parameters:
  ///   - id: the item; `nil` for a row that comes first behind the one above it.
  ///   - slot: the order of the timeline's row above.
  ///   - item: the item of the new row. Where it had one before, the others stay where they are.
  ///   - before: the timeline's rows before.
  mutating func rebind(
    behind id: Item.ID?, from slot: RowOrder, to item: Item.ID, _ edit: TimelineEdit<Item>,
    from before: OrderedRows<Row>
  ) {
    guard let row = edit.inserted.first(where: { $0.row.item?.id == item }) else { return }
    var slot = slot
    if let renumbered = edit.renumbered {
      slot = self.slot(slot, renumbered.orders, from: before)
      renumber(renumbered.orders, from: before)
    }
    rebind(behind: id, from: slot, to: row.order)
  }

  private mutating func rebind(behind id: Item.ID?, from slot: RowOrder, to order: RowOrder) {
    let start = id.map { id in placed.firstIndex { $0.id == id }.map { $0 + 1 } } ?? 0
    guard let start else { return }
    for index in start..<placed.count where placed[index].slot == slot {
      placed[index].slot = order
      slots[placed[index].id]?.order = order
    }
    // So do those that are hidden for now.
    var above: Set<Item.ID> = []
    if let id { above.insert(id) }
    while let (hidden, _) = slots.first(where: { entry in
      entry.value.order == slot && !isPlaced(entry.key) && entry.key != id
        && (id == nil || entry.value.behind.map(above.contains) ?? false)
    }) {
      slots[hidden]?.order = order
      above.insert(hidden)
    }
  }

  /// Lets the items at the very top keep to the row below them: what comes above that row comes above
  /// them.
  mutating func bindTop(to timeline: Timeline<Item>) {
    guard let first = timeline.content.orders.first else { return }
    rebind(behind: nil, from: .min, to: first - 1)
  }

  func isHidden(_ order: RowOrder) -> Bool {
    let index = hidden.partition { $0 >= order }
    return index < hidden.count && hidden[index] == order
  }

  func position(of order: RowOrder, at index: Int) -> Int {
    index - hidden.partition { $0 >= order } + placed.partition { $0.slot >= order }
  }

  func position(ofPlaced index: Int, in content: OrderedRows<Row>) -> Int {
    let slot = placed[index].slot
    return content.index(behind: slot) - hidden.partition { $0 > slot } + index
  }

  /// Rows of the timeline have other orders now.
  ///
  /// - Parameter before: the timeline's rows with the orders they had.
  ///
  /// Does nothing where it was done for the step at hand.
  mutating func renumber(_ orders: Renumbering, from before: OrderedRows<Row>) {
    if isRenumbered { return }
    isRenumbered = true
    if hidden.isEmpty, placed.isEmpty, slots.isEmpty { return }
    hidden = hidden.map(orders.order(_:))
    placed = placed.map { (slot($0.slot, orders, from: before), $0.id) }
    slots = slots.mapValues {
      Slot(order: slot($0.order, orders, from: before), behind: $0.behind)
    }
  }

  /// What becomes of a place.
  private func slot(
    _ slot: RowOrder, _ orders: Renumbering, from before: OrderedRows<Row>
  ) -> RowOrder {
    let behind = before.index(behind: slot)
    if slot == .min || before.count == 0 { return slot }
    if behind > 0, before.orders[behind - 1] == slot { return orders.order(slot) }
    // It keeps to the row below it, or to the last one.
    return behind < before.count
      ? orders.order(before.orders[behind]) - 1 : orders.order(before.orders[behind - 1]) + 1
  }
}
