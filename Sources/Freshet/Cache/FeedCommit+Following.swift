internal import FreshetLists

// Two steps as one: where steps come faster than they are stored, what waits is stored together.
extension FeedCommit {
  /// This step and the next one as one; `nil` where rows were let go to save memory, which are to be found on disk.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows that they name.
  func followed(by next: FeedCommit) -> FeedCommit? {
    if next.isWhole { return next }
    guard isInMemory, next.isInMemory else { return nil }
    let first = RowEdits(deleted: deleted, inserted: inserted)
    let second = RowEdits(deleted: next.deleted, inserted: next.inserted)
    let came = Set(inserted)
    let gone = next.deleted.filter { !came.contains($0) }.map(first.placeBefore)
    let stayed = inserted.compactMap(second.place(of:))
    let changed = updated.compactMap(second.place(of:)) + next.updated
    let arrived = (stayed + next.inserted).sorted()
    return FeedCommit(
      rows: next.rows, stored: next.stored, deleted: (deleted + gone).sorted(), inserted: arrived,
      updated: Set(changed).subtracting(arrived).sorted(), isWhole: isWhole, marks: next.marks,
      state: next.state)
  }

  /// Steps that follow each other as few steps.
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
