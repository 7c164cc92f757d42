internal import FreshetLists

// Runs that are far from the known rows.
extension Timeline {
  /// Returns how a run fits between the rows around a gap, or beyond the rows at an end.
  ///
  /// Its first rows may repeat those above that place one by one, and its last ones those below.
  /// If it repeats none, a gap stays there. All other rows have to be new: if the run has a row
  /// that is known elsewhere, the rows around that may be the ones that moved.
  ///
  /// - Returns: `nil` if the evidence is not sufficient.
  /// - Complexity: O(*m* log *n*) for *m* items.
  func matchApart(_ run: Run, at place: RunPlace) -> MergePlan? {
    let gap: Int?
    let (above, below): (Int, Int)
    switch place {
    case .gap(let id):
      gap = index(ofGap: id)
      guard let gap else { return nil }
      (above, below) = (gap - 1, gap + 1)
    case .end: (gap, above, below) = (nil, count - 1, count)
    case .head: (gap, above, below) = (nil, -1, 0)
    case .page, .apart: return nil
    }
    let indices = run.items.map { index(of: $0.id) }
    guard let upper = joint(indices, run, endingAt: above),
      let lower = joint(indices.dropFirst(upper), run, beginningAt: below),
      case let new = upper..<(indices.count - lower), !new.isEmpty,
      indices[new].allSatisfy({ $0 == nil })
    else { return nil }
    var match = MergePlan(start: upper > 0 ? above + 1 - upper : gap.map { $0 + 1 } ?? below)
    match.end = lower > 0 ? below + lower : upper > 0 ? above + 1 : match.start
    // The list ends elsewhere.
    if run.isEnd, match.end < count { return nil }
    match.meetsKnown = lower > 0
    match.needsGapAbove = upper == 0 && above >= 0
    match.keeps = indices
    match.isNew = upper == 0 && lower == 0
    return match
  }

  /// Returns how many of the first items of a run repeat the rows down to an index.
  private func joint(_ indices: [Int?], _ run: Run, endingAt above: Int) -> Int? {
    guard let start = indices.first ?? nil, start <= above else { return 0 }
    let rows = start...above
    return rows.count <= indices.count && zip(indices, rows).allSatisfy({ $0 == $1 })
      && isProven(run.items[0].id) ? rows.count : nil
  }

  /// Returns how many of the last items of a run repeat the rows from an index on.
  private func joint(_ indices: ArraySlice<Int?>, _ run: Run, beginningAt below: Int) -> Int? {
    guard let end = indices.last ?? nil, end >= below else { return 0 }
    let rows = below...end
    return rows.count <= indices.count
      && zip(indices.suffix(rows.count), rows).allSatisfy({ $0 == $1 })
      && run.items.last.map({ isProven($0.id) }) == true ? rows.count : nil
  }
}
