internal import FreshetLists

/// What stands between the evidence and the screen: the user's edits, the rows that wait, where the
/// reader is, and sections.
///
/// Each stage has its own state and takes in what became of the rows of the stage before it.
struct Presentation: Sendable {
  var overlay = Overlay()
  private(set) var newItems = NewItemsBuffer()
  private var sections: FeedSections
  private var anchor: ReaderAnchor?
  /// The rows that are shown, and where gaps are among them.
  private(set) var rows: RowTree<ListRow<AnyItem>> = []
  private(set) var gaps: [Int] = []
  /// The gaps that came or went since somebody last asked.
  private var changedGaps: Set<Gap.ID> = []
  /// How many items wait to be shown.
  private(set) var waitingItems = 0

  init(sectionedBy section: (@Sendable (AnyItem) -> String)?) {
    sections = FeedSections(by: section)
  }

  /// The rows as they are shown, in their sections.
  var snapshot: ListSnapshot<ListRow<AnyItem>> { sections.snapshot }

  /// Takes in what became of the timeline, and of the edits.
  ///
  /// - Parameters:
  ///   - edit: what became of the timeline.
  ///   - before: its rows before, with the orders they had.
  ///   - timeline: the timeline after.
  ///   - showsTop: whether rows that come right above the first shown one do not wait.
  /// - Returns: the batch that leads from what was shown to what is shown, and what became of the
  ///   timeline by index.
  /// - Complexity: O(*k* log *n* + sections + gaps) for *k* rows changed (rule C4).
  mutating func apply(
    _ edit: TimelineEdit, from before: OrderedRows<ListRow<AnyItem>>,
    to timeline: Timeline, showsTop: Bool
  ) -> (changes: ListChanges, edits: RowEdits) {
    if let renumbered = edit.renumbered { overlay.renumber(renumbered.orders, from: before) }
    let before = edit.renumbered?.before ?? before
    let answered = edit.byIndex(from: before, to: timeline.content)
    let edits = overlay.apply(edit, answered, from: before, to: timeline)
    overlay.isRenumbered = false
    if newItems.waiting != nil, before.count == 0 { overlay.bindTop(to: timeline) }
    follow(edits, timeline)
    let shown = newItems.apply(edits, count: overlay.rows.count, showsTop: showsTop)
    return (show(shown, timeline), answered)
  }

  /// From now on rows that come at the head wait.
  mutating func holdNew(in timeline: Timeline) {
    guard newItems.waiting == nil else { return }
    overlay.bindTop(to: timeline)
    newItems.hold()
  }

  /// Shows the rows that waited.
  mutating func showNew(in timeline: Timeline) -> ListChanges {
    show(newItems.showAll(), timeline)
  }

  private mutating func show(_ edits: RowEdits, _ timeline: Timeline) -> ListChanges {
    let before = rows
    rows = newItems.shown(of: overlay.rows)
    if !(gaps.isEmpty && timeline.gaps.isEmpty) { moveGaps(edits, from: before) }
    waitingItems = (newItems.waiting ?? 0) - (timeline.gaps.count - gaps.count)
    return edits.isEmpty ? ListChanges() : sections.apply(edits, to: rows)
  }

  // MARK: - Gaps

  /// Follows the gaps among the rows that are shown.
  ///
  /// - Complexity: O(*k* log *n*) for *k* edits, and one addition for each gap below them.
  private mutating func moveGaps(_ edits: RowEdits, from before: RowTree<ListRow<AnyItem>>) {
    guard let first = [edits.deleted.first, edits.inserted.first].compactMap(\.self).min() else {
      return
    }
    for index in edits.deleted {
      if let gap = before[index].gap { changedGaps.insert(gap.id) }
    }
    var came: [Int] = []
    for run in edits.inserted.runs {
      for (index, row) in zip(run, rows.slice(run)) {
        guard let gap = row.gap else { continue }
        came.append(index)
        changedGaps.insert(gap.id)
      }
    }
    let start = gaps.partition { $0 >= first }
    WorkCount.note(gaps.count - start + came.count)
    let moved = gaps[start...].compactMap(edits.place(of:))
    gaps.replaceSubrange(start..., with: came.isEmpty ? moved : (moved + came).sorted())
  }

  /// The gaps that came or went since this was last asked for.
  mutating func takeChangedGaps() -> Set<Gap.ID> {
    defer { changedGaps = [] }
    return changedGaps
  }

  /// Whether a gap is shown.
  ///
  /// - Complexity: O(log *n*).
  func shows(gap: Gap.ID, of timeline: Timeline) -> Bool {
    let index = timeline.gaps[gap].flatMap { overlay.index(of: $0, in: timeline) }
    return index.map { $0 >= newItems.waiting ?? 0 } ?? false
  }

  // MARK: - Places

  /// The index of the timeline before which a row comes that is put above all that are shown.
  func headIndex(in timeline: Timeline) -> Int {
    guard let waiting = newItems.waiting, waiting > 0, waiting < overlay.rows.count else {
      return 0
    }
    switch overlay.rows[waiting] {
    case .item(let item): return overlay.timelineIndex(of: item.id, in: timeline) ?? 0
    case .gap(let gap): return timeline.index(ofGap: gap.id) ?? 0
    }
  }

  /// The place behind an item, or above all rows that are shown where there is none.
  func slot(behind id: RowID?, in timeline: Timeline) -> Overlay.InsertionPoint {
    if let slot = id.flatMap({ overlay.slot(behind: $0, in: timeline) }) { return slot }
    guard newItems.waiting != nil else { return .top }
    let index = headIndex(in: timeline)
    return index < timeline.count
      ? Overlay.InsertionPoint(order: timeline.content.orders[index] - 1) : .top
  }

  // MARK: - The reader

  /// The item at which the reader is.
  var reader: RowID? { anchor?.id }

  /// The same, as contents hold it.
  var readerKey: RowRef? { anchor.map { AnyItem._key(of: $0.id) } }

  /// The reader came to an item; one that is not there is passed over.
  mutating func setReader(_ id: RowID?, in timeline: Timeline) {
    guard let id else {
      anchor = nil
      return
    }
    if let index = overlay.index(of: id, in: timeline) {
      anchor = ReaderAnchor(id: id, index: index)
    }
  }

  /// An item is another one now, in its place.
  mutating func rename(_ id: RowID, to other: RowID) {
    overlay.rename(id, to: other)
    anchor?.rename(id, to: other)
  }

  private mutating func follow(_ edits: RowEdits, _ timeline: Timeline) {
    let overlay = overlay
    let isLeft = anchor?.follow(edits, of: overlay.rows) { overlay.index(of: $0, in: timeline) }
    if isLeft == false { anchor = nil }
  }
}
