internal import FreshetLists

// A feed that exceeds the limit of rows alone.
extension FeedManifest {
  /// Drops the entries beyond `limit` rows that are farthest from the head and the reader's place.
  ///
  /// A gap takes their place, or an open end if they ended the list. The first entry stays.
  ///
  /// - Returns: the runs that are in no entry any more; `nil` if nothing is dropped.
  mutating func trim(to limit: Int) -> [UInt64]? {
    let rows = entries.reduce(0) { $0 + ($1 == .gap ? 0 : $1.count) }
    guard rows > limit else { return nil }
    let kept = runs(within: limit)
    guard kept.count < entries.count(where: { $0 != .gap }) else { return nil }
    var (rest, restCount, start, gone) = ([Entry](), 0, 0, [UInt64]())
    let (oldAnchor, unproven) = (state.anchor, state.unproven)
    state.unproven = []
    for (index, entry) in entries.enumerated() {
      let isKept = kept.contains(index)
      if let sequence = entry.sequence, !isKept { gone.append(sequence) }
      if let oldAnchor, oldAnchor >= start {
        // If the reader's row is dropped, the place is above it.
        state.anchor = isKept ? restCount + oldAnchor - start : max(0, restCount - 1)
      }
      if isKept { keep(unproven, among: start..<(start + entry.count), from: restCount) }
      start += entry.count
      guard isKept || rest.last != .gap else { continue }
      rest.append(isKept ? entry : .gap)
      restCount += rest.last?.count ?? 0
    }
    if rest.last == .gap {
      rest.removeLast()
      state.tail = .open
    }
    entries = ManifestEntries(rest)
    entries.countRuns()
    if oldAnchor != nil { state.anchor = min(state.anchor ?? 0, count - 1) }
    let head = rest.prefix { $0 != .gap }.reduce(0) { $0 + $1.count }
    if let page = state.page, head < page.rows { state.page = nil }
    return unnamed(gone)
  }

  /// Keeps the ranges of unproven rows that stay, at their new indices.
  private mutating func keep(_ unproven: [Range<Int>], among rows: Range<Int>, from start: Int) {
    for kept in unproven.counted(in: rows) {
      let moved = (kept.lowerBound + start)..<(kept.upperBound + start)
      if state.unproven.last?.upperBound == moved.lowerBound, let last = state.unproven.popLast() {
        state.unproven.append(last.lowerBound..<moved.upperBound)
      } else {
        state.unproven.append(moved)
      }
    }
  }

  /// Returns the entries nearest to the head and to the reader's place.
  ///
  /// They have at most `limit` rows together. If the first one alone has more, it is the only one.
  private func runs(within limit: Int) -> Set<Int> {
    var runs: [(index: Int, rows: Int, distance: Int)] = []
    var start = 0
    for (index, entry) in entries.enumerated() {
      let end = start + entry.count
      if entry != .gap {
        let fromPlace = state.anchor.map { max(start - $0, $0 - (end - 1), 0) } ?? .max
        runs.append((index, entry.count, runs.isEmpty ? -1 : min(start, fromPlace)))
      }
      start = end
    }
    var kept: Set<Int> = []
    var rows = 0
    for run in runs.sorted(by: { ($0.distance, $0.index) < ($1.distance, $1.index) }) {
      rows += run.rows
      guard kept.isEmpty || rows <= limit else { break }
      kept.insert(run.index)
    }
    return kept
  }
}
