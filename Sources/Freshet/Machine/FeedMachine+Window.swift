internal import FreshetLists
internal import struct Foundation.Date

// Rows that are let go to save memory, and read back.
extension FeedMachine {
  /// Lets pages go that are far from what is on display, once they are stored.
  mutating func trim(at now: Date) -> [Effect] {
    guard let maximum = configuration.maximumRows, timeline.count > maximum, !isRestoring,
      !pending.isWhole
    else { return [] }
    var effects: [Effect] = []
    // Keys of pages that are let go will be used again.
    if !isCached { planner.forgetUsedKeys() }
    for range in farRanges(maximum).reversed() {
      let change = change(.cache, at: now) {
        $0.timeline.evict(range, isStored: $0.isCached)
      }
      effects += publish(change)
    }
    return effects
  }

  /// The rows that are neither at the head nor around what is on display or the anchor.
  private func farRanges(_ maximum: Int) -> [Range<Int>] {
    let (count, page) = (timeline.count, max(1, configuration.pageSize))
    let head = presentation.headIndex(in: timeline) + page
    let window = max(page, maximum - page)
    let index = { presentation.overlay.timelineIndex(of: $0, in: timeline) }
    let (anchor, reached) = (presentation.reader.flatMap(index), reached.flatMap(index))
    let focus = displayed.flatMap(index) ?? reached ?? anchor ?? 0
    let start = min(max(focus - window / 2, head), max(head, count - window))
    var near = [0..<head, start..<(start + window)]
    near += [anchor, reached].compactMap { $0.map { max(0, $0 - page)..<($0 + page) } }
    // What the source takes of an edit is stored once it has. The rows around it tell where it
    // stands, and what is on disk beside it where it goes.
    near += presentation.overlay.edits.ids.compactMap(index).map { max(0, $0 - 1)..<($0 + 2) }
    // Of two copies on disk nobody knows which is the older one.
    near += timeline.evicted.outdated.compactMap(index).map { max(0, $0 - 1)..<($0 + 2) }
    var far: [Range<Int>] = []
    var end = 0
    for range in near.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { far.append(end..<min(range.lowerBound, count)) }
      end = max(end, range.upperBound)
    }
    if end < count { far.append(end..<count) }
    // Less than a page is not worth a gap.
    return far.filter { $0.count >= page }
  }

  /// Where the reader is, among the rows on disk: in memory, or where they are being read.
  var storedAnchor: Int? {
    if let id = presentation.reader, timeline.count > 0,
      let index = presentation.overlay.timelineIndex(of: id, in: timeline)
    {
      return timeline.stored.index(of: min(index, timeline.count - 1))
    }
    return planner.middle(in: timeline)
  }

  /// Rows came from disk, or could not be read; `nil` where they are not there any more.
  mutating func readBack(
    _ answer: Result<[CachedRows<AnyItem>.Row]?, any Error>, for ticket: LoadTicket, at now: Date
  ) -> [Effect] {
    guard let load = planner[ticket], let disk = load.disk else {
      return []
    }
    let isOwn = load.edge == .gap(disk.gap)
    // Others were let go or read meanwhile: then the rows are counted from another one.
    guard timeline.evicted.runs[disk.gap] == disk.run else {
      return isOwn && timeline.evicted.runs[disk.gap] == nil ? finish(load, at: now) : restart(load)
    }
    let rows: [CachedRows<AnyItem>.Row]?
    switch answer {
    case .success(let stored): rows = stored
    case .failure(let error):
      return execute(planner.fail(load, .source(error), in: timeline), at: now)
    }
    guard let rows, rows.count == disk.range.count else {
      planner.forgetUsedKeys()
      let change = change(.cache, at: now) {
        $0.timeline.forgetEvicted([disk.gap])
        return TimelineEdit()
      }
      return isOwn ? finish(load, change, at: now) : publish(change) + save(change) + restart(load)
    }
    return show(rows, of: disk, for: load, isOwn: isOwn, at: now)
  }

  /// Shows rows from disk in the place of the gap that stood for them.
  private mutating func show(
    _ rows: [CachedRows<AnyItem>.Row], of disk: DiskPart, for load: Load, isOwn: Bool, at now: Date
  ) -> [Effect] {
    let (id, part, read) = (disk.gap, disk.range, appearing(rows))
    var (load, dropped) = (load, read.dropped)
    // No request is behind what is on disk: any news are newer.
    load.asked.request = 0
    if read.rows.last?.row.gap != nil, disk.run.below == nil,
      part.upperBound == disk.run.count
    {
      // A gap behind the last row is none.
      dropped = (dropped + [read.lastGap]).sorted()
    }
    let start = timeline.index(ofGap: id).map(timeline.stored.index(of:)) ?? 0
    let change = change(.cache, dropped.count, at: now) { machine in
      var edit = machine.timeline.restore(id, part, of: read.ids, with: read.rows)
      for (id, mark) in read.marks { machine.timeline.mark(id, &edit) { $0 = mark.stored } }
      return edit
    }
    markUnproven(
      disk.run.unproven.counted(in: part), of: rows, but: read.dropped)
    if presentation.reader == nil, let middle = load.middle,
      case .item(let item, _)? = rows.dropFirst(middle - part.lowerBound).first
    {
      presentation.setReader(item.id, in: timeline)
      contents.anchor = presentation.readerKey
    }
    reached = read.rows.last?.row.item?.id ?? reached
    let deleted = dropped.map { start + part.lowerBound + $0 }
    let saved = deleted.isEmpty ? [] : commit(deleted: deleted)
    // All of them were damaged, or stand elsewhere by now: what is behind them is read.
    let readNothing = !read.rows.contains { $0.row.item != nil }
    if !isOwn || timeline.evicted.runs[id] != nil && readNothing {
      return publish(change) + saved + passFrontier(0, at: now) + restart(load)
    }
    return finish(load, change, saved: saved, at: now) + readAnswers()
  }

  /// What is stored goes: what only the disk has becomes a gap to ask the source about.
  mutating func forgetStored(at now: Date) -> [Effect] {
    pending.isWhole = true
    let change = change(.cache, at: now) {
      $0.timeline.forgetEvicted(Array($0.timeline.evicted.runs.keys))
      return TimelineEdit()
    }
    return publish(change) + readAnswers()
  }
}
