internal import FreshetLists
internal import struct Foundation.Date

/// The rows of a feed: the timeline, its presentation, and news beyond the loaded rows.
///
/// Edits and news are shown at once. When no answer can contradict them any more, they become part
/// of the timeline. Each function that changes rows makes one step, a `RowChange`.
struct FeedRows: Sendable {
  /// The rows that answers have proven.
  var timeline = Timeline()
  /// The rows as the user sees them.
  var presentation: Presentation
  /// The news of items that belong beyond the loaded rows.
  var unplacedNews: [RowID: News] = [:]
  /// The items that an edit placed out of order, and that answers do not contain at that position.
  var misplaced: [AnyItem] = []
  /// The moves of items that are not loaded yet, by the numbers of their edits.
  var unplacedMoves: [Int: UnplacedMove] = [:]
  /// The item that appeared on screen last.
  var displayed: RowID? { didSet { isJumping = false } }
  /// The last item that the last load of an edge inserted.
  var reached: RowID?
  /// Whether a row far from `displayed` is wanted, and no item has appeared on screen since.
  var isJumping = false
  /// The order of the source; `nil` if it is unknown.
  let order: Timeline.Order?

  /// An item that an event reported, and the last request made before the event.
  typealias News = (item: AnyItem, token: Int, request: Int)

  init(
    order: Timeline.Order?, sectionedBy section: (@Sendable (AnyItem) -> String)?
  ) {
    self.order = order
    presentation = Presentation(sectionedBy: section)
    timeline.isSorted = order != nil
  }

  /// Changes the timeline or the edits over it, and updates the presentation.
  mutating func change(
    _ cause: RowTrace.Cause, _ duplicates: Int = 0, showsTop: Bool = false, at now: Date,
    by change: (inout Self) -> TimelineEdit = { _ in TimelineEdit() }
  ) -> RowChange {
    let (before, shown, stored) = (timeline.content, presentation.snapshot, timeline.stored)
    timeline.trace = Shared(RowTrace(cause: cause, date: now))
    var edit = change(&self)
    timeline.followEvicted(&edit)
    let (changes, rows) = presentation.apply(
      edit, from: before, to: timeline, showsTop: showsTop || cause == .edit)
    return RowChange(
      cause, edit: edit, rows: rows, stored: stored, shown: shown, changes: changes,
      duplicates: duplicates)
  }

  /// Removes an item from the timeline; evicted rows around it keep their neighbours.
  mutating func take(out id: RowID) -> TimelineEdit {
    timeline.rebindEvicted(beside: id)
    return timeline.remove(id)
  }

  /// Evicts rows to save memory.
  ///
  /// - Parameter isStored: whether the rows are on disk.
  mutating func evict(_ range: Range<Int>, isStored: Bool, at now: Date) -> RowChange {
    change(.cache, at: now) { $0.timeline.evict(range, isStored: isStored) }
  }

  /// Returns the gaps that were shown or hidden since the last call.
  mutating func takeChangedGaps() -> Set<Gap.ID> { presentation.takeChangedGaps() }

  // MARK: - Rows that are held back

  /// Holds back the rows that are inserted at the head from now on.
  mutating func holdNew() { presentation.holdNew(in: timeline) }

  /// Shows the rows that were held back.
  mutating func showNew() -> RowChange {
    let (shown, stored) = (presentation.snapshot, timeline.stored)
    return RowChange(
      .event, edit: TimelineEdit(), rows: RowEdits(), stored: stored, shown: shown,
      changes: presentation.showNew(in: timeline))
  }

  // MARK: - The reader

  /// Sets the item at which the reader is.
  ///
  /// - Returns: whether the item is in the list.
  mutating func setReader(_ id: RowID?) -> Bool {
    if let id, presentation.overlay.index(of: id, in: timeline) == nil { return false }
    presentation.setReader(id, in: timeline)
    return true
  }

  /// The index of the row that appeared on screen last.
  ///
  /// It may be the first one on display, or the last one.
  var displayedIndex: Int {
    let index = (displayed ?? presentation.reader).flatMap(timelineIndex(of:)) ?? 0
    return max(0, min(index, timeline.count - 1))
  }

  /// The reader's place among the rows on disk; `nil` if it is not in memory.
  var storedAnchor: Int? {
    guard timeline.count > 0, let index = presentation.reader.flatMap(timelineIndex(of:)) else {
      return nil
    }
    return timeline.stored.index(of: min(index, timeline.count - 1))
  }

  /// Returns an item's index in the timeline, or the index before which an edit placed it.
  func timelineIndex(of id: RowID) -> Int? {
    presentation.overlay.timelineIndex(of: id, in: timeline)
  }

  /// Returns the rows that are neither near the head, the rows on display, nor the anchor.
  ///
  /// - Parameters:
  ///   - maximum: the number of rows to keep in memory.
  ///   - page: the number of rows of a page.
  func farRanges(_ maximum: Int, page: Int) -> [Range<Int>] {
    let count = timeline.count
    let head = presentation.headIndex(in: timeline) + page
    let window = max(page, maximum - page)
    let anchor = presentation.reader.flatMap(timelineIndex(of:))
    let reached = reached.flatMap(timelineIndex(of:))
    let displayed = displayed.flatMap(timelineIndex(of:))
    let focus = (isJumping ? reached ?? displayed : displayed ?? reached) ?? anchor ?? 0
    let start = min(max(focus - window / 2, head), max(head, count - window))
    var near = [0..<head, start..<(start + window)]
    near += [anchor, reached, displayed].compactMap { $0.map { max(0, $0 - page)..<($0 + page) } }
    // Edited rows stay in memory, because an edit is stored once the source has confirmed it. So
    // do their neighbours: they determine its position, also among the rows on disk. Outdated rows
    // stay, because of two copies on disk it is unknown which is older.
    let kept = Array(presentation.overlay.edits.ids) + Array(timeline.evicted.outdated)
    near += kept.compactMap(timelineIndex(of:)).map { max(0, $0 - 1)..<($0 + 2) }
    var far: [Range<Int>] = []
    var end = 0
    for range in near.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { far.append(end..<min(range.lowerBound, count)) }
      end = max(end, range.upperBound)
    }
    if end < count { far.append(end..<count) }
    // A range of less than a page is not worth a gap.
    return far.filter { $0.count >= page }
  }
}
