internal import FreshetLists

/// The stages between the timeline and the screen.
///
/// They are the user's edits, the rows that are held back, the reader's position, and sections.
/// Each stage has its own state, and applies the changes of the stage before it.
struct Presentation: Sendable {
  var overlay = Overlay()
  private(set) var newItems = NewItemsBuffer()
  private var sections: FeedSections
  private var anchor: ReaderAnchor?
  /// The rows that are shown.
  ///
  /// The indices of the gaps among them are in `gaps`.
  private(set) var rows: RowTree<ListRow<AnyItem>> = []
  private(set) var gaps: [Int] = []
  /// The gaps that were inserted or removed since the last `takeChangedGaps()`.
  private var changedGaps: Set<Gap.ID> = []
  /// How many items are held back.
  private(set) var waitingItems = 0

  init(sectionedBy section: (@Sendable (AnyItem) -> String)?) {
    sections = FeedSections(by: section)
  }

  /// The rows as they are shown, in their sections.
  var snapshot: ListSnapshot<ListRow<AnyItem>> { sections.snapshot }

  /// Applies changes of the timeline and of the edits.
  ///
  /// - Parameters:
  ///   - edit: the changes of the timeline.
  ///   - before: its rows before, with the orders they had.
  ///   - timeline: the timeline after.
  ///   - showsTop: whether rows that are inserted right above the first shown row are shown at
  ///     once.
  /// - Returns: the batch that leads from the rows shown before to those shown now, and the
  ///   changes of the timeline by index.
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

  /// Starts to hold back rows that are inserted at the head.
  mutating func holdNew(in timeline: Timeline) {
    guard newItems.waiting == nil else { return }
    overlay.bindTop(to: timeline)
    newItems.hold()
  }

  /// Shows the rows that were held back.
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

  /// Updates the indices of the gaps among the shown rows.
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

  /// Returns the gaps that were inserted or removed since the last call.
  mutating func takeChangedGaps() -> Set<Gap.ID> {
    defer { changedGaps = [] }
    return changedGaps
  }

  /// Returns whether a gap is shown.
  ///
  /// - Complexity: O(log *n*).
  func shows(gap: Gap.ID, of timeline: Timeline) -> Bool {
    let index = timeline.gaps[gap].flatMap { overlay.index(of: $0, in: timeline) }
    return index.map { $0 >= newItems.waiting ?? 0 } ?? false
  }

  // MARK: - Places

  /// Returns the index in the timeline at which to insert a row above all shown rows.
  func headIndex(in timeline: Timeline) -> Int {
    guard let waiting = newItems.waiting, waiting > 0, waiting < overlay.rows.count else {
      return 0
    }
    switch overlay.rows[waiting] {
    case .item(let item): return overlay.timelineIndex(of: item.id, in: timeline) ?? 0
    case .gap(let gap): return timeline.index(ofGap: gap.id) ?? 0
    }
  }

  /// Returns the place after an item, or above all shown rows if there is no such item.
  func slot(behind id: RowID?, in timeline: Timeline) -> Overlay.InsertionPoint {
    if let slot = id.flatMap({ overlay.slot(behind: $0, in: timeline) }) { return slot }
    guard newItems.waiting != nil else { return .top }
    let index = headIndex(in: timeline)
    return index < timeline.count
      ? Overlay.InsertionPoint(order: timeline.content.orders[index] - 1) : .top
  }

  // MARK: - The reader

  /// The item at the reader's position.
  var reader: RowID? { anchor?.id }

  /// The same item, as the reference that list contents store.
  var readerKey: RowRef? { anchor.map { AnyItem._key(of: $0.id) } }

  /// Moves the reader to an item.
  ///
  /// An item that is not among the rows is ignored.
  mutating func setReader(_ id: RowID?, in timeline: Timeline) {
    guard let id else {
      anchor = nil
      return
    }
    if let index = overlay.index(of: id, in: timeline) {
      anchor = ReaderAnchor(id: id, index: index)
    }
  }

  /// Gives an item another id, at the same position.
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
