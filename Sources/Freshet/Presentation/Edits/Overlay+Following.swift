internal import FreshetLists

// Changes of the rows when the timeline or the edits change.
extension Overlay {
  /// Applies changes of the timeline and of the edits.
  ///
  /// - Parameters:
  ///   - edit: the changes of the timeline.
  ///   - step: the same changes by index.
  ///   - before: the timeline's rows before, with the orders they have now.
  ///   - timeline: the timeline after.
  /// - Returns: the edits of the rows.
  /// - Complexity: O(*k* log *n*) for *k* rows changed.
  mutating func apply(
    _ edit: TimelineEdit, _ step: RowEdits, from before: OrderedRows<Row>,
    to timeline: Timeline
  ) -> RowEdits {
    var ids = edits.takeChanged().union(replaced)
    if !edits.isEmpty {
      edit.forEachItem { id in
        guard edits.contains(id) else { return }
        ids.insert(id)
        edits.noteRead(id)
      }
    }
    guard !(ids.isEmpty && showsTimeline) else {
      rows = timeline.rows
      return step
    }
    for id in ids where timeline.order(of: id) == nil { edits.forgetAnswer(of: id) }
    var change = Change(edit, timeline)
    for id in ids { change.items[id] = edits.appearance(of: id, over: timeline.item(id)) }
    leave(&change, edit, step, before)
    settle(change, edit)
    come(&change, edit, step)
    show(change)
    replaced = []
    for id in ids where !edits.contains(id) { places.place(id, at: nil) }
    return change.edits
  }

  /// The changes of the rows in one step.
  struct Change {
    let timeline: Timeline
    /// The items whose edits or answers changed, and how they appear now.
    var items: [RowID: PendingEdits.EffectiveItem] = [:]
    /// The orders of the timeline's rows that are new.
    private(set) var new: Set<RowOrder> = []
    /// The orders of the rows that were removed from the timeline.
    private(set) var removed: [RowID: RowOrder] = [:]
    /// The rows that leave their place, as indices before, with their old contents if needed.
    var left: [(index: Int, id: RowID?, row: Row?)] = []
    /// The rows that are inserted at a place, as indices after.
    var came: [(index: Int, row: Row)] = []
    /// The rows that change in their place.
    var updated: [(index: Int, row: Row)] = []
    /// The old contents of items that may change and that keep their place.
    var staying: [RowID: Row] = [:]

    init(_ edit: TimelineEdit, _ timeline: Timeline) {
      self.timeline = timeline
      for (order, _) in edit.inserted { new.insert(order) }
      for (order, row) in edit.removed { if let id = row.item?.id { removed[id] = order } }
    }
  }

  /// Finds the rows that leave their place, while all rows are still at their old positions.
  private func leave(
    _ change: inout Change, _ edit: TimelineEdit, _ step: RowEdits, _ before: OrderedRows<Row>
  ) {
    func leave(_ index: Int, _ id: RowID?, stays: Bool = false) {
      let mayChange = id.map { change.items[$0] != nil } ?? false
      let row = mayChange ? rows[index] : nil
      if let id, stays { change.staying[id] = row } else { change.left.append((index, id, row)) }
    }
    for (index, (order, row)) in zip(step.deleted, edit.removed) where !isHidden(order) {
      leave(position(of: order, at: index), row.item?.id)
    }
    for (id, appearance) in change.items {
      if let order = change.staying(id), !isHidden(order) {
        let index = position(of: order, at: before.index(of: order))
        leave(index, id, stays: appearance.isShown(placed: false))
      }
      if let entry = places.index(of: id) {
        let stays = appearance.isShown(placed: true) && !replaced.contains(id)
        leave(position(ofPlaced: entry, in: before), id, stays: stays)
      }
    }
  }

  /// Updates which rows are hidden and which items are placed.
  private mutating func settle(_ change: Change, _ edit: TimelineEdit) {
    for (order, _) in edit.removed { hide(order, false) }
    for (id, appearance) in change.items {
      let answered = change.timeline.order(of: id)
      note(id, appearance, over: change.timeline.item(id))
      if let answered { hide(answered, !appearance.isShown(placed: false)) }
      let isShown = appearance.isShown(placed: true)
      if isPlaced(id) {
        if isShown, !replaced.contains(id) { continue }
        places.hide(id, keepsPlace: !replaced.contains(id))
      } else if answered == nil, appearance.isPlaced, let order = change.removed[id] {
        // The answers had the item, and no longer do: it stays at its old position.
        place(id, at: InsertionPoint(order: order))
      }
      if isShown { places.show(id) }
    }
  }

  /// Finds the rows that are inserted at a place, and those that change in their place.
  private func come(_ change: inout Change, _ edit: TimelineEdit, _ step: RowEdits) {
    for (index, (order, row)) in zip(step.inserted, edit.inserted) where !isHidden(order) {
      let shown = row.item.flatMap { change.items[$0.id]?.item }.map(Row.item) ?? row
      change.came.append((position(of: order, at: index), shown))
    }
    for (index, (order, _, row)) in zip(step.updated, edit.updated)
    where !isHidden(order) && row.item.map({ change.items[$0.id] == nil }) ?? true {
      change.updated.append((position(of: order, at: index), row))
    }
    for (id, appearance) in change.items {
      guard let item = appearance.item, let index = index(of: id, appearance, change) else {
        continue
      }
      guard let before = change.staying[id] else {
        change.came.append((index, .item(item)))
        continue
      }
      if before != .item(item) { change.updated.append((index, .item(item))) }
    }
    change.left.sort { $0.index < $1.index }
    change.came.sort { $0.index < $1.index }
    change.updated.sort { $0.index < $1.index }
  }

  /// Updates the rows, or uses the timeline's own if no edit has a visible effect.
  private mutating func show(_ change: Change) {
    if showsTimeline { return rows = change.timeline.rows }
    let edits = RowEdits(
      deleted: change.left.map { $0.index }, inserted: change.came.map { $0.index })
    rows.perform(edits) { index in change.came[edits.inserted.partition { $0 >= index }].row }
    for (index, row) in change.updated { rows.update(row, at: index) }
  }

  /// Returns the index of a shown item, unless it is at a row that the timeline just inserted.
  private func index(
    of id: RowID, _ appearance: PendingEdits.EffectiveItem, _ change: Change
  ) -> Int? {
    guard !appearance.isPlaced else {
      return places.index(of: id).map { position(ofPlaced: $0, in: change.timeline.content) }
    }
    return change.staying(id).map { position(of: $0, at: change.timeline.content.index(of: $0)) }
  }
}

extension Overlay.Change {
  /// Returns the order of an item's row, if the timeline had that row before too.
  func staying(_ id: RowID) -> RowOrder? {
    timeline.order(of: id).flatMap { new.contains($0) ? nil : $0 }
  }

  /// The edits of the rows.
  ///
  /// A row that is at the same position because of an answer instead of an edit, or the other way
  /// round, did not move.
  var edits: RowEdits {
    var (stayed, kept, changed): (Set<Int>, Set<Int>, [Int]) = ([], [], updated.map { $0.index })
    for (old, new) in items.isEmpty ? [] : returns {
      stayed.insert(old)
      kept.insert(new)
      if left[old].row != came[new].row { changed.append(came[new].index) }
    }
    return RowEdits(
      deleted: left.indices.filter { !stayed.contains($0) }.map { left[$0].index },
      inserted: came.indices.filter { !kept.contains($0) }.map { came[$0].index },
      updated: changed.sorted())
  }

  /// The rows that left and were inserted at the same position among the rows that did neither.
  private var returns: [(old: Int, new: Int)] {
    var places: [RowID: Int] = [:]
    for (place, row) in left.enumerated() { if let id = row.id { places[id] = place } }
    var ranks: [Int: [(old: Int, new: Int)]] = [:]
    for (new, (index, row)) in came.enumerated() {
      guard let id = row.item?.id, items[id] != nil, let old = places[id],
        left[old].index - old == index - new
      else { continue }
      ranks[index - new, default: []].append((old, new))
    }
    return ranks.values.filter { $0.count == 1 }.flatMap { $0 }
  }
}

extension TimelineEdit {
  /// Calls a closure for each item among the changed rows, more than once for a moved item.
  fileprivate func forEachItem(_ body: (RowID) -> Void) {
    for (_, row) in removed { if let item = row.item { body(item.id) } }
    for (_, row) in inserted { if let item = row.item { body(item.id) } }
    for (_, _, row) in updated { if let item = row.item { body(item.id) } }
  }
}
