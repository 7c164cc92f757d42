internal import FreshetLists

// Two steps as one: if steps are made faster than they are stored, pending ones are merged.
extension FeedCommit {
  /// Returns this step and the next one as one; `nil` if rows of this step were evicted since.
  ///
  /// A row that this step inserted or updated is then in memory only here. If this step deleted
  /// rows, evicted rows that are adjacent after both steps may not have been adjacent before. A
  /// cache copies adjacent rows as one piece.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows that they name, and O(log *n* + log *k*) for each
  ///   gap that represents rows on disk.
  func followed(by next: FeedCommit) -> FeedCommit? {
    if next.isWhole { return next }
    if isWhole, !next.isInMemory { return nil }
    let first = RowEdits(deleted: deleted, inserted: inserted)
    let second = RowEdits(deleted: next.deleted, inserted: next.inserted)
    let came = Set(inserted)
    let gone = next.deleted.filter { !came.contains($0) }.map(first.placeBefore)
    let stayed = inserted.compactMap(second.place(of:))
    let changed = updated.compactMap(second.place(of:))
    let arrived = (stayed + next.inserted).sorted()
    let both = RowEdits(deleted: (deleted + gone).sorted(), inserted: arrived)
    let named = (stayed + changed).sorted()
    for rows in next.rowsOnDisk {
      let place = named.partition { $0 >= rows.lowerBound }
      if place < named.count, named[place] < rows.upperBound { return nil }
      let last = both.placeBefore(rows.upperBound - 1)
      if last - both.placeBefore(rows.lowerBound) != rows.count - 1 { return nil }
    }
    return FeedCommit(
      rows: next.rows, stored: next.stored, deleted: both.deleted, inserted: arrived,
      updated: Set(changed + next.updated).subtracting(arrived).sorted(), isWhole: isWhole,
      marks: next.marks, state: next.state)
  }

  /// A step after this one that changes nothing.
  var withoutChanges: FeedCommit {
    FeedCommit(
      rows: rows, stored: stored, deleted: [], inserted: [], updated: [], isWhole: isWhole,
      marks: marks, state: state)
  }

  /// The rows that are on disk and not in memory, as indices after the step.
  private var rowsOnDisk: [Range<Int>] {
    var surplus = 0
    return unloaded.map { gap in
      defer { surplus += gap.count - 1 }
      let start = gap.row + surplus
      return start..<(start + gap.count)
    }
  }

  /// Merges consecutive steps into as few as possible.
  ///
  /// - Complexity: O(*k* log² *k*) for *k* rows that they name.
  static func joined(_ commits: ArraySlice<FeedCommit>) -> [FeedCommit] {
    guard commits.count > 1 else { return Array(commits) }
    let middle = commits.startIndex + commits.count / 2
    var first = joined(commits[..<middle])
    var second = joined(commits[middle...])
    if let last = first.last, let next = second.first, let both = last.followed(by: next) {
      first.removeLast()
      second[0] = both
    }
    return first + second
  }
}
