internal import FreshetLists

// Two steps as one: where steps come faster than they are stored, what waits is stored together.
extension FeedCommit {
  /// This step and the next one as one; `nil` where a row that came or changed was let go of since,
  /// to save memory: nobody has it but this step.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows that they name, and O(log *n*) for each gap that
  ///   stands for rows on disk.
  func followed(by next: FeedCommit) -> FeedCommit? {
    if next.isWhole { return next }
    if isWhole, !next.isInMemory { return nil }
    let first = RowEdits(deleted: deleted, inserted: inserted)
    let second = RowEdits(deleted: next.deleted, inserted: next.inserted)
    let came = Set(inserted)
    let gone = next.deleted.filter { !came.contains($0) }.map(first.placeBefore)
    let stayed = inserted.compactMap(second.place(of:))
    let changed = updated.compactMap(second.place(of:))
    guard next.hasInMemory(stayed), next.hasInMemory(changed) else { return nil }
    let arrived = (stayed + next.inserted).sorted()
    return FeedCommit(
      rows: next.rows, stored: next.stored, deleted: (deleted + gone).sorted(), inserted: arrived,
      updated: Set(changed + next.updated).subtracting(arrived).sorted(), isWhole: isWhole,
      marks: next.marks,
      state: next.state)
  }

  /// Whether all rows that stand at these indices on disk are in memory, too.
  private func hasInMemory(_ indices: [Int]) -> Bool {
    if isInMemory || indices.isEmpty { return true }
    var surplus = 0
    let onDisk = unloaded.map { gap in
      let start = gap.row + surplus
      surplus += gap.count - 1
      return start..<(start + gap.count)
    }
    return indices.allSatisfy { index in
      let place = onDisk.partition { $0.upperBound > index }
      return place == onDisk.count || !onDisk[place].contains(index)
    }
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
