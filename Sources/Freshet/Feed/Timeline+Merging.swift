internal import FreshetLists

/// Items that followed each other in one answer, or in answers proven adjacent.
struct Run<Item: ListItem>: Sendable {
  /// The items, each id once.
  var items: [Item]
  /// The page that continues the last item, or `nil` at the end of the list.
  var next: PageKey?
  /// The page before the first item, where the source knows it.
  var previous: PageKey?

  var isEnd: Bool { next == nil }
}

/// Where a run starts.
enum RunStart: Hashable, Sendable {
  /// At the head of the list.
  case head
  /// Right behind the row above a gap.
  case gap(Gap.ID)
  /// Right behind the last row.
  case tail
}

/// How a run fits into what is known: which of its items stand where they stood.
struct RunFit {
  /// The index of the first known row that the run speaks about.
  var start: Int
  /// Whether rows may be missing between that row and the one above it.
  var needsGapAbove = false
  /// Whether the run repeats nothing from above its place, though it should.
  var isApart = false
  /// For each item of the run, the index where it stands and stays.
  var keeps: [Int?]
  /// The index behind the last row that the run speaks about.
  var end: Int
  /// Whether the last item is a known row in its place, so that what follows it is known too.
  var meetsKnown: Bool
}

extension Timeline {
  /// How a run that starts at `place` fits, by evidence alone (rule T3).
  ///
  /// Known rows that the run repeats in their known order stay; those between them that it leaves
  /// out are gone. Where as many rows would be gone as there are rows of the run behind them, it
  /// may as well be those that moved up: then they are taken as moved, and the run as not meeting
  /// what is known, so that the next page is asked for, or a gap is left.
  ///
  /// - Parameter overlapping: whether only a row that the run repeats from above its place proves
  ///   that the run continues there (rule T5).
  /// - Returns: `nil` where the place no longer exists.
  /// - Complexity: O(*m* log *n*) for *m* items, and the rows found gone.
  func fit(_ run: Run<Item>, at place: RunStart, overlapping: Bool = false) -> RunFit? {
    var start: Int
    var needsGapAbove = false
    var isApart = false
    switch place {
    case .head: start = 0
    case .tail: start = count
    case .gap(let id):
      guard let index = index(ofGap: id) else { return nil }
      start = index
    }
    if place != .head {
      if overlapping, start > 0 {
        if let joint = firstRepeated(run, above: start) {
          start = joint.index
          needsGapAbove = joint.offset > 0
        } else {
          isApart = true
          needsGapAbove = true
          if start < count { start += 1 }
        }
      } else if let repeated = repeatedTail(run, above: start) {
        start = repeated
      }
    }

    let indices = run.items.map { item in index(of: item.id).flatMap { $0 >= start ? $0 : nil } }
    var keeps = chain(indices)
    if !run.isEnd { cutWhatMayHaveMoved(&keeps, from: start, among: indices) }
    let last = keeps.last { $0 != nil } ?? nil
    return RunFit(
      start: start, needsGapAbove: needsGapAbove, isApart: isApart, keeps: keeps,
      end: run.isEnd ? count : last.map { $0 + 1 } ?? start,
      meetsKnown: run.isEnd || start == count || keeps.last.map { $0 != nil } ?? false)
  }

  /// Takes a run in: rows it proves gone go, gaps it bridges close, and where it does not meet
  /// what is known, a gap is left with the key of the page that will tell.
  mutating func merge(_ run: Run<Item>, fit: RunFit) -> TimelineEdit<Item> {
    var rows = zip(run.items, fit.keeps).map { NewRow(row: FeedRow.item($0), keeps: $1) }
    var keyedAbove: Gap.ID?
    if fit.needsGapAbove {
      if fit.start > 0, let gap = self.rows[fit.start - 1].gap {
        keyedAbove = gap.id
      } else {
        rows.insert(NewRow(row: .gap(makeGap()), key: run.previous), at: 0)
      }
    }
    var tail: FeedTail?
    var keyedBelow: Gap.ID?
    if let next = run.next {
      if fit.end == count {
        tail = .open(next)
      } else if let gap = self.rows[fit.end].gap {
        keyedBelow = gap.id
      } else if !fit.meetsKnown {
        rows.append(NewRow(row: .gap(makeGap()), key: next))
      }
    } else {
      tail = .end
    }
    var edit = replace(fit.start..<fit.end, with: rows, tail: tail)
    if let keyedBelow, let next = run.next { edit.append(keysOf: rekey(keyedBelow, next)) }
    if let keyedAbove, let previous = run.previous {
      edit.append(keysOf: rekey(keyedAbove, previous))
    }
    return edit
  }

  /// Makes the list be this run and nothing else.
  mutating func become(_ run: Run<Item>) -> TimelineEdit<Item> {
    let keeps = chain(run.items.map { index(of: $0.id) })
    let rows = zip(run.items, keeps).map { NewRow(row: FeedRow.item($0), keeps: $1) }
    return replace(0..<count, with: rows, tail: run.next.map(FeedTail.open) ?? .end)
  }

  /// Whether the list starts with these items and no gap among them.
  func startsWith(_ items: [Item]) -> Bool {
    count >= items.count && zip(rows, items).allSatisfy { $0.item == $1 }
  }

  // MARK: - Evidence

  /// The first item of the run that stands in the segment above an index.
  private func firstRepeated(_ run: Run<Item>, above end: Int) -> (offset: Int, index: Int)? {
    let top = topOfSegment(above: end)
    for (offset, item) in run.items.enumerated() {
      if let index = index(of: item.id), index >= top, index < end { return (offset, index) }
    }
    return nil
  }

  /// The index from which on the run repeats the rows above `end`, one by one.
  private func repeatedTail(_ run: Run<Item>, above end: Int) -> Int? {
    guard let first = run.items.first, let start = index(of: first.id), start < end,
      end - start <= run.items.count
    else { return nil }
    let repeats = zip(rows.slice(start..<end), run.items).allSatisfy { $0.item?.id == $1.id }
    return repeats ? start : nil
  }

  private func topOfSegment(above end: Int) -> Int {
    gaps.values.lazy.map { content.index(of: $0.order) + 1 }.filter { $0 <= end }.max() ?? 0
  }

  /// Of known indices, the longest sequence that ascends; the others become `nil`.
  private func chain(_ indices: [Int?]) -> [Int?] {
    let known = indices.compactMap { $0 }
    let kept = heaviestIncreasingSubsequence(
      known, weights: [Int](repeating: 1, count: known.count))
    var isKept = kept.makeIterator()
    return indices.map { $0 != nil && isKept.next() == true ? $0 : nil }
  }

  /// Drops the end of a chain behind a hole that hides as many rows as the end has.
  private func cutWhatMayHaveMoved(
    _ keeps: inout [Int?], from start: Int, among indices: [Int?]
  ) {
    let present = Set(indices.lazy.compactMap { $0 })
    var remaining = keeps.count { $0 != nil }
    var previous = start - 1
    for (offset, keep) in keeps.enumerated() {
      guard let index = keep else { continue }
      if index - previous - 1 >= remaining {
        // Gaps and rows that the run names elsewhere hide nothing.
        let hidden = ((previous + 1)..<index).lazy
          .filter { !present.contains($0) && rows[$0].gap == nil }.prefix(remaining).count
        if hidden >= remaining {
          for later in offset..<keeps.count { keeps[later] = nil }
          return
        }
      }
      previous = index
      remaining -= 1
    }
  }
}
