internal import FreshetLists
internal import struct Foundation.Date

// The rows that are restored from disk.
extension FeedRows {
  // MARK: - At the start

  /// The result of appending rows from disk to the list.
  struct Restored {
    let change: RowChange
    /// The rows that were not inserted, as indices among those read.
    let dropped: [Int]
    /// Whether rows are lost above the first one, so the head of the list is unknown (rule P3).
    let isHeadLost: Bool
    /// The number of rows that were in the list before.
    let above: Int
    /// The gap that represents the rows that stay on disk; `nil` if there are none.
    let rest: Gap.ID?
  }

  /// Appends rows from disk to the rows that were restored before.
  ///
  /// - Parameters:
  ///   - progress: the progress of restoring.
  ///   - maximum: the number of rows to keep in memory.
  mutating func restore(
    _ cached: CachedRows<AnyItem>, _ progress: inout RestoreProgress, maximum: Int?, at now: Date
  ) -> Restored {
    var read = appearing(cached.rows)
    var new = progress.isGapNext ? [NewRow(row: .gap(timeline.makeGap()))] : []
    new += read.rows
    let isHeadLost = timeline.count == 0 && new.first?.row.gap != nil
    let state = known(of: cached, isHeadLost, after: progress.rows, &read, &new)
    // A gap at the end is dropped, unless more rows follow.
    progress.isGapNext = !cached.isComplete && new.last?.row.gap != nil
    if progress.isGapNext { new.removeLast() }
    let isTooLong = maximum.map { !cached.isComplete && cached.count > $0 && cached.hasItems }
    let rest = isTooLong == true ? leaveRest(of: cached, behind: &new, &progress) : nil
    let end = timeline.count
    let change = change(.cache, read.dropped.count, at: now) { rows in
      let tail = state.tail == .unknown && end + new.count > 0 ? FeedEnd.open : state.tail
      var edit = rows.timeline.replace(
        end..<end, with: new, head: state.head,
        tail: cached.isComplete || rest != nil ? tail : nil)
      for (id, mark) in read.marks { rows.timeline.mark(id, &edit) { $0 = mark.stored } }
      return edit
    }
    restoreReader(at: state.anchor, in: cached.rows, from: progress.rows)
    let here = progress.rows..<(progress.rows + cached.rows.count)
    markUnproven(cached.state.unproven.counted(in: here), of: cached.rows, but: read.dropped)
    progress.rows += cached.rows.count
    return Restored(
      change: change, dropped: read.dropped, isHeadLost: isHeadLost, above: end, rest: rest)
  }

  /// Returns the stored state that applies to the rows from disk.
  ///
  /// A gap above the first row means that rows are lost there, so the head has to be loaded. If no
  /// row is left at all, the state is empty.
  private func known(
    of cached: CachedRows<AnyItem>, _ isHeadLost: Bool, after restored: Int,
    _ read: inout ReadRows, _ new: inout [NewRow]
  ) -> CachedState {
    var state = cached.state
    if isHeadLost {
      if read.rows.first?.row.gap != nil { read.dropped.insert(0, at: 0) }
      new = Array(new.drop { $0.row.gap != nil })
      state.head = .open
      if new.isEmpty, cached.isComplete { state = CachedState() }
    } else if restored > 0 {
      state.head = timeline.head
    }
    return state
  }

  /// Restores the reader's place, an index among the rows as they were stored.
  private mutating func restoreReader(
    at place: Int?, in rows: [CachedRows<AnyItem>.Row], from first: Int
  ) {
    if presentation.reader == nil, let place, place >= first,
      case .item(let item, _)? = rows.dropFirst(place - first).first
    {
      presentation.setReader(item.id, in: timeline)
    }
  }

  /// Keeps the rows after the first ones on disk.
  private mutating func leaveRest(
    of cached: CachedRows<AnyItem>, behind new: inout [NewRow], _ progress: inout RestoreProgress
  ) -> Gap.ID {
    let gap = Gap(id: timeline.makeGap().id, isStored: true)
    let count = cached.count - cached.rows.count + (progress.isGapNext ? 1 : 0)
    timeline.leave(
      count, behind: gap, below: new.last?.row.item?.id,
      unproven: cached.state.unproven.counted(in: (cached.count - count)..<cached.count))
    progress.isGapNext = false
    new.append(NewRow(row: .gap(gap)))
    return gap.id
  }

  // MARK: - Later

  /// The result of replacing a gap with rows from disk.
  struct ReadBack {
    let change: RowChange
    /// The rows on disk that were not inserted.
    let dropped: [Int]
    /// Whether at least one item was inserted.
    let hasItems: Bool
  }

  /// Replaces a gap with the rows from disk that it represented.
  ///
  /// - Parameter middle: the row of the gap at which the reader is.
  mutating func readBack(
    _ rows: [CachedRows<AnyItem>.Row], of disk: DiskPart, middle: Int?, at now: Date
  ) -> ReadBack {
    let (gap, part, read) = (disk.gap, disk.range, appearing(rows))
    var dropped = read.dropped
    if read.rows.last?.row.gap != nil, disk.run.below == nil, part.upperBound == disk.run.count {
      // A gap after the last row is dropped.
      dropped = (dropped + [read.lastGap]).sorted()
    }
    let start = timeline.index(ofGap: gap).map(timeline.stored.index(of:)) ?? 0
    let change = change(.cache, dropped.count, at: now) { rows in
      var edit = rows.timeline.restore(gap, part, of: read.ids, with: read.rows)
      for (id, mark) in read.marks { rows.timeline.mark(id, &edit) { $0 = mark.stored } }
      return edit
    }
    markUnproven(disk.run.unproven.counted(in: part), of: rows, but: read.dropped)
    restoreReader(at: middle, in: rows, from: part.lowerBound)
    let items = read.rows.lazy.compactMap(\.row.item)
    reached = read.rows.last?.row.item?.id ?? reached
    return ReadBack(
      change: change, dropped: dropped.map { start + part.lowerBound + $0 },
      hasItems: !items.isEmpty)
  }

  /// Forgets the rows on disk that these gaps represent; the gaps stay.
  mutating func forgetStored(_ gaps: [Gap.ID], at now: Date) -> RowChange {
    change(.cache, at: now) {
      $0.timeline.forgetEvicted(gaps)
      return TimelineEdit()
    }
  }

  // MARK: - Rows as they appear

  /// The rows from disk that are to be inserted.
  private struct ReadRows {
    var rows: [NewRow] = []
    var marks: [RowID: PageBoundary] = [:]
    /// The rows that are not inserted, as indices among those read.
    ///
    /// Their items are at another position by now, or were removed.
    var dropped: [Int] = []
    /// The ids of all items read, inserted or not.
    var ids: Set<RowID> = []
    /// The index of the last gap that is inserted.
    var lastGap = 0
  }

  private mutating func appearing(_ cached: [CachedRows<AnyItem>.Row]) -> ReadRows {
    var read = ReadRows()
    read.rows.reserveCapacity(cached.count)
    read.ids.reserveCapacity(cached.count)
    for (index, row) in cached.enumerated() {
      switch row {
      // Two adjacent gaps are one.
      case .gap where read.rows.last?.row.gap != nil: read.dropped.append(index)
      case .gap:
        read.rows.append(NewRow(row: .gap(timeline.makeGap())))
        read.lastGap = index
      case .item(let item, let mark):
        guard read.ids.insert(item.id).inserted, timeline.index(of: item.id) == nil,
          !timeline.evicted.outdated.contains(item.id),
          !presentation.overlay.edits.isDeleted(item.id)
        else {
          read.dropped.append(index)
          continue
        }
        read.rows.append(NewRow(row: .item(item)))
        if let mark { read.marks[item.id] = mark }
      }
    }
    return read
  }

  /// Marks the rows from disk that no answer has contained.
  ///
  /// - Parameters:
  ///   - unproven: their indices among `rows`.
  ///   - dropped: the rows that were not inserted.
  private mutating func markUnproven(
    _ unproven: [Range<Int>], of rows: [CachedRows<AnyItem>.Row], but dropped: [Int]
  ) {
    for range in unproven {
      let orders = range.clamped(to: rows.indices).compactMap { index -> RowOrder? in
        guard case .item(let item, _) = rows[index], !dropped.contains(index) else { return nil }
        return timeline.order(of: item.id)
      }
      if let first = orders.first, let last = orders.last, first <= last {
        timeline.markUnproven(first...last)
      }
    }
  }
}

extension CachedRows {
  fileprivate var hasItems: Bool {
    rows.contains { if case .item = $0 { true } else { false } }
  }
}
