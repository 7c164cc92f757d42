internal import FreshetLists

/// Some of the rows on disk that a gap represents.
struct DiskPart: Sendable {
  let gap: Gap.ID
  /// Which of them, counted from the first one at the gap.
  let range: Range<Int>
  /// What the gap represented when they were asked for.
  let run: EvictedSegment
}
