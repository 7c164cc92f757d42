internal import FreshetLists

/// A pure value that holds what the source's answers have proven about a list.
///
/// It holds no user state: edits, held-back rows and the reader's position are in `Presentation`.
/// Rows that were evicted to save memory are on disk, and gaps represent them.
///
/// Rows form **segments**: runs whose neighbours are from one answer, or from answers proven
/// adjacent (rule T1). Explicit **gaps** separate the segments (rule T2). A row that ended a page
/// keeps the key of the page that continues it. There is no clock and no I/O: the same answers in
/// the same order give the same timeline.
struct Timeline: Sendable {
  private(set) var content = OrderedRows<ListRow<AnyItem>>()
  /// The order of each gap.
  private(set) var gaps = GapIndex()
  /// The known page boundaries, by the item that began or ended a page.
  private(set) var marks = PageBoundaries()
  /// Whether the order of the list is known.
  ///
  /// Only then does it matter if page keys are exact.
  var isSorted = false
  private(set) var head = FeedEnd.unknown
  private(set) var tail = FeedEnd.unknown
  /// The rows that no answer has included yet.
  var unproven = UnprovenRows()
  /// The cause that the next change records for the rows it inserts.
  var trace: Shared<RowTrace>?
  private var places: [RowID: TimelinePlace] = [:]
  private var lastGap = 0
  /// The rows that are only on disk.
  private(set) var evicted = EvictedRows()

  var rows: RowTree<ListRow<AnyItem>> { content.rows }
  var count: Int { content.count }

  /// A description of an invariant that is broken; `nil` if all of them hold.
  ///
  /// - Complexity: O(1).
  var brokenInvariant: String? {
    if count != places.count + gaps.count {
      return "\(count) rows of \(places.count) items and \(gaps.count) gaps"
    }
    if evicted.runs.count > gaps.count {
      return "\(evicted.runs.count) runs of rows on disk, and \(gaps.count) gaps"
    }
    return marks.count > places.count ? "\(marks.count) marks of \(places.count) items" : nil
  }

  /// Returns the index of an item among rows and gaps.
  ///
  /// - Complexity: O(log *n*).
  func index(of id: RowID) -> Int? {
    guard let order = order(of: id) else { return nil }
    return content.orders.index(from: order)
  }

  /// Returns the order of an item.
  func order(of id: RowID) -> RowOrder? { places[id]?.order }

  /// Returns what put an item at its position.
  func trace(of id: RowID) -> RowTrace? { places[id]?.trace?.value }

  /// Returns the index of a gap among rows and gaps.
  func index(ofGap gap: Gap.ID) -> Int? { gaps[gap].map(content.index(of:)) }

  // MARK: - Changing

  /// Replaces the rows in `range` with `newRows`.
  ///
  /// A new row that names an index (`NewRow.keeps`) stays at the order of the row there. Rows in
  /// the range that are not kept are removed.
  ///
  /// An item that is elsewhere in the timeline moves here. It leaves a gap at its old position if
  /// it is in `leavingGaps`. A gap among the new rows gets an order with room on both sides.
  mutating func replace(
    _ range: Range<Int>, with newRows: [NewRow], leavingGaps: Set<RowID> = [],
    head newHead: FeedEnd? = nil, tail newTail: FeedEnd? = nil
  ) -> TimelineEdit {
    guard let orders = orders(for: newRows, in: range) else {
      let orders = makeRoom(for: newRows.count, in: range)
      let before = content
      var edit = replace(
        range, with: newRows, leavingGaps: leavingGaps, head: newHead, tail: newTail)
      edit.renumbered = (orders, before)
      return edit
    }
    var edit = TimelineEdit()
    let kept = range.isEmpty ? [] : Set(newRows.compactMap { $0.keeps })
    for index in range where !kept.contains(index) {
      edit.removed.append((content.orders[index], rows[index]))
    }
    edit.inserted.reserveCapacity(newRows.count - kept.count)
    // An index loop: in code for type-erased items, each row of a zipped or lazy sequence costs
    // more than the work for it.
    for place in newRows.indices {
      let (row, order) = (newRows[place].row, orders[place])
      if let kept = newRows[place].keeps {
        if rows[kept] != row { edit.updated.append((order, rows[kept], row)) }
        continue
      }
      switch row {
      case .item(let item):
        let leavesGap = !leavingGaps.isEmpty && leavingGaps.contains(item.id)
        if places[item.id] != nil { takeAway(item.id, outside: range, leavesGap, &edit) }
      case .gap(let gap): gaps[gap.id] = order
      }
      edit.inserted.append((order, row))
    }
    edit.removed.sort { $0.order < $1.order }
    if !leavingGaps.isEmpty { edit.inserted.sort { $0.order < $1.order } }
    perform(edit)
    setEnds(newHead, newTail, &edit)
    dropNeedlessGaps(&edit)
    return edit
  }

  /// Replaces the contents of an item, which keeps its position.
  ///
  /// - Complexity: O(log *n*).
  mutating func update(_ item: AnyItem) -> TimelineEdit {
    var edit = TimelineEdit()
    guard let order = order(of: item.id) else { return edit }
    let old = rows[content.index(of: order)]
    guard old != .item(item) else { return edit }
    edit.updated = [(order, old, .item(item))]
    content.update(.item(item), at: order)
    renew(item.id)
    forgetAnswered(item.id)
    return edit
  }

  /// Stores what is known of an item under the id of its newest version.
  ///
  /// An id may retain its item, so the old id could keep an old version in memory.
  private mutating func renew(_ id: RowID) {
    if let place = places.removeValue(forKey: id) { places[id] = place }
    if let mark = marks.removeValue(forKey: id) { marks[id] = mark }
  }

  /// Removes an item that is outside of a range, and leaves a gap in its place if asked to.
  private mutating func takeAway(
    _ id: RowID, outside range: Range<Int>, _ leavesGap: Bool, _ edit: inout TimelineEdit
  ) {
    guard let order = order(of: id) else { return }
    let index = content.index(of: order)
    if range.contains(index) { return }
    edit.removed.append((order, rows[index]))
    guard leavesGap else { return }
    let gap = makeGap()
    gaps[gap.id] = order
    edit.inserted.append((order, .gap(gap)))
  }

  /// Changes what is known of a page that began or ended with an item.
  ///
  /// Only a changed key is recorded in the edit. A newer `fetchedAt` alone is not worth storing.
  mutating func mark(
    _ id: RowID, _ edit: inout TimelineEdit, _ change: (inout PageBoundary) -> Void
  ) {
    guard let order = order(of: id) else { return }
    let old = marks[id] ?? PageBoundary()
    var new = old
    change(&new)
    if new.next != old.next { new.isNextExact = false }
    if new.previous != old.previous { new.isPreviousExact = false }
    marks[id] = new == PageBoundary() ? nil : new
    if (new.next, new.previous) != (old.next, old.previous) { edit.keyed.append(order) }
  }

  /// Records the key of the page that leads up to an item.
  mutating func lead(to id: RowID, by key: PageKey) {
    var edit = TimelineEdit()
    mark(id, &edit) { $0.previous = key }
  }

  /// Records that a row still has the contents that it had in the answer it began or ended.
  ///
  /// Only sorted lists need this.
  mutating func noteAnswered(_ id: RowID, _ end: WritableKeyPath<PageBoundary, Bool>) {
    if isSorted { marks[id]?[keyPath: end] = true }
  }

  /// Records that a row differs from its version in the answer that it began or ended.
  private mutating func forgetAnswered(_ id: RowID) {
    guard isSorted, let mark = marks[id] else { return }
    if mark.isNextExact || mark.isPreviousExact { marks[id] = mark.stored }
  }

  /// Forgets a page key that no longer leads anywhere, or all page keys if `key` is `nil`.
  mutating func forget(_ key: PageKey?) { marks.forget(key) }

  /// Updates what is known of the ends of the list.
  mutating func setEnds(
    _ newHead: FeedEnd?, _ newTail: FeedEnd?, _ edit: inout TimelineEdit
  ) {
    if newHead ?? head != head || newTail ?? tail != tail { edit.changesEnds = true }
    head = newHead ?? head
    tail = newTail ?? tail
  }

  /// The gap after the last item, which represents rows on disk.
  var endGap: Gap? { rows.last?.gap }

  /// Creates a gap with an id that this timeline has not used before.
  mutating func makeGap() -> Gap {
    lastGap += 1
    return Gap(id: lastGap)
  }

  /// Replaces a gap that represents rows on disk with a new one.
  ///
  /// The rows around it are other ones by now.
  mutating func replaceGap(_ id: Gap.ID, _ edit: inout TimelineEdit) {
    guard let order = gaps[id] else { return }
    let (old, new) = (content.rows[content.index(of: order)], makeGap())
    gaps[id] = nil
    gaps[new.id] = order
    content.update(.gap(new), at: order)
    edit.updated.removeAll { $0.order == order }
    if let index = edit.inserted.firstIndex(where: { $0.order == order }) {
      edit.inserted[index].row = .gap(new)
    } else {
      edit.removed.append((order, old))
      edit.inserted.append((order, .gap(new)))
      edit.removed.sort { $0.order < $1.order }
      edit.inserted.sort { $0.order < $1.order }
    }
  }

  private mutating func perform(_ edit: TimelineEdit) {
    content.remove(edit.removed.map { $0.order })
    for (_, row) in edit.removed {
      switch row {
      case .item(let item):
        places[item.id] = nil
        marks[item.id] = nil
      case .gap(let gap):
        gaps[gap.id] = nil
      }
    }
    content.insert(edit.inserted)
    if edit.inserted.count > places.count {
      places.reserveCapacity(places.count + edit.inserted.count)
    }
    for place in edit.inserted.indices {
      let (order, row) = edit.inserted[place]
      if case .item(let item) = row {
        places[item.id] = TimelinePlace(order: order, trace: trace)
      }
    }
    for (order, _, row) in edit.updated {
      content.update(row, at: order)
      if let id = row.item?.id {
        renew(id)
        forgetAnswered(id)
      }
    }
  }

  /// Removes gaps that represent nothing.
  mutating func drop(
    _ dropped: [(order: RowOrder, row: ListRow<AnyItem>)], _ edit: inout TimelineEdit
  ) {
    let inserted = Set(edit.inserted.lazy.map(\.order))
    let orders = Set(dropped.lazy.map(\.order))
    edit.inserted.removeAll { orders.contains($0.order) }
    edit.removed += dropped.filter { !inserted.contains($0.order) }
    edit.removed.sort { $0.order < $1.order }
    content.remove(dropped.map(\.order))
    for (_, row) in dropped { if let gap = row.gap { gaps[gap.id] = nil } }
  }

  /// Calls a closure with the evicted rows and the timeline.
  ///
  /// During the call, the timeline itself has no evicted rows.
  mutating func withEvicted<Result>(
    _ work: (inout EvictedRows, inout Timeline) -> Result
  ) -> Result {
    var rows = EvictedRows()
    swap(&rows, &evicted)
    defer { swap(&rows, &evicted) }
    return work(&rows, &self)
  }

  // MARK: - Orders

  /// Renumbers the rows around a range, so that `added` rows fit between any two of them.
  ///
  /// If the numbers at one end are used up, it renumbers all rows.
  private mutating func makeRoom(for added: Int, in range: Range<Int>) -> Renumbering {
    var renumbering = Renumbering()
    let old = unproven
    var (doubted, wasDoubted) = ([ClosedRange<RowOrder>](), false)
    let isUsedUp = [content.orders.first, content.orders.last].contains { abs($0 ?? 0) > 1 << 60 }
    content.makeRoom(for: added, in: isUsedUp ? 0..<count : range) { row, before, new in
      renumbering.note(before, new)
      let isDoubted = old.contains(before)
      if isDoubted {
        let start = wasDoubted ? doubted.removeLast().lowerBound : new
        doubted.append(start...new)
      }
      wasDoubted = isDoubted
      switch row {
      case .item(let item): places[item.id]?.order = new
      case .gap(let gap): gaps[gap.id] = new
      }
    }
    if !old.isEmpty { renumber(doubted, around: renumbering) }
    return renumbering
  }

  /// Updates the orders of unproven rows that were renumbered.
  private mutating func renumber(
    _ doubted: [ClosedRange<RowOrder>], around renumbering: Renumbering
  ) {
    guard renumbering.count > 0 else { return }
    // The rows around the renumbered ones kept their orders.
    let first = content.index(of: renumbering.order(renumbering.range.lowerBound))
    let end = first + renumbering.count
    let above = first > 0 ? content.orders[first - 1] : .min
    let below = end < count ? content.orders[end] : .max
    unproven.remove((above == .min ? .min : above + 1)...(below == .max ? .max : below - 1))
    for orders in doubted { markUnproven(orders) }
  }
}

/// The position of an item in a timeline, independent of the item's contents.
private struct TimelinePlace {
  var order: RowOrder
  /// The cause of the item's position.
  ///
  /// Rows of one page share it.
  var trace: Shared<RowTrace>?
}

/// A row to insert into a timeline, or to keep there.
struct NewRow {
  let row: ListRow<AnyItem>
  /// The index of the row that this one replaces in place; `nil` for an insertion.
  var keeps: Int?
}
