internal import FreshetLists

/// The rows of a timeline that are on disk and not in memory, in whose places there are gaps.
///
/// Such a gap is marked (`Gap.isStored`): nothing is concluded about what is behind it
/// (`Timeline.match`), it is not needless at either end, and the key behind it is on disk. Which
/// rows it represents is known here alone.
struct EvictedRows: Sendable {
  /// The gaps that stand for rows on disk.
  private(set) var runs: [Gap.ID: EvictedSegment] = [:]
  /// How the rows count on disk, since the timeline was followed.
  private var onDisk = DiskIndexMap()
  /// The gaps beside which an item stands.
  private var beside: [RowID: Set<Gap.ID>] = [:]
  /// The gaps of which something else is known since the timeline was followed.
  private var changed: Set<Gap.ID> = []
  /// The items that were let go to disk.
  private var evictedIDs: Set<RowID> = []
  /// The same by their gaps; the two parts of a gap that was read in its middle name both's.
  private var ids: [Gap.ID: Set<RowID>] = [:]
  /// The items that came again since, or went: on disk are older copies, and nobody is shown them.
  private(set) var outdated: Set<RowID> = []
  /// Whether there are rows on disk that nobody has read.
  private var hasUnread = false

  /// Whether nothing is on disk alone, and was not before.
  var isIdle: Bool { runs.isEmpty && changed.isEmpty }

  /// Whether an older version of an item may be on disk.
  func mayBeStored(_ id: RowID, beside timeline: Timeline) -> Bool {
    timeline.index(of: id) == nil && !outdated.contains(id)
      && (hasUnread || evictedIDs.contains(id))
  }

  /// How the rows count on disk.
  ///
  /// - Complexity: O(1).
  func stored(_ timeline: Timeline) -> DiskIndexMap {
    var stored = onDisk
    stored.rows = timeline.content.orders
    return stored
  }

  /// Notes what a gap stands for; `nil` where that is nothing.
  private mutating func set(_ id: Gap.ID, _ rows: EvictedSegment?) {
    let old = runs[id]
    for item in [old?.above, old?.below].compactMap(\.self) {
      beside[item]?.remove(id)
      if beside[item]?.isEmpty == true { beside[item] = nil }
    }
    for item in [rows?.above, rows?.below].compactMap(\.self) {
      beside[item, default: []].insert(id)
    }
    runs[id] = rows
    changed.insert(id)
  }

  // MARK: - Letting go and reading back

  /// Puts a gap in the place of rows.
  ///
  /// - Parameter isStored: whether they are on disk.
  mutating func evict(
    _ range: Range<Int>, isStored: Bool, from timeline: inout Timeline
  ) -> TimelineEdit {
    func gap(at index: Int) -> Gap? {
      timeline.rows.indices.contains(index) ? timeline.rows[index].gap : nil
    }
    let start = range.lowerBound - (gap(at: range.lowerBound - 1) == nil ? 0 : 1)
    let end = range.upperBound + (gap(at: range.upperBound) == nil ? 0 : 1)
    let stored = self.stored(timeline)
    let kept = (start..<end).first { gap(at: $0) != nil }
    let id = (kept.flatMap(gap(at:)) ?? timeline.makeGap()).id
    if isStored {
      let (place, last) = (stored.index(of: start), stored.range(of: end - 1).upperBound)
      set(
        id,
        EvictedSegment(
          count: last - place,
          above: timeline.itemID(at: start - 1), below: timeline.itemID(at: end),
          unproven: unproven(in: timeline).counted(in: place..<last)))
      noteEvicted(timeline.rows.slice(start..<end), by: id)
    }
    let row = ListRow<AnyItem>.gap(Gap(id: id, isStored: isStored))
    timeline.unproven.remove(timeline.content.orders[start]...timeline.content.orders[end - 1])
    return timeline.replace(start..<end, with: [NewRow(row: row, keeps: kept)])
  }

  /// Notes the items that a gap stands for from here on, with those of the gaps among them.
  private mutating func noteEvicted(_ rows: RowTree<ListRow<AnyItem>>, by gap: Gap.ID) {
    var all = ids.removeValue(forKey: gap) ?? []
    for row in rows {
      switch row {
      case .item(let item):
        let id = AnyItem.detached(item.id)
        all.insert(id)
        evictedIDs.insert(id)
      case .gap(let other):
        var more = ids.removeValue(forKey: other.id) ?? []
        // The fewer come to the many.
        if more.count > all.count { swap(&more, &all) }
        all.formUnion(more)
      }
    }
    ids[gap] = all
  }

  /// Notes rows on disk behind those that were read, and the gap that represents them.
  ///
  /// - Parameter unproven: which of them no answer has included, counted from the first one.
  mutating func leave(
    _ count: Int, behind gap: Gap, below item: RowID?, unproven: [Range<Int>]
  ) {
    hasUnread = true
    set(gap.id, EvictedSegment(count: count, above: item, below: nil, unproven: unproven))
  }

  /// The rows that no answer has included, as indices on disk: those in memory, and those that are
  /// there alone.
  func unproven(in timeline: Timeline) -> [Range<Int>] {
    let stored = stored(timeline)
    var all = UnprovenRows()
    for rows in timeline.unprovenIndices {
      all.insert(
        stored.index(of: rows.lowerBound)..<stored.range(of: rows.upperBound - 1).upperBound)
    }
    for (id, rows) in runs where !rows.unproven.isEmpty {
      guard let start = timeline.index(ofGap: id).map(stored.index(of:)) else { continue }
      for range in rows.unproven {
        all.insert((range.lowerBound + start)..<(range.upperBound + start))
      }
    }
    return all.ranges.map { Int($0.lowerBound)..<Int($0.upperBound + 1) }
  }

  /// Replaces the gap that represents rows on disk, or a part of it, by those rows.
  ///
  /// - Parameters:
  ///   - part: which rows on disk they are, counted from the first one at the gap.
  ///   - items: the items among those, shown or not.
  mutating func restore(
    _ id: Gap.ID, _ part: Range<Int>, of items: Set<RowID>, with newRows: [NewRow],
    in timeline: inout Timeline
  ) -> TimelineEdit {
    guard let index = timeline.index(ofGap: id), let old = runs[id] else {
      return TimelineEdit()
    }
    forget(items: items)
    var left = ids.removeValue(forKey: id) ?? []
    left.subtract(items)
    let (rows, before, after) = Self.withoutOuterGaps(
      newRows, below: part.lowerBound, above: old.count - part.upperBound)
    let gap = Gap(id: id, isStored: true)
    var placed = Array(rows)
    set(id, nil)
    if before + after > 0, !left.isEmpty { ids[id] = left }
    if before > 0 {
      set(
        id,
        EvictedSegment(
          count: before, above: old.above, below: rows.first.map { $0.row.item?.id } ?? old.below,
          unproven: old.unproven.counted(in: 0..<before)))
      placed.insert(NewRow(row: .gap(gap), keeps: index), at: 0)
    }
    if after > 0 {
      let rest = before > 0 ? Gap(id: timeline.makeGap().id, isStored: true) : gap
      ids[rest.id] = ids[id]
      set(
        rest.id,
        EvictedSegment(
          count: after, above: rows.last?.row.item?.id, below: old.below,
          unproven: old.unproven.counted(in: (old.count - after)..<old.count)))
      placed.append(NewRow(row: .gap(rest), keeps: before > 0 ? nil : index))
    }
    return timeline.replace(index..<(index + 1), with: placed)
  }

  /// Rows from disk without the gaps beside rows that stay there: those count among them.
  ///
  /// - Parameters:
  ///   - before: the number of rows that stay on disk above them.
  ///   - after: the number of rows that stay on disk below them.
  private static func withoutOuterGaps(
    _ newRows: [NewRow], below before: Int, above after: Int
  ) -> (rows: ArraySlice<NewRow>, before: Int, after: Int) {
    var (rows, before, after) = (newRows[...], before, after)
    while before > 0, rows.first?.row.gap != nil {
      rows.removeFirst()
      before += 1
    }
    while after > 0, rows.last?.row.gap != nil {
      rows.removeLast()
      after += 1
    }
    return rows.isEmpty ? (rows, before + after, 0) : (rows, before, after)
  }

  /// The rows on disk at these gaps are gone: only the gaps are left.
  mutating func forget(runs ids: [Gap.ID]) { for id in ids { change(id) { $0.above = nil } } }

  /// What was on disk of these items is there no more.
  private mutating func forget(items: some Sequence<RowID>) {
    for id in items {
      evictedIDs.remove(id)
      outdated.remove(id)
    }
  }

  private mutating func change(_ id: Gap.ID, _ change: (inout EvictedSegment) -> Void) {
    guard var rows = runs[id] else { return }
    change(&rows)
    set(id, rows)
  }

  // MARK: - Following the timeline

  /// A row is to go whose neighbours keep to each other: what is on disk stands beside another one,
  /// and is an older copy where it is of the item.
  mutating func rebind(_ id: RowID, in timeline: Timeline) {
    if hasUnread || evictedIDs.contains(id) { outdated.insert(AnyItem.detached(id)) }
    guard let gaps = beside[id] else { return }
    let neighbours = timeline.neighbours(of: id)
    for gap in gaps {
      change(gap) { rows in
        if rows.above == id { rows.above = neighbours.above }
        if rows.below == id { rows.below = neighbours.below }
      }
    }
  }

  /// Takes in what became of the timeline.
  ///
  /// Where others stand around a gap, what is on disk is not what is between: it becomes a gap to
  /// ask the source about.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows changed: around other gaps stand those that stood
  ///   there. Where rows were let go or read back, or numbered anew, all gaps that stand for rows
  ///   on disk are looked at.
  mutating func follow(_ edit: inout TimelineEdit, _ timeline: inout Timeline) {
    for (_, row) in edit.inserted {
      if let item = row.item, evictedIDs.contains(item.id) {
        outdated.insert(AnyItem.detached(item.id))
      }
    }
    var isChanged = false
    for id in gapsBesideChanges(edit, timeline).sorted() {
      guard let old = runs[id] else { continue }
      guard let index = timeline.index(ofGap: id) else {
        leaveToSource(id)
        continue
      }
      if old.isProven(at: index, in: timeline) { continue }
      leaveToSource(id)
      timeline.replaceGap(id, &edit)
      isChanged = true
    }
    if isChanged { timeline.dropNeedlessGaps(&edit) }
    if runs.isEmpty { return self = EvictedRows() }
    guard !changed.isEmpty || edit.renumbered != nil else { return }
    changed = []
    WorkCount.note(runs.count)
    onDisk = DiskIndexMap(
      runs.compactMap { id, rows in timeline.gaps[id].map { ($0, rows.count) } })
  }

  /// A gap stands for nothing on disk any more.
  private mutating func leaveToSource(_ gap: Gap.ID) {
    set(gap, nil)
    forget(items: ids.removeValue(forKey: gap) ?? [])
  }

  /// The gaps that went or may have other neighbours.
  private func gapsBesideChanges(
    _ edit: TimelineEdit, _ timeline: Timeline
  ) -> Set<Gap.ID> {
    var gaps = changed.union(edit.removed.lazy.compactMap { $0.row.gap?.id })
    for order in edit.removed.map(\.order) + edit.inserted.map(\.order) {
      let index = timeline.content.index(of: order)
      for index in (index - 1)...(index + 1) where timeline.rows.indices.contains(index) {
        if let gap = timeline.rows[index].gap { gaps.insert(gap.id) }
      }
    }
    return gaps
  }
}
