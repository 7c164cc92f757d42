internal import FreshetLists
internal import struct Foundation.Date

/// The rows of a feed: what is known of them, what is shown, and what belongs where nothing is
/// loaded.
///
/// Edits and news are shown at once, and become evidence when no answer can contradict them any
/// more: this value does both. Each function that changes rows makes one step, a `RowChange`.
struct FeedRows: Sendable {
  /// What answers proved.
  var timeline = Timeline()
  /// What is shown of it.
  var presentation: Presentation
  /// News of items that belong beyond what is loaded.
  var unplacedNews: [RowID: News] = [:]
  /// Items that an edit put out of order, and that answers showed not to be there.
  var misplaced: [AnyItem] = []
  /// The item that came on screen last.
  var displayed: RowID?
  /// The item that the last load of an edge came to.
  var reached: RowID?
  /// How the source orders its items, where that is known.
  let order: Timeline.Order?

  /// What the source says of an item by itself, and the last request made before.
  typealias News = (item: AnyItem, token: Int, request: Int)

  init(
    order: Timeline.Order?, sectionedBy section: (@Sendable (AnyItem) -> String)?
  ) {
    self.order = order
    presentation = Presentation(sectionedBy: section)
    timeline.isSorted = order != nil
  }

  /// Changes the timeline or the edits over it, and with them what is shown.
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

  /// Takes an item out of the timeline, and lets what is on disk around it keep its neighbours.
  mutating func take(out id: RowID) -> TimelineEdit {
    timeline.rebindEvicted(beside: id)
    return timeline.remove(id)
  }

  /// Lets rows go to save memory.
  ///
  /// - Parameter isStored: whether they are on disk.
  mutating func evict(_ range: Range<Int>, isStored: Bool, at now: Date) -> RowChange {
    change(.cache, at: now) { $0.timeline.evict(range, isStored: isStored) }
  }

  /// The gaps that came or went on display since this was last asked for.
  mutating func takeChangedGaps() -> Set<Gap.ID> { presentation.takeChangedGaps() }

  // MARK: - Rows that wait

  /// From now on rows that come at the head wait.
  mutating func holdNew() { presentation.holdNew(in: timeline) }

  /// Shows the rows that waited.
  mutating func showNew() -> RowChange {
    let (shown, stored) = (presentation.snapshot, timeline.stored)
    return RowChange(
      .event, edit: TimelineEdit(), rows: RowEdits(), stored: stored, shown: shown,
      changes: presentation.showNew(in: timeline))
  }

  // MARK: - The reader

  /// The reader came to an item.
  ///
  /// - Returns: whether it is there.
  mutating func setReader(_ id: RowID?) -> Bool {
    if let id, presentation.overlay.index(of: id, in: timeline) == nil { return false }
    presentation.setReader(id, in: timeline)
    return true
  }

  /// The index of the last row on display: what came on screen last may be the first one there.
  ///
  /// - Parameter distance: how many rows further down count as on display.
  func lastDisplayed(ahead distance: Int) -> Int {
    let index = (displayed ?? presentation.reader).flatMap(timelineIndex(of:)) ?? 0
    return min(index + distance, timeline.count - 1)
  }

  /// Where the reader is, among the rows on disk; `nil` where that is not in memory.
  var storedAnchor: Int? {
    guard timeline.count > 0, let index = presentation.reader.flatMap(timelineIndex(of:)) else {
      return nil
    }
    return timeline.stored.index(of: min(index, timeline.count - 1))
  }

  /// The index of the timeline where an item stands, or before which an edit put it.
  func timelineIndex(of id: RowID) -> Int? {
    presentation.overlay.timelineIndex(of: id, in: timeline)
  }

  /// The rows that are neither at the head nor around what is on display or the anchor.
  ///
  /// - Parameters:
  ///   - maximum: how many rows are to be in memory.
  ///   - page: how many rows a page has.
  func farRanges(_ maximum: Int, page: Int) -> [Range<Int>] {
    let count = timeline.count
    let head = presentation.headIndex(in: timeline) + page
    let window = max(page, maximum - page)
    let anchor = presentation.reader.flatMap(timelineIndex(of:))
    let reached = reached.flatMap(timelineIndex(of:))
    let focus = displayed.flatMap(timelineIndex(of:)) ?? reached ?? anchor ?? 0
    let start = min(max(focus - window / 2, head), max(head, count - window))
    var near = [0..<head, start..<(start + window)]
    near += [anchor, reached].compactMap { $0.map { max(0, $0 - page)..<($0 + page) } }
    // What the source takes of an edit is stored once it has. The rows around it tell where it
    // stands, and what is on disk beside it where it goes. Of two copies on disk it is not
    // known which is the older one.
    let kept = Array(presentation.overlay.edits.ids) + Array(timeline.evicted.outdated)
    near += kept.compactMap(timelineIndex(of:)).map { max(0, $0 - 1)..<($0 + 2) }
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
}
