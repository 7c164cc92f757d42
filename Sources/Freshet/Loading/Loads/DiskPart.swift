internal import FreshetLists

/// A part of the rows on disk that a gap represents.
struct DiskPart: Sendable {
  let gap: Gap.ID
  /// The range of these rows, counted from the first one at the gap.
  let range: Range<Int>
  /// The segment that the gap represented when the rows were requested.
  let run: EvictedSegment
}
