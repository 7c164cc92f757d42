internal import FreshetLists

/// A segment of rows that are on disk and not in memory, represented by a gap.
struct EvictedSegment: Equatable, Sendable {
  var count: Int
  /// The item above the gap.
  ///
  /// If the gap has other neighbours, the rows on disk are not what is between them.
  var above: RowID?
  /// The item below the gap; `nil` if the gap is the last row.
  var below: RowID?
  /// The rows that no answer has included, counted from the first one.
  var unproven: [Range<Int>] = []

  /// Returns whether the gap at an index still has the neighbours of this segment.
  func isProven(at index: Int, in timeline: Timeline) -> Bool {
    guard let above, timeline.itemID(at: index - 1) == above else { return false }
    return below.map { timeline.itemID(at: index + 1) == $0 } ?? (index + 1 == timeline.count)
  }
}

extension [Range<Int>] {
  /// Returns the parts of the ranges that are within `rows`, counted from its first row.
  func counted(in rows: Range<Int>) -> [Range<Int>] {
    compactMap { range in
      let part = range.clamped(to: rows)
      if part.isEmpty { return nil }
      return (part.lowerBound - rows.lowerBound)..<(part.upperBound - rows.lowerBound)
    }
  }
}
