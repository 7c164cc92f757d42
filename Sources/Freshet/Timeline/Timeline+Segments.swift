internal import FreshetLists

// The loaded rows between two gaps or ends.
extension Timeline {
  /// Consecutive rows, with the page keys at their ends.
  struct Segment: Equatable, Sendable {
    /// The ids of the rows.
    var ids: [RowID]
    /// The key of the page above the first row; `nil` if the row is the first one of the list.
    var previous: PageKey?
    /// The key of the page below the last row; `nil` if the row is the last one of the list.
    var next: PageKey?
    /// Whether both keys are known.
    var isBounded = true
  }

  /// The segments from the top to the bottom of the list.
  ///
  /// - Complexity: O(*n*).
  var segments: [Segment] {
    let runs = rows.split { $0.gap != nil }.map { $0.compactMap(\.item?.id) }
    if runs.isEmpty, head == .end, tail == .end { return [Segment(ids: [])] }
    return runs.indices.map { index in
      let ids = runs[index]
      let (first, last) = (ids.first.flatMap { marks[$0] }, ids.last.flatMap { marks[$0] })
      var segment = Segment(ids: ids, previous: first?.previous, next: last?.next)
      let isHead = index == 0 && head == .end && rows.first?.gap == nil
      let isEnd = index == runs.count - 1 && tail == .end && rows.last?.gap == nil
      if isHead { segment.previous = nil }
      if isEnd { segment.next = nil }
      segment.isBounded =
        (isHead || segment.previous != nil) && (isEnd || segment.next != nil)
      return segment
    }
  }
}
