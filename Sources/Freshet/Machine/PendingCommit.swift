internal import FreshetLists

/// What is to be stored with the next step, beside what it changes.
struct PendingCommit: Sendable {
  /// Whether what is stored is not the list before the next step.
  var isWhole = false
  /// Whether the reader's place and the time of the last refresh are stored.
  var isPlaceSaved = true
  /// What is stored of the page at the head.
  var page: CachedPage?
  /// The rows for which another key is known.
  private var keyed: [RowID] = []

  /// Leaves what a refresh changed for the next step, where that is next to nothing.
  ///
  /// That nothing changed is stored with the next step: an unchanged refresh writes nothing (rule
  /// P4). So is the key at the end of the page at the head: it is stored with the page, and may be
  /// missing among the rows, where the pages that are stored together have none.
  ///
  /// - Parameter page: what is to be stored of the page at the head.
  /// - Returns: whether the step can wait.
  mutating func postpone(_ edit: TimelineEdit, page: CachedPage?, in timeline: Timeline) -> Bool {
    if edit.isVisible || edit.changesEnds { return false }
    let keyed = edit.keyed.map(timeline.content.index(of:))
    let isStored = keyed.allSatisfy { $0 + 1 == page?.rows }
    if isWhole || page != self.page || !isStored { return false }
    self.keyed += keyed.compactMap { timeline.rows[$0].item?.id }
    isPlaceSaved = false
    return true
  }

  /// What a step stores.
  mutating func commit(
    _ change: RowChange, _ state: CachedState, of timeline: Timeline
  ) -> FeedCommit<AnyItem> {
    let (rows, before, after) = (change.rows, change.stored, timeline.stored)
    let keyed = change.edit.keyed.map { timeline.content.index(of: $0) }
    defer { (isWhole, isPlaceSaved) = (false, true) }
    return commit(
      deleted: rows.deleted.flatMap { before.range(of: $0) },
      inserted: rows.inserted.flatMap { after.range(of: $0) },
      updated: (rows.updated + keyed).sorted().map { after.index(of: $0) }, state, of: timeline)
  }

  /// What stores changes, by indices on disk.
  mutating func commit(
    deleted: [Int], inserted: [Int] = [], updated: [Int] = [], _ state: CachedState,
    of timeline: Timeline
  ) -> FeedCommit<AnyItem> {
    let stored = timeline.stored
    page = state.page
    var updated = updated
    if !keyed.isEmpty {
      let rows = keyed.compactMap { timeline.index(of: $0) }.map { stored.index(of: $0) }
      updated = Set(updated + rows).subtracting(inserted).sorted()
      keyed = []
    }
    return FeedCommit(
      rows: timeline.rows, stored: stored, deleted: deleted, inserted: inserted, updated: updated,
      isWhole: isWhole, marks: { [marks = timeline.marks] in marks[$0] }, state: state)
  }
}
