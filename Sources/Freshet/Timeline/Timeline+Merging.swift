internal import FreshetLists
internal import struct Foundation.Date

/// Items that followed each other in one answer, or in answers proven adjacent.
struct Run<Item: ListItem>: Sendable {
  /// The items, each id once.
  var items: [Item]
  /// For each item, the request that it came in answer to.
  var requests: [Int] = []
  /// The page that continues the last item.
  var next: PageKey? = nil
  /// The items that ended a page, and the keys of those that continue them.
  var ends: [(item: Item.ID, next: PageKey)] = []
  /// Whether the last item is the last one of the list.
  var isEnd = false
  /// Why the rows behind the last item cannot be asked for, though the answer speaks of them.
  var unread: FeedError?
  /// The page that leads up to the first item, where the source has one.
  var previous: PageKey?
  /// When the last answer came.
  var fetchedAt: Date?
  /// The row whose key the first page was asked for by.
  var after: Item.ID?
  /// The key of the first page.
  var key: PageKey?

  /// Removes the items with these ids.
  mutating func remove(_ ids: Set<Item.ID>) {
    let kept = items.indices.filter { !ids.contains(items[$0].id) }
    items = kept.map { items[$0] }
    requests = kept.map { requests[$0] }
  }
}

/// Where rows may be missing, and an answer starts that brings them.
enum FeedEdge: Hashable, Sendable {
  /// At the head of the list.
  case refresh
  /// Above the first row, where the feed began in the middle of the list.
  case previous
  /// At a gap: right behind the row above it, or right before the one below.
  case gap(Gap.ID)
  /// Right behind the last row.
  case next
  /// Where a page is known, that is asked for again by its key.
  case page(PageKey)

  /// Whether what is behind the edge is known, so that an answer is to meet it.
  var isKnown: Bool {
    switch self {
    case .refresh, .page: true
    case .previous, .gap, .next: false
    }
  }
}

/// How a run fits into what is known: which of its items stand where they stood.
struct RunMatch {
  /// The index of the first known row that the run speaks about.
  var start: Int
  /// The index behind the last one.
  var end = 0
  /// How many items of the run stand above all known rows: nobody asked for them.
  var skipped = 0
  /// For each item of the run that is not skipped, the index where it stands and stays.
  var keeps: [Int?] = []
  /// Whether the last item is a known row in its place, so that what follows it is known too.
  var meetsKnown = false
  /// Whether rows may be missing between the run and the row above it.
  var needsGapAbove = false
  /// Whether the run repeats nothing from above its place, though it should.
  var isApart = false

  init(start: Int) { self.start = start }
}

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
    _ run: Run<Item>, at place: FeedEdge, overlapping: Bool = false, isConfirmed: Bool = false,
    keepingStored: Bool = true
  ) -> RunMatch? {
    if case .gap(let id) = place, gaps[id] == nil { return nil }
    var match = beginning(of: run, at: place, overlapping, isConfirmed)
    let indices = run.items[match.skipped...].map { item in
      index(of: item.id).flatMap { $0 >= match.start ? $0 : nil }
    }
    match.keeps = anchors(among: indices, from: match.start, isEnd: run.isEnd)
    if keepingStored, let last = match.keeps.lastIndex(where: { $0 != nil }),
      let row = match.keeps[last],
      row + 1 < count, let gap = rows[row + 1].gap, gap.isStored
    {
      // What comes next is on disk: nothing is concluded about it.
      match.keeps.removeSubrange((last + 1)...)
    }
    let endsAtKnown = match.keeps.last.map { $0 != nil } ?? false
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
    of run: Run<Item>, at place: FeedEdge, _ overlapping: Bool, _ isConfirmed: Bool
  ) -> RunMatch {
    let below = index(of: place)
    var match = RunMatch(start: below)
    if place == .refresh { return match }
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

  /// How a run fits that leads up to the first row behind an edge.
  ///
  /// Items that are known elsewhere could have moved or say that others went: then this gives way
  /// to the page that leads down to the edge. Unless they are the rows above a gap, one by one:
  /// then the gap is bridged.
  ///
  /// - Returns: `nil` where the evidence does not tell.
  func matchAbove(_ run: Run<Item>, _ edge: FeedEdge) -> RunMatch? {
    guard case .gap(let id) = edge, let gap = index(ofGap: id) else {
      var match = RunMatch(start: 0)
      match.keeps = run.items.map { _ in nil }
      match.meetsKnown = true
      return match
    }
    let indices = run.items.map { index(of: $0.id) }
    let joint = indices.lastIndex { $0 == gap - 1 }
    let known = joint.map { $0 + 1 } ?? 0
    var match = RunMatch(start: joint == nil ? gap + 1 : gap - known)
    match.end = gap + 1
    match.meetsKnown = true
    match.keeps =
      (0..<known).map { match.start + $0 } + repeatElement(nil, count: indices.count - known)
    return indices == match.keeps ? match : nil
  }

  /// Takes a run in: rows it proves gone go, gaps it bridges close, and where it does not meet
  /// what is known, a gap is left.
  mutating func merge(
    _ run: Run<Item>, match: RunMatch, head: FeedEnd? = nil
  ) -> TimelineEdit<Item> {
    var rows = zip(run.items[match.skipped...], match.keeps).map {
      NewRow(row: FeedRow.item($0), keeps: $1)
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
    var edit = replace(
      match.start..<match.end, with: rows, leavingGaps: unprovenMoves(run, match), head: head,
      tail: tail)
    if !isCut { mark(run, &edit) }
    return edit
  }

  /// Makes the list be this run and nothing else.
  mutating func become(_ run: Run<Item>) -> TimelineEdit<Item> {
    let keeps = anchors(among: run.items.map { index(of: $0.id) }, from: 0, isEnd: true)
    let rows = zip(run.items, keeps).map { NewRow(row: FeedRow.item($0), keeps: $1) }
    var edit = replace(0..<count, with: rows, head: .end, tail: run.isEnd ? .end : .open)
    mark(run, &edit)
    return edit
  }

  /// Notes where the pages around a run are, and how old it is.
  ///
  /// Of the pages within it nothing is known but what it says: a key that a row had before may lead
  /// elsewhere, since the row moved, or others moved past it. The key that the run was asked for by
  /// goes on leading to it.
  private mutating func mark(_ run: Run<Item>, _ edit: inout TimelineEdit<Item>) {
    for item in run.items.dropFirst() where marks[item.id] != nil {
      mark(item.id, &edit) { ($0.previous, $0.fetchedAt) = (nil, nil) }
    }
    for item in run.items.dropLast() {
      guard let next = marks[item.id]?.next, next != run.key else { continue }
      mark(item.id, &edit) { $0.next = nil }
    }
    for (item, next) in run.ends {
      mark(item, &edit) { ($0.next, $0.fetchedAt) = (next, run.fetchedAt) }
    }
    if let last = run.items.last?.id ?? run.after {
      mark(last, &edit) { mark in
        if run.next != nil || run.unread != nil { mark.next = run.next }
        if !run.items.isEmpty { mark.fetchedAt = run.fetchedAt }
      }
    }
    if let first = run.items.first?.id, let previous = run.previous {
      mark(first, &edit) { $0.previous = previous }
    }
  }

  /// Whether the list starts with these items and no gap among them.
  func startsWith(_ items: [Item]) -> Bool {
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
  private func unprovenMoves(_ run: Run<Item>, _ match: RunMatch) -> Set<Item.ID> {
    var unproven: Set<Item.ID> = []
    let lastKept = match.keeps.lastIndex { $0 != nil }
    var above = match.needsGapAbove || match.start == 0 ? nil : match.start - 1
    for (offset, (item, kept)) in zip(run.items[match.skipped...], match.keeps).enumerated() {
      if let kept {
        above = kept
        continue
      }
      guard let old = index(of: item.id) else { continue }
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
  /// It may leave some of them out, which are gone then, if it repeats more: else it may be the item
  /// that moved. A run that ends among them says nothing of those below.
  private func firstRepeated(
    _ run: Run<Item>, above end: Int, isConfirmed: Bool
  ) -> (offset: Int, index: Int)? {
    let known = run.items.enumerated().compactMap { offset, item in
      index(of: item.id).map { (offset: offset, index: $0) }
    }.filter { $0.index < end }
    let endsAmongThem = known.last?.offset == run.items.count - 1
    for (place, joint) in known.enumerated() {
      let repeated = known[place...].map(\.index).filter { $0 >= joint.index }
      let last = endsAmongThem ? (repeated.max() ?? joint.index) + 1 : end
      let silent = joint.index < last ? gapCount(in: joint.index..<last) : 0
      if isConfirmed || last - joint.index - silent < 2 * repeated.count { return joint }
    }
    return nil
  }

  /// The index from which on the run repeats the rows above `end`, one by one.
  private func repeatedRows(_ run: Run<Item>, above end: Int) -> Int? {
    guard let first = run.items.first, let start = index(of: first.id), start < end else {
      return nil
    }
    // More rows than the run has it cannot repeat: then none of them is looked at (rule C4).
    guard end - start <= run.items.count else { return nil }
    let known = rows.slice(start..<end)
    return zip(known, run.items).allSatisfy { $0.item?.id == $1.id } ? start : nil
  }

  private func index(of place: FeedEdge) -> Int {
    switch place {
    case .refresh, .previous: 0
    case .next, .page: count
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
    let weights = [Int](repeating: 1, count: known.count)
    var isAnchor: [Bool]
    if isEnd {
      isAnchor = IncreasingSubsequences.heaviest(of: known, weights: weights)
    } else {
      let gone = rowsLeftOut(by: known, from: start)
      let chains = IncreasingSubsequences(known, weights: weights)
      let provable = known.indices.filter { chains.sums[$0] > gone[$0] }
      let last = provable.max {
        (chains.sums[$0] - gone[$0], -gone[$0]) < (chains.sums[$1] - gone[$1], -gone[$1])
      }
      guard let last else { return indices.map { _ in nil } }
      isAnchor = chains.members(endingAt: last)
    }
    var anchors = isAnchor.makeIterator()
    return indices.map { $0 != nil && anchors.next() == true ? $0 : nil }
  }

  /// For each known index, how many items above it, from `start` on, are not among them, though an
  /// answer spoke of them before: none speaks of gaps.
  private func rowsLeftOut(by known: [Int], from start: Int) -> [Int] {
    var leftOut = [Int](repeating: 0, count: known.count)
    for (present, position) in known.indices.sorted(by: { known[$0] < known[$1] }).enumerated() {
      let silent = gapCount(in: start..<known[position])
      leftOut[position] = known[position] - start - present - silent
    }
    return leftOut
  }
}
