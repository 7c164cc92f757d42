public import struct Foundation.IndexPath
internal import FreshetLists

// The two arrays that users of FeedCache know.
extension ListUpdate {
  /// The rows that were inserted or moved, at their places after the step; those of inserted
  /// sections too.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows.
  public var addedIndexPaths: [IndexPath] {
    let rows = changes.insertedRows + changes.movedRows.map(\.to)
    return (rows + after.paths(in: changes.insertedSections)).sorted().map { IndexPath($0) }
  }

  /// The rows that were deleted or moved, at their places before the step; those of deleted
  /// sections too.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows.
  public var deletedIndexPaths: [IndexPath] {
    let rows = changes.deletedRows + changes.movedRows.map(\.from)
    return (rows + before.paths(in: changes.deletedSections)).sorted().map { IndexPath($0) }
  }
}

extension ListSnapshot {
  /// The paths of all rows in these sections.
  fileprivate func paths(in sections: [Int]) -> [RowPath] {
    sections.flatMap { section in
      self.sections[section].rows.indices.map { RowPath(section: section, row: $0) }
    }
  }
}
