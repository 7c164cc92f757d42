internal import FreshetLists

extension Timeline {
  /// How a run that starts at `place` fits, by evidence alone (rule T3).
  ///
  /// Known rows that the run repeats in their known order stay; those between them that it leaves
  /// out are gone. Where it cannot be told whether rows went or another one moved up, the run does
  /// not meet what is known, so that the next page is asked for, or a gap is left.
  ///
  /// - Parameters:
  ///   - overlapping: whether only a row that the run repeats from above its place proves that the
  ///     run continues there (rule T5).
  ///   - isConfirmed: whether the page before was just read again: then any row will do.
  /// - Returns: `nil` where the place no longer exists.
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
      // What comes next is on disk: nothing is concluded about it.
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
      // What the run did not find above the place it leads to is gone from there: if it still
      // exists, it is further down, where the feed has yet to load.
      match.end = max(match.end, endOfSegment(from: match.start))
    }
    return match
  }

  /// Where the known rows begin that a run speaks about.
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

  /// How a run fits that leads up to the first row, or to the one below a gap.
  ///
  /// Items that are known elsewhere could have moved or say that others went: then this gives way
  /// to the page that leads down to the edge. Unless they are the rows above a gap, one by one:
  /// then the gap is bridged.
  ///
  /// - Returns: `nil` where the evidence does not tell.
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
    // What is above the first one of them is not said where no answer included that one.
    if known > 0, !isProven(run.items[0].id) { return nil }
    match.keeps =
      (0..<known).map { match.start + $0 } + repeatElement(nil, count: indices.count - known)
    return indices == match.keeps ? match : nil
  }

  /// Takes a run in: rows it proves gone go, gaps it bridges close, and where it does not meet
  /// what is known, a gap is left.
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
    var edit = replace(
      match.start..<match.end, with: rows, leavingGaps: unprovenMoves(run, match), head: head,
      tail: tail)
    var proven = run.items[match.skipped...].prefix(match.keeps.count)
    // Rows may be missing between the last one and those on disk, where there is room for no gap.
    if leavesOpenSeam { proven.removeLast() }
    markProven(proven)
    if !isCut { mark(run, isNew: match.isNew && match.skipped == 0, &edit) }
    return edit
  }

  /// Makes the list be this run and nothing else.
  mutating func become(_ run: Run) -> TimelineEdit {
    let keeps = anchors(among: run.items.map { index(of: $0.id) }, from: 0, isEnd: true)
    let rows = zip(run.items, keeps).map { NewRow(row: ListRow.item($0), keeps: $1) }
    var edit = replace(0..<count, with: rows, head: .end, tail: run.isEnd ? .end : .open)
    unproven.removeAll()
    mark(run, &edit)
    return edit
  }

  /// Whether the list starts with these items and no gap among them.
  func startsWith(_ items: [AnyItem]) -> Bool {
    for (row, item) in zip(rows, items) where row.item != item {
      return row.gap?.isStored ?? false
    }
    return count >= items.count
  }

  // MARK: - Rows that move

  /// The items that a run takes from elsewhere without proof that they moved: what stands between
  /// their old neighbours is not known.
  ///
  /// An item moved for certain where the answer orders it otherwise to a row of its own segment.
  /// Else it may be the rows around its new place that stand wrong.
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
      // What is around a single row that no answer included was never said to touch it.
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

  /// The first item of the run from which on it repeats the rows above an index.
  ///
  /// It may leave some of them out, which are gone then, if it repeats more: else it may be the
  /// item that moved. A run that ends among them says nothing of those below, unless the list ends
  /// there.
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
      let last = endsAmongThem ? (repeated.max() ?? joint.index) + 1 : end
      let spoken = joint.index < last ? provenCount(in: joint.index..<last) : 0
      if isConfirmed || spoken < 2 * repeated.count { return joint }
    }
    return nil
  }

  /// The index from which on the run repeats the rows above `end`, one by one.
  private func repeatedRows(_ run: Run, above end: Int) -> Int? {
    guard let first = run.items.first, let start = index(of: first.id), start < end else {
      return nil
    }
    // More rows than the run has it cannot repeat: then none of them is looked at (rule C4).
    guard end - start <= run.items.count else { return nil }
    let known = rows.slice(start..<end)
    return zip(known, run.items).allSatisfy { $0.item?.id == $1.id } ? start : nil
  }

  /// Whether a place other than the head has no row above it.
  func isTop(_ place: RunPlace) -> Bool { place != .head && index(of: place) == 0 }

  private func index(of place: RunPlace) -> Int {
    switch place {
    case .head: 0
    case .end, .page: count
    case .gap(let id): index(ofGap: id) ?? count
    }
  }

  private func endOfSegment(from start: Int) -> Int {
    guard start < count, let gap = gaps.first(from: content.orders[start]) else { return count }
    return content.index(of: gap)
  }

  /// Of the known rows in a run, those that stay while the others move.
  ///
  /// They ascend, and the fewest rows move to or go from between them. Where as many rows would be
  /// gone as stay, nothing is proven: it may be the latter that moved.
  private func anchors(among indices: [Int?], from start: Int, isEnd: Bool) -> [Int?] {
    let known = indices.compactMap { $0 }
    guard !known.isEmpty else { return indices }
    // Unproven rows are no evidence, and stay if that moves nothing else.
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
        // Past unproven rows, too, it may be one of those that stay that moved.
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

  /// For each known index, how many items above it, from `start` on, are not among them, and how
  /// many of those an answer spoke of before.
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

  /// The range of unproven rows that the one at an index is in.
  private func unprovenRange(around index: Int) -> ClosedRange<RowOrder>? {
    unproven.isEmpty ? nil : unproven.range(around: content.orders[index])
  }
}
