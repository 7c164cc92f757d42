internal import FreshetLists

/// Rows that are on disk and not in memory, represented by a gap.
struct EvictedSegment: Equatable, Sendable {
  var count: Int
  /// Who stands around the gap: where others do, the rows on disk are not what is between.
  var above: RowID?
  /// `nil` where the gap is the last row.
  var below: RowID?
  /// Which of them no answer has included, counted from the first one.
  var unproven: [Range<Int>] = []

  /// Whether those stand around the gap at an index who stood there.
  func isProven(at index: Int, in timeline: Timeline) -> Bool {
    guard let above, timeline.itemID(at: index - 1) == above else { return false }
    return below.map { timeline.itemID(at: index + 1) == $0 } ?? (index + 1 == timeline.count)
  }
}

extension [Range<Int>] {
  /// The parts of the ranges that are among some rows, counted from the first of those.
  func counted(in rows: Range<Int>) -> [Range<Int>] {
    compactMap { range in
      let part = range.clamped(to: rows)
      if part.isEmpty { return nil }
      return (part.lowerBound - rows.lowerBound)..<(part.upperBound - rows.lowerBound)
    }
  }
}
