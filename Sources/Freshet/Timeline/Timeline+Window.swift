internal import FreshetLists

/// Rows that are on disk and not in memory: a gap stands for them.
struct UnloadedRows<ID: Hashable & Sendable>: Equatable, Sendable {
  var count: Int
  /// Who stands around the gap: where others do, the rows on disk are not what is between.
  var above: ID?
  var below: ID?
}

/// How the rows in memory count among those on disk.
struct StoredRows<Item: ListItem>: Sendable {
  /// The gaps that stand for rows on disk.
  var gaps: [FeedCommit<Item>.Unloaded] = []

  /// The rows on disk that one in memory stands for.
  func range(of row: Int) -> Range<Int> {
    var start = row
    for gap in gaps {
      if gap.row == row { return start..<(start + gap.count) }
      if gap.row > row { break }
      start += gap.count - 1
    }
    return start..<(start + 1)
  }

  func index(of row: Int) -> Int { range(of: row).lowerBound }
}

extension Timeline {
  /// How the rows count on disk.
  var stored: StoredRows<Item> {
    let gaps = unloaded.compactMap { id, rows in
      index(ofGap: id).map { FeedCommit<Item>.Unloaded(row: $0, count: rows.count) }
    }
    return StoredRows(gaps: gaps.sorted { $0.row < $1.row })
  }

  /// How many rows there are, with those on disk.
  var storedCount: Int { count + unloaded.values.reduce(0) { $0 + $1.count - 1 } }

  /// Puts a gap in the place of rows.
  ///
  /// - Parameter isStored: whether they are on disk.
  mutating func unload(_ range: Range<Int>, isStored: Bool) -> TimelineEdit<Item> {
    let start = range.lowerBound - (gap(at: range.lowerBound - 1) == nil ? 0 : 1)
    let end = range.upperBound + (gap(at: range.upperBound) == nil ? 0 : 1)
    let stored = self.stored
    let kept = (start..<end).first { gap(at: $0) != nil }
    let id = (kept.flatMap(gap(at:)) ?? makeGap()).id
    if isStored {
      unloaded[id] = UnloadedRows(
        count: stored.range(of: end - 1).upperBound - stored.index(of: start),
        above: itemID(at: start - 1), below: itemID(at: end))
      noteUnloaded(start..<end)
    }
    let row = FeedRow<Item>.gap(Gap(id: id, isStored: isStored))
    return replace(start..<end, with: [NewRow(row: row, keeps: kept)])
  }

  /// Puts rows from disk in the place of a gap that stands for them, or of a part of it.
  ///
  /// - Parameter part: the rows on disk that they are, counted from the first one that the gap stands
  ///   for.
  mutating func reload(
    _ id: Gap.ID, _ part: Range<Int>, with newRows: [NewRow<Item>]
  ) -> TimelineEdit<Item> {
    guard let index = index(ofGap: id), let old = unloaded[id] else { return TimelineEdit() }
    // A gap beside those that stay is one of theirs.
    var rows = newRows[...]
    var (before, after) = (part.lowerBound, old.count - part.upperBound)
    while before > 0, rows.first?.row.gap != nil {
      rows.removeFirst()
      before += 1
    }
    while after > 0, rows.last?.row.gap != nil {
      rows.removeLast()
      after += 1
    }
    if rows.isEmpty {
      (before, after) = (before + after, 0)
    }
    let gap = Gap(id: id, isStored: true)
    var placed = Array(rows)
    // Set at once: what is known of rows on disk goes with the last gap that stands for some.
    var unloaded = unloaded
    unloaded[id] = nil
    if before > 0 {
      unloaded[id] = UnloadedRows(
        count: before, above: old.above, below: rows.first.map { $0.row.item?.id } ?? old.below)
      placed.insert(NewRow(row: .gap(gap), keeps: index), at: 0)
    }
    if after > 0 {
      let rest = before > 0 ? Gap(id: makeGap().id, isStored: true) : gap
      unloaded[rest.id] = UnloadedRows(
        count: after, above: rows.last?.row.item?.id, below: old.below)
      placed.append(NewRow(row: .gap(rest), keeps: before > 0 ? nil : index))
    }
    self.unloaded = unloaded
    return replace(index..<(index + 1), with: placed)
  }

  /// The rows on disk that gaps stand for are no longer there: what is left are gaps.
  mutating func forgetStored(_ ids: [Gap.ID]) -> TimelineEdit<Item> {
    for id in ids { unloaded[id]?.above = nil }
    return replace(0..<0, with: [])
  }

  private func gap(at index: Int) -> Gap? { rows.indices.contains(index) ? rows[index].gap : nil }

  private func itemID(at index: Int) -> Item.ID? {
    rows.indices.contains(index) ? rows[index].item?.id : nil
  }

  /// Where others stand around a gap, what is on disk is not what is between: it becomes a gap to ask
  /// the source about.
  mutating func checkUnloaded(_ edit: inout TimelineEdit<Item>) {
    for (id, old) in unloaded {
      guard let index = index(ofGap: id) else {
        unloaded[id] = nil
        continue
      }
      let isProven =
        itemID(at: index - 1) == old.above && old.above != nil
        && itemID(at: index + 1) == old.below
      if !isProven { replaceGap(id, &edit) }
    }
  }
}
