internal import FreshetLists

/// The pure value at the heart of a feed: what answers proved of a list that lives elsewhere.
///
/// Nothing of the user's is in it: edits, rows that wait and where the reader is are presentation.
/// Rows that it let go to save memory are on disk, and gaps represent them.
///
/// Rows stand in **segments**, runs whose neighbours came from one answer or from answers proven
/// adjacent (rule T1), with explicit **gaps** between them (rule T2). Rows that ended a page know
/// the key of the page that continues them. No clock, no I/O: the same answers in the same order
/// give the same timeline.
struct Timeline: Sendable {
  private(set) var content = OrderedRows<ListRow<AnyItem>>()
  /// The order of each gap.
  private(set) var gaps = GapIndex()
  /// What is known of the pages that began or ended with an item.
  private(set) var marks: [RowID: PageBoundary] = [:]
  /// Whether the order of the list is known, so that keys which are not exact matter.
  var isSorted = false
  private(set) var head = FeedEnd.unknown
  private(set) var tail = FeedEnd.unknown
  /// The rows that no answer has included yet.
  var unproven = UnprovenRows()
  /// What changes the timeline next.
  var trace: Shared<RowTrace>?
  private var places: [RowID: TimelinePlace] = [:]
  private var lastGap = 0
  /// The rows that are on disk alone.
  private(set) var evicted = EvictedRows()

  var rows: RowTree<ListRow<AnyItem>> { content.rows }
  var count: Int { content.count }

  /// What is wrong with it, in words; `nil` where nothing is.
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

  /// The index of an item among rows and gaps.
  ///
  /// - Complexity: O(log *n*).
  func index(of id: RowID) -> Int? {
    guard let order = order(of: id) else { return nil }
    return content.orders.index(from: order)
  }

  /// The order of an item.
  func order(of id: RowID) -> RowOrder? { places[id]?.order }

  /// What put an item where it is.
  func trace(of id: RowID) -> RowTrace? { places[id]?.trace?.value }

  /// The index of a gap among rows and gaps.
  func index(ofGap gap: Gap.ID) -> Int? { gaps[gap].map(content.index(of:)) }

  // MARK: - Changing

  /// Makes the rows in `range` be `rows`, where those that name an index stay at their order.
  ///
  /// Items that stand elsewhere in the timeline move here; those in `leavingGaps` leave a gap where
  /// they were. Rows in the range that are not kept are removed; a gap among the new rows is given
  /// a place with room on both sides.
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
    // Counted: in code for any item, each row of a zipped or lazy sequence costs more than its
    // work.
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

  /// Gives an item other contents, where it stands.
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

  /// Keys what is known of an item by the id of its newest version: an id may keep its item.
  private mutating func renew(_ id: RowID) {
    if let place = places.removeValue(forKey: id) { places[id] = place }
    if let mark = marks.removeValue(forKey: id) { marks[id] = mark }
  }

  /// Takes an item from where it stands outside of a range, and puts a gap there or not.
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

  /// Notes what is known of a page that began or ended with an item.
  ///
  /// That a page is known to be younger is not worth storing by itself.
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

  /// Notes which page leads up to an item.
  mutating func lead(to id: RowID, by key: PageKey) {
    var edit = TimelineEdit()
    mark(id, &edit) { $0.previous = key }
  }

  /// Notes that a row which began or ended an answer is what it was there, in a sorted list.
  mutating func noteAnswered(_ id: RowID, _ end: WritableKeyPath<PageBoundary, Bool>) {
    if isSorted { marks[id]?[keyPath: end] = true }
  }

  /// A row is no longer what it was in an answer that it began or ended.
  private mutating func forgetAnswered(_ id: RowID) {
    guard isSorted, let mark = marks[id] else { return }
    if mark.isNextExact || mark.isPreviousExact { marks[id] = mark.stored }
  }

  /// Forgets a key that no longer leads anywhere, or all keys.
  mutating func forget(_ key: PageKey?) {
    for (id, mark) in marks {
      if key == nil || mark.next == key { marks[id]?.next = nil }
      if key == nil || mark.previous == key { marks[id]?.previous = nil }
    }
  }

  /// Notes what is known of the ends of the list.
  mutating func setEnds(
    _ newHead: FeedEnd?, _ newTail: FeedEnd?, _ edit: inout TimelineEdit
  ) {
    if newHead ?? head != head || newTail ?? tail != tail { edit.changesEnds = true }
    head = newHead ?? head
    tail = newTail ?? tail
  }

  /// The gap behind the last item: the rows it stands for are on disk.
  var endGap: Gap? { rows.last?.gap }

  /// A gap that no gap of this timeline was before.
  mutating func makeGap() -> Gap {
    lastGap += 1
    return Gap(id: lastGap)
  }

  /// Puts a new gap in the place of one that stood for rows on disk: others stand around it by now.
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

  /// Takes gaps out that stand for nothing.
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

  /// Works on the rows that are on disk alone, beside those in memory: meanwhile they are taken
  /// out.
  mutating func withEvicted<Result>(
    _ work: (inout EvictedRows, inout Timeline) -> Result
  ) -> Result {
    var rows = EvictedRows()
    swap(&rows, &evicted)
    defer { swap(&rows, &evicted) }
    return work(&rows, &self)
  }

  // MARK: - Orders

  /// Numbers the rows around a range anew, so that there is room for so many between any two; all
  /// of them where the numbers at one end are used up.
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

  /// Gives unproven rows that were renumbered their new orders.
  private mutating func renumber(
    _ doubted: [ClosedRange<RowOrder>], around renumbering: Renumbering
  ) {
    guard renumbering.count > 0 else { return }
    // Those around them kept theirs.
    let first = content.index(of: renumbering.order(renumbering.range.lowerBound))
    let end = first + renumbering.count
    let above = first > 0 ? content.orders[first - 1] : .min
    let below = end < count ? content.orders[end] : .max
    unproven.remove((above == .min ? .min : above + 1)...(below == .max ? .max : below - 1))
    for orders in doubted { markUnproven(orders) }
  }
}

/// Where an item stands in a timeline, whatever it is.
private struct TimelinePlace {
  var order: RowOrder
  /// What put the item there; rows of one page share it.
  var trace: Shared<RowTrace>?
}

/// A row to stand in a timeline.
struct NewRow {
  let row: ListRow<AnyItem>
  /// The index at which the row stands already and stays.
  var keeps: Int?
}
