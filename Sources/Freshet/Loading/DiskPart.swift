internal import FreshetLists

/// Some of the rows on disk that a gap stands for.
struct DiskPart: Sendable {
  let gap: Gap.ID
  /// Which of them, counted from the first one that the gap stands for.
  let range: Range<Int>
  /// What the gap stood for when they were asked for.
  let run: EvictedRun
}
