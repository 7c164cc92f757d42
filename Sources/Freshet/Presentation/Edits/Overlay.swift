internal import FreshetLists

/// The rows of a timeline with the user's edits over them.
///
/// The timeline holds what answers proved, and no edits. An item that is being deleted is in the
/// timeline and hidden here. An item that is being created is only here. If nothing is edited, the
/// rows are the timeline's own.
struct Overlay: Sendable {
  typealias Row = ListRow<AnyItem>

  var edits = PendingEdits()
  var rows: RowTree<Row> = []
  /// The places where edits put items.
  var places = PlacementIndex()
  /// The orders of the timeline's rows that are hidden, ascending.
  private var hidden: CountedTree<RowOrder> = []
  /// The items at their positions in the timeline whose contents are changed by edits.
  private var changed: Set<RowID> = []
  /// The placed items that are to move elsewhere.
  var replaced: Set<RowID> = []
  /// Whether the orders that changed in the current step were already applied.
  var isRenumbered = false

  typealias InsertionPoint = PlacementIndex.InsertionPoint

  // MARK: - Places

  /// Returns the index of an item among all rows, if it is shown.
  ///
  /// - Complexity: O(log *n*).
  func index(of id: RowID, in timeline: Timeline) -> Int? {
    if let index = places.index(of: id) { return position(ofPlaced: index, in: timeline.content) }
    return timeline.order(of: id).flatMap { index(of: $0, in: timeline) }
  }

  /// Returns the index of a row of the timeline among all rows, if it is not hidden.
  func index(of order: RowOrder, in timeline: Timeline) -> Int? {
    isHidden(order) ? nil : position(of: order, at: timeline.content.index(of: order))
  }

  /// Returns the index of a shown item in the timeline, or of the first row after its place.
  func timelineIndex(of id: RowID, in timeline: Timeline) -> Int? {
    timeline.index(of: id) ?? places.shownSlot(of: id).map(timeline.content.index(behind:))
  }

  /// Returns the place after an item; `nil` if the item is not there.
  func slot(behind id: RowID, in timeline: Timeline) -> InsertionPoint? {
    if let slot = places.shownSlot(of: id) { return InsertionPoint(order: slot, behind: id) }
    return timeline.order(of: id).map { InsertionPoint(order: $0) }
  }

  /// Returns whether placed items are between a row of the timeline and a place.
  ///
  /// - Complexity: O(log *n*).
  func isApart(_ order: RowOrder, from slot: InsertionPoint) -> Bool {
    let above = slot.behind.flatMap(places.index(of:)).map { $0 + 1 }
    return above ?? places.count(above: slot.order) != places.count(above: order)
  }

  /// Returns whether an item is shown where an edit put it.
  func isPlaced(_ id: RowID) -> Bool { places.contains(id) }

  /// Whether no edit has a visible effect, so that the rows are the timeline's own.
  var showsTimeline: Bool { places.shown.isEmpty && hidden.isEmpty && changed.isEmpty }

  /// Sets the place where an edit puts an item.
  mutating func place(_ id: RowID, at slot: InsertionPoint) {
    if isPlaced(id) { replaced.insert(id) }
    places.place(id, at: slot)
  }

  /// Gives an item another id, at the same place.
  mutating func rename(_ id: RowID, to other: RowID) {
    guard id != other else { return }
    if replaced.remove(id) != nil { replaced.insert(other) }
    places.rename(id, to: other)
  }

  /// Updates places after the timeline got a row for an item that an edit had placed.
  ///
  /// Placed items that were after the item are after the new row from now on.
  ///
  /// - Parameters:
  ///   - id: the item; `nil` for a row that is inserted first after the row above it.
  ///   - slot: the order of the timeline's row above.
  ///   - item: the item of the new row. If the edit did not insert it, all places stay the same.
  ///   - timeline: the timeline with the row.
  ///   - before: the timeline's rows before.
  mutating func rebind(
    behind id: RowID?, from slot: RowOrder, to item: RowID, _ edit: TimelineEdit,
    in timeline: Timeline, from before: OrderedRows<Row>
  ) {
    guard let row = edit.inserted.first(where: { $0.row.item?.id == item }) else { return }
    var slot = slot
    if let renumbered = edit.renumbered {
      slot = Self.slot(slot, renumbered.orders, from: before)
      renumber(renumbered.orders, from: before)
    }
    let (orders, index) = (timeline.content.orders, timeline.content.index(of: row.order))
    let above = index > 0 ? orders[index - 1] : .min
    let below = index + 1 < orders.count ? orders[index + 1] : .max
    places.bind(behind: id, at: slot, to: row.order, around: above..<below)
  }

  /// Binds the items at the very top to the row below them.
  ///
  /// A row that is inserted above that row is then above these items too.
  mutating func bindTop(to timeline: Timeline) {
    guard let first = timeline.content.orders.first else { return }
    places.bindTop(to: first - 1)
  }

  /// Returns whether the source confirmed edits of a page that the timeline does not include yet.
  ///
  /// These are edits of the page's items, and edits that put items between them.
  ///
  /// - Complexity: O(1) if nothing is edited, else O(*m* + log *n*) for a page of *m* rows and the
  ///   items that edits put there.
  func isAhead(of page: [AnyItem], in timeline: Timeline) -> Bool {
    if edits.isEmpty { return false }
    let orders = timeline.content.orders
    let start = page.first.flatMap { timeline.index(of: $0.id) } ?? 0
    let end = min(start + page.count, orders.count)
    let first = start > 0 ? places.count(above: orders[start - 1]) : 0
    let last = end < orders.count ? places.count(above: orders[end]) : places.shown.count
    return page.contains { edits.isAhead(of: $0.id) }
      || places.shown.slice(first..<last).contains { edits.isAhead(of: $0.id) }
  }

  // MARK: - What is hidden

  func isHidden(_ order: RowOrder) -> Bool {
    let index = hidden.partitioningIndex { $0 >= order }
    return index < hidden.count && hidden[index] == order
  }

  /// Records how an item appears, compared with its version in the answers if they have it.
  mutating func note(
    _ id: RowID, _ appearance: PendingEdits.EffectiveItem, over answered: AnyItem?
  ) {
    let isChanged =
      answered != nil && appearance.isShown(placed: false) && appearance.item != answered
    if isChanged { changed.insert(id) } else { changed.remove(id) }
  }

  /// Hides a row of the timeline, or shows it.
  mutating func hide(_ order: RowOrder, _ isHidden: Bool) {
    let index = hidden.partitioningIndex { $0 >= order }
    let wasHidden = index < hidden.count && hidden[index] == order
    if isHidden, !wasHidden { hidden.insert(order, at: index) }
    if !isHidden, wasHidden { hidden.remove(at: index) }
  }

  // MARK: - Positions

  func position(of order: RowOrder, at index: Int) -> Int {
    index - hidden.partitioningIndex { $0 >= order } + places.count(above: order)
  }

  func position(ofPlaced index: Int, in content: OrderedRows<Row>) -> Int {
    let slot = places.shown[index].slot
    return content.index(behind: slot) - hidden.partitioningIndex { $0 > slot } + index
  }

  /// Applies the new orders of renumbered rows of the timeline.
  ///
  /// It does nothing if it was already called in the current step.
  ///
  /// - Parameter before: the timeline's rows with the orders they had.
  /// - Complexity: O(log *n*) for each place and hidden row among those rows.
  mutating func renumber(_ orders: Renumbering, from before: OrderedRows<Row>) {
    if isRenumbered { return }
    isRenumbered = true
    if places.isEmpty && hidden.isEmpty { return }
    let (first, last) = (orders.range.lowerBound, orders.range.upperBound)
    let hiding =
      hidden.partitioningIndex { $0 >= first }..<hidden.partitioningIndex { $0 > last }
    hidden.replaceSubrange(hiding, with: hidden.slice(hiding).map(orders.order(_:)))
    // A place between two rows stays bound to one of them.
    let (above, below) = (before.index(of: first) - 1, before.index(behind: last))
    let low = above < 0 ? RowOrder.min : before.orders[above]
    let high = below < before.count ? before.orders[below] : RowOrder.max
    places.renumber((low + 1)...(high - 1)) { Self.slot($0, orders, from: before) }
  }

  /// Returns the new order of a place.
  private static func slot(
    _ slot: RowOrder, _ orders: Renumbering, from before: OrderedRows<Row>
  ) -> RowOrder {
    let behind = before.index(behind: slot)
    if slot == .min || before.count == 0 { return slot }
    if behind > 0, before.orders[behind - 1] == slot { return orders.order(slot) }
    // It stays bound to the row below it, or to the last row.
    return behind < before.count
      ? orders.order(before.orders[behind]) - 1 : orders.order(before.orders[behind - 1]) + 1
  }
}
