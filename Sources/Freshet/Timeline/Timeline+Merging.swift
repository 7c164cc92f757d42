internal import FreshetLists

extension Timeline {
  /// Returns how a run that starts at `place` fits the known rows, by evidence alone (rule T3).
  ///
  /// Known rows that the run repeats in their known order stay. Known rows between them that the
  /// run leaves out are gone. Sometimes the evidence does not show whether rows are gone or
  /// another row moved up. Then the run does not meet the known rows, so that the next page is
  /// requested or a gap is left.
  ///
  /// - Parameters:
  ///   - overlapping: whether the run is only proven to continue at its place by a row that it
  ///     repeats from above the place (rule T5).
  ///   - isConfirmed: whether the page before was just read again. Any repeated row is proof then.
  /// - Returns: `nil` if the place no longer exists.
  /// - Complexity: O(*m* log *n*) for *m* items, and the rows found gone.
  func match(
    _ run: Run, at place: RunPlace, overlapping: Bool = false, isConfirmed: Bool = false,
    keepingStored: Bool = true
  ) -> MergePlan? {
    if case .gap(let id) = place, gaps[id] == nil { return nil }
    var match = beginning(of: run, at: place, overlapping, isConfirmed)
    var indices: [Int?] = []
    indices.reserveCapacity(run.items.count - match.skipped)
    match.isNew = true
    for offset in match.skipped..<run.items.count {
      let index = index(of: run.items[offset].id)
      if index != nil { match.isNew = false }
      indices.append(index.map { $0 >= match.start } == true ? index : nil)
    }
    match.keeps = anchors(among: indices, from: match.start, isEnd: run.isEnd)
    if keepingStored, let last = match.keeps.lastIndex(where: { $0 != nil }),
      let row = match.keeps[last],
      row + 1 < count, let gap = rows[row + 1].gap, gap.isStored
    {
      // The next rows are on disk: nothing is concluded about them.
      match.keeps.removeSubrange((last + 1)...)
    }
    let last = match.skipped + match.keeps.count - 1
    let endsAtKnown =
      match.keeps.last.map { $0 != nil } == true && isProven(run.items[last].id)
    let isCut = match.skipped + match.keeps.count < run.items.count
    match.meetsKnown = run.isEnd || match.start == count || endsAtKnown
    match.end = (match.keeps.last { $0 != nil } ?? nil).map { $0 + 1 } ?? match.start
    if run.isEnd, !isCut {
      match.end = count
    } else if !place.isKnown, !endsAtKnown, !match.isApart {
      // Rows that the run did not find above the place it leads to are gone from there. If they
      // still exist, they are further down, at rows that the feed has not loaded yet.
      match.end = max(match.end, endOfSegment(from: match.start))
    }
    return match
  }

  /// Returns a plan that starts at the first known row that the run speaks about.
  private func beginning(
    of run: Run, at place: RunPlace, _ overlapping: Bool, _ isConfirmed: Bool
  ) -> MergePlan {
    let below = index(of: place)
    var match = MergePlan(start: below)
    if place == .head { return match }
    guard overlapping, below > 0 else {
      match.start = run.after.flatMap(index(of:)).map { min($0 + 1, below) } ?? below
      match.start = repeatedRows(run, above: match.start) ?? match.start
      return match
    }
    if let joint = firstRepeated(run, above: below, isConfirmed: isConfirmed) {
      match.start = joint.index
      match.needsGapAbove = joint.offset > 0 && joint.index > 0
      match.skipped = joint.index > 0 ? 0 : joint.offset
    } else {
      match.isApart = true
      match.needsGapAbove = true
      match.start = min(below + 1, count)
    }
    return match
  }

  /// Returns how a run fits that leads up to the first row, or to the row below a gap.
  ///
  /// Items that are known elsewhere may have moved, or may show that others are gone. The page
  /// that leads down to the edge decides that. The exception is a run that begins with the rows
  /// above the gap, one by one: it bridges the gap.
  ///
  /// - Returns: `nil` if the evidence is not sufficient.
  func matchAbove(_ run: Run, _ place: RunPlace) -> MergePlan? {
    guard case .gap(let id) = place, let gap = index(ofGap: id) else {
      var match = MergePlan(start: 0)
      match.keeps = run.items.map { _ in nil }
      match.meetsKnown = true
      return match
    }
    let indices = run.items.map { index(of: $0.id) }
    let joint = indices.lastIndex { $0 == gap - 1 }
    let known = joint.map { $0 + 1 } ?? 0
    var match = MergePlan(start: joint == nil ? gap + 1 : gap - known)
    match.end = gap + 1
    match.meetsKnown = true
    // If no answer included the first one of them, nothing is known about the rows above it.
    if known > 0, !isProven(run.items[0].id) { return nil }
    match.keeps =
      (0..<known).map { match.start + $0 } + repeatElement(nil, count: indices.count - known)
    return indices == match.keeps ? match : nil
  }

  /// Merges a run into the timeline.
  ///
  /// Rows that it proves gone are removed, and gaps that it bridges are closed. If it does not
  /// meet the known rows, a gap is left.
  mutating func merge(
    _ run: Run, match: MergePlan, head: FeedEnd? = nil
  ) -> TimelineEdit {
    var rows: [NewRow] = []
    rows.reserveCapacity(match.keeps.count + 2)
    for offset in match.keeps.indices {
      let item = run.items[match.skipped + offset]
      rows.append(NewRow(row: .item(item), keeps: match.keeps[offset]))
    }
    if match.needsGapAbove, match.start == 0 || self.rows[match.start - 1].gap == nil {
      rows.insert(NewRow(row: .gap(makeGap())), at: 0)
    }
    if !match.meetsKnown, match.end < count, self.rows[match.end].gap == nil {
      rows.append(NewRow(row: .gap(makeGap())))
    }
    let isCut = match.skipped + match.keeps.count < run.items.count
    let tail: FeedEnd? =
      isCut ? nil : run.isEnd ? .end : match.end == count || self.tail == .unknown ? .open : nil
    let leavesOpenSeam =
      !match.meetsKnown && match.end < count && self.rows[match.end].gap?.isStored == true
    let boundaries = match.isExact ? boundariesOfMovedItems(run, match) : []
    var edit = replace(
      match.start..<match.end, with: rows,
      leavingGaps: match.isExact ? [] : unprovenMoves(run, match), head: head, tail: tail)
    for (item, change) in boundaries { mark(item, &edit, change) }
    var proven = run.items[match.skipped...].prefix(match.keeps.count)
    // Rows may be missing between the last one and those on disk, but there is no room for another
    // gap.
    if leavesOpenSeam { proven.removeLast() }
    markProven(proven)
    if !isCut {
      mark(run, isNew: match.isNew && match.skipped == 0, isExact: match.isExact, &edit)
    }
    return edit
  }

  /// Replaces all rows with a run.
  mutating func become(_ run: Run) -> TimelineEdit {
    let keeps = anchors(among: run.items.map { index(of: $0.id) }, from: 0, isEnd: true)
    let rows = zip(run.items, keeps).map { NewRow(row: ListRow.item($0), keeps: $1) }
    var edit = replace(0..<count, with: rows, head: .end, tail: run.isEnd ? .end : .open)
    unproven.removeAll()
    mark(run, &edit)
    return edit
  }

  /// Returns whether the list starts with these items, without a gap among them.
  ///
  /// A gap that represents rows on disk ends the comparison: the remaining items count as equal.
  func startsWith(_ items: [AnyItem]) -> Bool {
    for (row, item) in zip(rows, items) where row.item != item {
      return row.gap?.isStored ?? false
    }
    return count >= items.count
  }

  // MARK: - Rows that move

  /// Returns the items that a run takes from elsewhere without proof that they moved.
  ///
  /// It is not known what is between their old neighbours. An item certainly moved if the answer
  /// changes its order relative to a row of its own segment. Otherwise, the rows around its new
  /// place may be the ones that are misplaced.
  private func unprovenMoves(_ run: Run, _ match: MergePlan) -> Set<RowID> {
    var unproven: Set<RowID> = []
    if match.isNew { return unproven }
    let lastKept = match.keeps.lastIndex { $0 != nil }
    var above = match.needsGapAbove || match.start == 0 ? nil : match.start - 1
    for (offset, kept) in match.keeps.enumerated() {
      if let kept {
        above = kept
        continue
      }
      let item = run.items[match.skipped + offset]
      guard let old = index(of: item.id) else { continue }
      // No answer ever showed that a single unproven row touches its neighbours.
      if let range = unprovenRange(around: old), range.lowerBound == range.upperBound { continue }
      let witness: Int? =
        if old < match.start { above } else if old >= match.end {
          lastKept.flatMap { $0 > offset ? match.keeps[$0] : nil }
        } else { old }
      if witness.map({ hasGap(between: $0, old) }) ?? true { unproven.insert(item.id) }
    }
    return unproven
  }

  private func hasGap(between first: Int, _ second: Int) -> Bool {
    gapCount(in: min(first, second)..<(max(first, second) + 1)) > 0
  }

  // MARK: - Evidence

  /// Returns the first item of the run from which on it repeats the rows above an index.
  ///
  /// The run may leave out some of those rows, which are gone then, if it repeats more than it
  /// leaves out. Otherwise, the item may be the one that moved. A run that ends among those rows
  /// says nothing about the ones below, unless the list ends there. A run that ends with unknown
  /// rows may have them from the next gap.
  private func firstRepeated(
    _ run: Run, above end: Int, isConfirmed: Bool
  ) -> (offset: Int, index: Int)? {
    let all = run.items.enumerated().compactMap { offset, item in
      index(of: item.id).map { (offset: offset, index: $0) }
    }.filter { $0.index < end }
    let known = all.filter { isProven(run.items[$0.offset].id) }
    let endsAmongThem = !run.isEnd && all.last?.offset == run.items.count - 1
    for (place, joint) in known.enumerated() {
      let repeated = known[place...].map(\.index).filter { $0 >= joint.index }
      let next = (repeated.max() ?? joint.index) + 1
      let last = endsAmongThem ? next : run.isEnd ? end : min(end, endOfSegment(from: next))
      let spoken = joint.index < last ? provenCount(in: joint.index..<last) : 0
      if isConfirmed || spoken < 2 * repeated.count { return joint }
    }
    return nil
  }

  /// Returns the index from which on the run repeats the rows above `end`, one by one.
  private func repeatedRows(_ run: Run, above end: Int) -> Int? {
    guard let first = run.items.first, let start = index(of: first.id), start < end else {
      return nil
    }
    // A run cannot repeat more rows than it has. In that case no row is compared (rule C4).
    guard end - start <= run.items.count else { return nil }
    let known = rows.slice(start..<end)
    return zip(known, run.items).allSatisfy { $0.item?.id == $1.id } ? start : nil
  }

  /// Returns whether a place other than the head has no row above it.
  func isTop(_ place: RunPlace) -> Bool { place != .head && index(of: place) == 0 }

  private func index(of place: RunPlace) -> Int {
    switch place {
    case .head: 0
    case .end, .page, .apart: count
    case .gap(let id): index(ofGap: id) ?? count
    }
  }

  /// Returns the place below a segment, if a run has its last row, or rows from there on.
  ///
  /// The rows of the segment that such a run does not have are gone, or further down. The result is
  /// `nil` if the run ends with a known row, or if the rows below are on disk.
  func placeBelowSegment(coveredBy run: Run, _ plan: MergePlan) -> RunPlace? {
    if plan.meetsKnown || plan.isApart { return nil }
    let end = endOfSegment(from: plan.start)
    guard end > 0, let last = itemID(at: end - 1), run.items.contains(where: { $0.id == last })
    else { return nil }
    if end == count { return .end }
    return rows[end].gap.flatMap { $0.isStored ? nil : .gap($0.id) }
  }

  /// Returns the index of the first gap from an index on; that of the end if there is none.
  func endOfSegment(from start: Int) -> Int {
    guard start < count, let gap = gaps.first(from: content.orders[start]) else { return count }
    return content.index(of: gap)
  }

  /// Returns the known rows of a run that stay while the others move.
  ///
  /// Their indices ascend, and as few rows as possible move to or from between them, or are
  /// removed. If as many rows would be gone as stay, nothing is proven: the rows that stay may
  /// have moved.
  func anchors(among indices: [Int?], from start: Int, isEnd: Bool) -> [Int?] {
    let known = indices.compactMap { $0 }
    guard !known.isEmpty else { return indices }
    // Unproven rows are no evidence. They stay if this moves no other row.
    let proof = unproven.isEmpty ? 1 : known.count + 1
    let weights = known.map { unprovenRange(around: $0) == nil ? proof : 1 }
    var isAnchor: [Bool]
    if isEnd {
      isAnchor = IncreasingSubsequences.heaviest(of: known, weights: weights)
    } else {
      let gone = rowsLeftOut(by: known, from: start)
      let chains = IncreasingSubsequences(known, weights: weights)
      let stay = chains.sums.map { $0 / proof }
      let provable = known.indices.filter {
        let isProven = gone[$0].proven == 0 || stay[$0] > gone[$0].proven
        // The same doubt exists for unproven rows: one of the rows that stay may be the one that
        // moved.
        let allStay = stay[$0] + chains.sums[$0] % proof
        return isProven && (gone[$0].all == 0 || allStay > gone[$0].all)
      }
      let last = provable.max {
        (stay[$0] - gone[$0].proven, -gone[$0].proven)
          < (stay[$1] - gone[$1].proven, -gone[$1].proven)
      }
      guard let last else { return indices.map { _ in nil } }
      isAnchor = chains.members(endingAt: last)
    }
    var anchors = isAnchor.makeIterator()
    return indices.map { $0 != nil && anchors.next() == true ? $0 : nil }
  }

  /// Returns how many items above each known index, from `start` on, are not among `known`.
  ///
  /// `proven` counts only those of them that an answer has included.
  private func rowsLeftOut(
    by known: [Int], from start: Int
  ) -> [(all: Int, proven: Int)] {
    var leftOut = [(all: Int, proven: Int)](repeating: (0, 0), count: known.count)
    var (present, provenPresent) = (0, 0)
    for position in known.indices.sorted(by: { known[$0] < known[$1] }) {
      let above = start..<known[position]
      leftOut[position] = (
        above.count - gapCount(in: above) - present, provenCount(in: above) - provenPresent
      )
      present += 1
      if unprovenRange(around: known[position]) == nil { provenPresent += 1 }
    }
    return leftOut
  }

  /// Returns the range of unproven rows that contains the row at an index.
  private func unprovenRange(around index: Int) -> ClosedRange<RowOrder>? {
    unproven.isEmpty ? nil : unproven.range(around: content.orders[index])
  }
}
