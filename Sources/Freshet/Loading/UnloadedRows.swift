internal import FreshetLists

/// The numbers of rows that are not loaded: above the first row, and in each gap.
///
/// Answers say how many rows are above a page. Rows that are loaded from a gap are subtracted from
/// its size, and rows that are evicted are added to it. Gaps that represent rows on disk have the
/// size of what is there.
struct UnloadedRows: Sendable {
  private var above: RowTotal?
  /// The rows above the first one before the last change, if that made it the head of the list.
  private var aboveBefore: RowTotal?
  /// Whether the loaded rows may have some that the source does not count, or lack others.
  private var hasLocalEdits = false
  /// Whether the first row is the head of the list.
  private var isAtHead = false
  private var sizes: [Gap.ID: RowTotal] = [:]
  /// The sum of `sizes`, and how many of them are not exact.
  private var (sizesSum, inexactSizes) = (0, 0)
  /// The gaps with rows on disk that also represent rows that were never loaded.
  private var uncounted: Set<Gap.ID> = []
  /// The gaps whose sizes changed since the last call of `takeChangedGaps()`.
  private var changed: Set<Gap.ID> = []
  /// The last request before the newest change of the list; answers up to it may lack the change.
  private var changedAfter = -1
  /// Whether these numbers add up to the total; if not, none of them is shown as exact.
  private var balance = TotalBalance()
  /// Whether exact numbers were shown as such.
  private var showsExact = true

  /// The size of a gap that represents no rows on disk.
  private subscript(gap: Gap.ID) -> RowTotal? {
    get { sizes[gap] }
    set {
      let old = sizes[gap]
      if old == newValue { return }
      sizesSum += (newValue?.count ?? 0) - (old?.count ?? 0)
      inexactSizes += (newValue?.isInexact ?? 0) - (old?.isInexact ?? 0)
      sizes[gap] = newValue
      changed.insert(gap)
    }
  }

  // MARK: - Numbers

  /// Returns the number of rows above the first one; `nil` if it is unknown.
  func above(in timeline: Timeline) -> RowTotal? { timeline.head == .end ? .exact(0) : above }

  /// Returns the number of rows after the last one; `nil` if it is unknown.
  ///
  /// - Complexity: O(1).
  func below(of total: RowTotal?, in timeline: Timeline) -> RowTotal? {
    if timeline.tail == .end { return .exact(0) }
    guard let total, let rows = rowsThroughLast(in: timeline) else { return nil }
    if case .atLeast(let count) = total, rows.exact != nil {
      return .atLeast(max(0, count - rows.count))
    }
    return total.removing(rows)
  }

  /// Returns the number of rows from the head of the list through the last loaded one.
  private func rowsThroughLast(in timeline: Timeline) -> RowTotal? {
    let stored = timeline.evicted.runs.count
    guard let above = above(in: timeline), uncounted.isEmpty,
      sizes.count + stored == timeline.gaps.count
    else { return nil }
    let unloaded = above.count + sizesSum + stored + timeline.stored.surplus
    let rows = unloaded + timeline.count - timeline.gaps.count
    let isExact = inexactSizes == 0 && stored == 0 && above.exact != nil && !hasLocalEdits
    return isExact ? .exact(rows) : .estimated(rows)
  }

  /// Returns the number of rows in a gap; `nil` if it is unknown.
  func size(of gap: Gap.ID, in timeline: Timeline) -> RowTotal? {
    guard let run = timeline.evicted.runs[gap] else { return self[gap] }
    return uncounted.contains(gap) ? nil : .estimated(run.count)
  }

  /// Returns the number of rows of the whole list above those at an edge; `nil` if it is unknown.
  ///
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  func rows(above edge: FeedEdge, in timeline: Timeline) -> RowTotal? {
    switch edge {
    case .gap(let id): timeline.index(ofGap: id).flatMap { rows(above: $0, in: timeline) }
    case .next: rows(above: timeline.count, in: timeline)
    case .refresh, .previous, .page, .reread, .jump: nil
    }
  }

  /// Returns the number of rows of the whole list above an index; `nil` if it is unknown.
  ///
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  func rows(above index: Int, in timeline: Timeline) -> RowTotal? {
    let gaps = timeline.gaps(in: 0..<index)
    guard var rows = above(in: timeline) else { return nil }
    for (gap, _) in gaps {
      guard let size = size(of: gap.id, in: timeline) else { return nil }
      rows = rows + size
    }
    return rows + .exact(index - gaps.count)
  }

  /// Returns the gaps whose sizes may have changed since the last call.
  mutating func takeChangedGaps() -> Set<Gap.ID> {
    if changed.isEmpty { return [] }
    defer { changed = [] }
    return changed
  }

  /// Returns the row at an index of the whole list, if it is not loaded.
  ///
  /// A gap of unknown size is taken to have all rows below it.
  ///
  /// - Complexity: O(*g* log *n*) for *g* gaps.
  func row(at index: Int, in timeline: Timeline) -> UnloadedRow? {
    let above = above(in: timeline)
    guard let above, index >= above.count else {
      return UnloadedRow(edge: .previous, index: max(0, index), count: above)
    }
    var (start, first) = (above.count, 0)
    for (gap, row) in timeline.gaps(in: 0..<timeline.count) {
      start += row - first
      if index < start { return nil }
      let size = size(of: gap.id, in: timeline)
      guard let size, index - start >= size.count else {
        return UnloadedRow(edge: .gap(gap.id), index: index - start, count: size)
      }
      (start, first) = (start + size.count, row + 1)
    }
    start += timeline.count - first
    return index < start ? nil : UnloadedRow(edge: .next, index: index - start, count: nil)
  }

  // MARK: - Shown numbers

  /// Compares the total with the numbers of rows, before the numbers are shown.
  mutating func compare(with total: RowTotal?, in timeline: Timeline) {
    if let total = total?.exact {
      if timeline.head == .end, timeline.tail == .end, timeline.gaps.isEmpty {
        balance.reset()
      }
      balance.compare(total, below: rowsBelow(of: total, in: timeline))
    }
    if balance.isEven != showsExact { changed.formUnion(sizes.keys) }
    showsExact = balance.isEven
  }

  /// Returns how many rows were inserted or deleted that no number accounts for, as far as known.
  func imbalance(of total: Int, in timeline: Timeline) -> Int? {
    balance.imbalance(below: rowsBelow(of: total, in: timeline))
  }

  /// Returns how many rows more than all numbers the list has; `nil` if a number is unknown.
  func unaccounted(of total: Int, in timeline: Timeline) -> Int? {
    rowsBelow(of: total, in: timeline).flatMap(balance.unaccounted(below:))
  }

  /// Returns the rows after the last one, as the difference of the total and all other numbers.
  ///
  /// Unlike `below(of:in:)`, it is negative if the numbers exceed the total.
  private func rowsBelow(of total: Int, in timeline: Timeline) -> Int? {
    rowsThroughLast(in: timeline).map { total - $0.count }
  }

  /// Returns the number of rows above the first one, as observers receive it.
  func shownAbove(in timeline: Timeline) -> RowTotal? {
    shown(timeline.head == .end ? .exact(0) : above)
  }

  /// Returns the number of rows after the last one, as observers receive it.
  func shownBelow(of total: RowTotal?, in timeline: Timeline) -> RowTotal? {
    timeline.tail == .end ? .exact(0) : shown(below(of: total, in: timeline))
  }

  /// Returns the number of rows in a gap, as observers receive it.
  func shownSize(of gap: Gap.ID, in timeline: Timeline) -> RowTotal? {
    shown(size(of: gap, in: timeline))
  }

  /// A number is only exact if all of them add up to the total.
  private func shown(_ number: RowTotal?) -> RowTotal? {
    balance.isEven ? number : number.map { $0.exact.map(RowTotal.estimated) ?? $0 }
  }

  // MARK: - Evidence

  /// Notes how many rows are above an item.
  ///
  /// That is the size of the nearest gap above it, if the others are known.
  ///
  /// - Parameters:
  ///   - request: the request whose answer says so.
  ///   - continuesLast: whether the page continues the last loaded row.
  /// - Complexity: O(gaps above the item), if there are any.
  mutating func note(
    _ rowsAbove: RowTotal, _ id: RowID, of request: Int, continuesLast: Bool, in timeline: Timeline
  ) {
    guard let index = timeline.index(of: id) else { return }
    let isCurrent = request > changedAfter && !hasLocalEdits
    if timeline.head == .end, timeline.gaps.isEmpty {
      if continuesLast, isCurrent, rowsAbove.exact == index { balance.reset(since: request) }
      return
    }
    let rowsAbove = isCurrent ? rowsAbove : .estimated(rowsAbove.count)
    guard let (gap, row) = timeline.gaps(in: 0..<index).last else {
      if timeline.head != .end { above = rowsAbove.removing(.exact(index)) }
      return
    }
    guard let known = rows(above: row, in: timeline) else { return }
    if timeline.evicted.runs[gap.id] == nil {
      let size = rowsAbove.removing(known + .exact(index - row - 1))
      balance.noteSize(size.count, of: gap.id, insteadOf: self[gap.id]?.count)
      // Rows that no number accounts for may be above the gap, too.
      self[gap.id] = balance.isEven ? size : .estimated(size.count)
    }
  }

  /// Notes rows that were loaded: they are no longer in the gap beside them, or above the list.
  ///
  /// Rows that are gone or that moved cast doubt on all numbers.
  mutating func noteLoaded(_ load: Load, _ edit: TimelineEdit, in timeline: Timeline) {
    // If a total is known, it shows whether the numbers are still right.
    let isChanged = !balance.isFollowing && edit.removed.contains { $0.row.item != nil }
    if isChanged || load.readsWindows && edit.changesItems {
      doubt(after: load.request.number - 1)
    }
    if load.readsWindows { return balance.reset() }
    defer { if balance.isFollowing { removeBelow(edit, in: timeline) } }
    guard (above ?? aboveBefore) != nil || !sizes.isEmpty || balance.hasGapsFromBelow else {
      return
    }
    let closesGap = edit.removed.contains { $0.row.gap != nil }
    var blocks: [Range<Int>] = []
    for (order, row) in edit.inserted where row.item != nil {
      let index = timeline.content.index(of: order)
      let start = blocks.last?.upperBound == index ? blocks.removeLast().lowerBound : index
      blocks.append(start..<(index + 1))
    }
    for rows in blocks {
      let beside = [rows.upperBound, rows.lowerBound - 1].filter { timeline.rows.indices ~= $0 }
      if let gap = beside.lazy.compactMap({ timeline.rows[$0].gap?.id }).first {
        balance.noteLoaded(rows.count, from: gap)
        self[gap] = self[gap]?.removing(.exact(rows.count))
      } else if rows.lowerBound == 0, timeline.head != .end {
        above = above?.removing(.exact(rows.count))
      } else if rows.upperBound < timeline.count, !closesGap {
        // They are new, or were in a gap elsewhere.
        if !balance.isFollowing { doubt(after: load.request.number - 1) }
      }
    }
    if timeline.head == .end { noteHead(in: timeline) }
  }

  /// Removes rows that were inserted after the last one from those below, if they were not loaded.
  private mutating func removeBelow(_ edit: TimelineEdit, in timeline: Timeline) {
    var (end, added) = (timeline.count, 0)
    let moved = Set(edit.removed.lazy.compactMap(\.row.item?.id))
    for (order, row) in edit.inserted.reversed() {
      guard timeline.content.index(of: order) == end - 1 else { break }
      if let gap = row.gap?.id {
        if added > 0 { balance.noteGapFromBelow(gap) }
        break
      }
      if let id = row.item?.id, !moved.contains(id) { added += 1 }
      end -= 1
    }
    balance.removeBelow(added)
  }

  /// Notes rows that were loaded far from an edge: those that are not are now on both sides.
  mutating func noteLoaded(
    _ load: Load, _ jump: Jump, _ edit: TimelineEdit, in timeline: Timeline
  ) {
    let isCurrent = load.request.number > changedAfter && !hasLocalEdits
    var skipped = load.walk.skipped ?? .exact(jump.skipped)
    if !isCurrent { skipped = .estimated(skipped.count) }
    let loaded = RowTotal.exact(edit.inserted.count { $0.row.item != nil })
    let new = edit.inserted.lazy.compactMap { $0.row.gap?.id }.first
    func rest(_ size: RowTotal?) -> RowTotal? {
      let rest = size?.removing(loaded)
      return new == nil ? rest : rest?.removing(skipped)
    }
    switch jump.edge {
    case .gap(let id) where timeline.gaps[id] != nil:
      let rest = rest(self[id])
      // Without a new gap, the rows met those on one side. Then only the skipped ones, or only the
      // others, are left.
      let isAbove = (timeline.gaps[id] ?? 0) < edit.inserted.first?.order ?? 0
      let keepsRest = new == nil ? isAbove != (jump.side == .above) : jump.side != .above
      self[id] = keepsRest ? rest : skipped
      if let new {
        self[new] = keepsRest ? skipped : rest
        if !keepsRest { balance.transferSizeChange(of: id, to: new) }
      }
    case .previous:
      above = isAtHead ? nil : rest(above)
      if let new { self[new] = skipped }
    case .next:
      if let new { self[new] = skipped }
      balance.removeBelow(loaded.count + (new == nil ? 0 : skipped.count))
    case .gap, .refresh, .page, .reread, .jump: break
    }
  }

  /// Notes that the first rows are the head of the list: the rows above the others are in a gap.
  private mutating func noteHead(in timeline: Timeline) {
    guard let rows = aboveBefore, let order = timeline.gaps.ascending.first else { return }
    let index = timeline.content.index(of: order)
    if let gap = timeline.rows[index].gap, !gap.isStored, self[gap.id] == nil {
      self[gap.id] = rows.removing(.exact(index))
    }
  }

  /// Notes an edit that the source does not learn of.
  mutating func noteLocalEdit() { hasLocalEdits = true }

  /// Notes that all rows were replaced by answers, from that of a request on.
  mutating func noteReplaced(since request: Int) {
    hasLocalEdits = false
    balance.reset(since: request)
  }

  /// Notes that all rows are from answers of one load, from that of a request on.
  mutating func noteReadAgain(since request: Int) { balance.reset(since: request) }

  /// Notes a change that may have added or removed rows elsewhere.
  mutating func doubt(after request: Int) {
    changedAfter = max(changedAfter, request)
    above = above.map { .estimated($0.count) }
    if inexactSizes == sizes.count { return }
    for (gap, size) in sizes where size.isInexact == 0 { self[gap] = .estimated(size.count) }
  }

  /// Notes that another total was reported than before.
  mutating func noteChangedTotal(of request: Int) {
    if balance.isFollowing {
      changedAfter = max(changedAfter, request - 1)
    } else {
      doubt(after: request - 1)
    }
    balance.noteChange(of: request)
  }

  /// Follows a change of rows.
  ///
  /// If two gaps became one, it has the rows of both.
  mutating func follow(_ edit: TimelineEdit, in timeline: Timeline) {
    let wasAtHead = isAtHead
    isAtHead = timeline.head == .end
    aboveBefore = isAtHead ? above : nil
    if isAtHead { above = nil }
    if !timeline.evicted.runs.isEmpty { noteStored(beside: edit, in: timeline) }
    for (order, row) in edit.removed {
      guard let id = row.gap?.id, timeline.gaps[id] == nil else { continue }
      let size = self[id]
      self[id] = nil
      uncounted.remove(id)
      let index = timeline.content.index(of: order)
      if let other = gap(beside: index, in: timeline), !other.isStored {
        self[other.id] = sum(self[other.id], size)
        balance.transferSizeChange(of: id, to: other.id)
      } else if index == 0, !isAtHead {
        above = sum(wasAtHead ? .exact(0) : above, size)
      } else if index == timeline.count {
        balance.removeBelow(size.map { -$0.count })
      }
      balance.noteClosed(id)
    }
  }

  /// Notes the gaps beside rows that were restored from disk: they have fewer rows now.
  private mutating func noteStored(beside edit: TimelineEdit, in timeline: Timeline) {
    guard let first = edit.inserted.first, let last = edit.inserted.last else { return }
    let places = [
      timeline.content.index(of: first.order) - 1, timeline.content.index(of: last.order) + 1,
    ]
    for place in places where timeline.rows.indices ~= place {
      if let gap = timeline.rows[place].gap, gap.isStored { changed.insert(gap.id) }
    }
  }

  private func sum(_ first: RowTotal?, _ second: RowTotal?) -> RowTotal? {
    first.flatMap { first in second.map { first + $0 } }
  }

  /// Returns the gap above or at an index.
  private func gap(beside index: Int, in timeline: Timeline) -> Gap? {
    [index - 1, index].lazy.filter(timeline.rows.indices.contains)
      .compactMap { timeline.rows[$0].gap }.first
  }

  // MARK: - Eviction

  /// The number of rows of a range that is about to be evicted, with the gaps beside it.
  struct Evicted {
    /// The number; `nil` if it is unknown.
    var total: RowTotal?
    /// Whether all of the rows are loaded or on disk.
    var isLoaded = true
    /// The number of rows without those in gaps.
    let loaded: Int
  }

  /// Returns the number of rows of a range that is about to be evicted.
  func size(of range: Range<Int>, in timeline: Timeline) -> Evicted {
    let beside = (range.lowerBound - 1)..<(range.upperBound + 1)
    let loaded = range.count - timeline.gapCount(in: range)
    var size = Evicted(total: .exact(loaded), loaded: loaded)
    for (gap, _) in timeline.gaps(in: beside.clamped(to: 0..<timeline.count)) {
      size.total = sum(size.total, self.size(of: gap.id, in: timeline))
      if timeline.evicted.runs[gap.id] == nil || uncounted.contains(gap.id) {
        size.isLoaded = false
      }
    }
    return size
  }

  /// Notes that rows were evicted.
  ///
  /// - Parameters:
  ///   - size: the number of rows, see `size(of:in:)`.
  ///   - index: the index at which they began.
  ///   - above: the number of rows above the list before, if they were its first ones.
  mutating func noteEvicted(
    _ size: Evicted, at index: Int, above: RowTotal?, in timeline: Timeline
  ) {
    if let gap = gap(beside: index, in: timeline) {
      self[gap.id] = gap.isStored ? nil : size.total
      if gap.isStored, !size.isLoaded { uncounted.insert(gap.id) }
      changed.insert(gap.id)
    } else if index == 0 {
      self.above = sum(above, size.total)
    } else {
      balance.removeBelow(-size.loaded)
    }
  }
}
