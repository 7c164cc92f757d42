internal import FreshetLists

/// The rows of a timeline that are on disk and not in memory, with gaps in their places.
///
/// Such a gap is marked (`Gap.isStored`). `Timeline.match` concludes nothing about the rows after
/// it. It is needed even at an end of the list, and the page keys of its rows are on disk. Only
/// this type knows which rows it represents.
struct EvictedRows: Sendable {
  /// The segment on disk that each gap represents.
  private(set) var runs: [Gap.ID: EvictedSegment] = [:]
  /// The map from rows in memory to indices on disk, as of the last `follow(_:_:)`.
  private var onDisk = DiskIndexMap()
  /// For each item, the gaps whose segments have it as a neighbour.
  private var beside: [RowID: Set<Gap.ID>] = [:]
  /// The gaps whose segments changed since the last `follow(_:_:)`.
  private var changed: Set<Gap.ID> = []
  /// The items that were evicted to disk.
  private var evictedIDs: Set<RowID> = []
  /// The same items by gap.
  ///
  /// If a gap was restored in its middle, each of the two remaining parts lists the items of both.
  private var ids: [Gap.ID: Set<RowID>] = [:]
  /// The items whose copies on disk are outdated, because they were inserted again or removed.
  ///
  /// These copies are never shown.
  private(set) var outdated: Set<RowID> = []
  /// Whether rows were left on disk that have not been read.
  private var hasUnread = false

  /// Whether no rows are only on disk, and no gap changed since the last `follow(_:_:)`.
  var isIdle: Bool { runs.isEmpty && changed.isEmpty }

  /// Returns whether an older version of an item may be on disk.
  func mayBeStored(_ id: RowID, beside timeline: Timeline) -> Bool {
    timeline.index(of: id) == nil && !outdated.contains(id)
      && (hasUnread || evictedIDs.contains(id))
  }

  /// Returns whether an item was evicted from memory to disk.
  func isEvicted(_ id: RowID) -> Bool { evictedIDs.contains(id) }

  /// Returns the map from rows in memory to indices on disk.
  ///
  /// - Complexity: O(1).
  func stored(_ timeline: Timeline) -> DiskIndexMap {
    var stored = onDisk
    stored.rows = timeline.content.orders
    return stored
  }

  /// Sets the segment that a gap represents; `nil` if it represents none.
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

  /// Replaces rows with a gap.
  ///
  /// - Parameter isStored: whether the rows are on disk.
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

  /// Records the items that a gap represents from now on, including those of gaps among `rows`.
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
        // Insert the smaller set into the larger one.
        if more.count > all.count { swap(&more, &all) }
        all.formUnion(more)
      }
    }
    ids[gap] = all
  }

  /// Records the rows that stay on disk after those that were read, and the gap for them.
  ///
  /// - Parameter unproven: the rows that no answer has included, counted from the first one.
  mutating func leave(
    _ count: Int, behind gap: Gap, below item: RowID?, unproven: [Range<Int>]
  ) {
    hasUnread = true
    set(gap.id, EvictedSegment(count: count, above: item, below: nil, unproven: unproven))
  }

  /// Returns the rows that no answer has included, as indices on disk.
  ///
  /// They are the ones in memory and the ones that are only on disk.
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

  /// Replaces a gap that represents rows on disk, or a part of the gap, with those rows.
  ///
  /// - Parameters:
  ///   - part: the rows to restore, counted from the first one of the gap.
  ///   - items: the items among those rows, shown or not.
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

  /// Returns rows from disk without outer gaps that are next to rows which stay on disk.
  ///
  /// Those gaps count as rows that stay on disk.
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

  /// Marks the rows on disk at these gaps as lost, so that only the gaps remain.
  mutating func forget(runs ids: [Gap.ID]) { for id in ids { change(id) { $0.above = nil } } }

  /// Forgets items whose copies on disk are no longer represented by a gap.
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

  /// Prepares for the removal of a row, after which its neighbours are adjacent.
  ///
  /// A segment on disk beside the row gets the row's other neighbour instead. If the item may be
  /// on disk too, that copy is outdated from now on.
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

  /// Updates the rows on disk after a change of the timeline.
  ///
  /// If a gap has other neighbours now, the rows on disk may not be what is between them. The gap
  /// is replaced with one that loads from the source.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows changed: all other gaps keep their neighbours.
  ///   After rows were evicted, restored or renumbered, all gaps that represent rows on disk are
  ///   visited.
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

  /// Forgets the segment of a gap, whose rows the source has to load.
  private mutating func leaveToSource(_ gap: Gap.ID) {
    set(gap, nil)
    forget(items: ids.removeValue(forKey: gap) ?? [])
  }

  /// Returns the gaps that were removed or may have other neighbours.
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
