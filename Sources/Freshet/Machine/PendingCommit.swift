internal import FreshetLists

/// The changes to store with the next step, in addition to its own.
struct PendingCommit: Sendable {
  /// Whether the next step has to store all rows, because the stored list is out of date.
  var isWhole = false
  /// Whether the reader's place and the time of the last refresh are stored.
  var isPlaceSaved = true
  /// The page at the head as it is stored.
  var page: CachedHeadPage?
  /// The rows whose page keys changed since they were stored.
  private var keyed: [RowID] = []

  /// Leaves the changes of a refresh to the next step if they are negligible.
  ///
  /// An unchanged refresh writes nothing (rule P4): its time is stored with the next step. The
  /// same holds for a new key at the end of the page at the head. That key is stored with the
  /// page, and may be missing from the rows, because pages that are stored together have no keys
  /// between them.
  ///
  /// - Parameter page: the page at the head as it is to be stored.
  /// - Returns: whether the changes are left to the next step.
  mutating func postpone(_ edit: TimelineEdit, page: CachedHeadPage?, in timeline: Timeline) -> Bool
  {
    if edit.isVisible || edit.changesEnds { return false }
    let keyed = edit.keyed.map(timeline.content.index(of:))
    let isStored = keyed.allSatisfy { $0 + 1 == page?.rows }
    if isWhole || page != self.page || !isStored { return false }
    self.keyed += keyed.compactMap { timeline.rows[$0].item?.id }
    isPlaceSaved = false
    return true
  }

  /// Returns the commit of a step.
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

  /// Returns a commit of changes, given as indices on disk.
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
