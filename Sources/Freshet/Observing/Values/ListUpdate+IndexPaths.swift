public import struct Foundation.IndexPath
internal import FreshetLists

// The two arrays of index paths that users of `FeedCache` know.
extension ListUpdate {
  /// The paths of inserted and moved rows after the step, with the rows of inserted sections.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows.
  public var addedIndexPaths: [IndexPath] {
    let rows = changes.insertedRows + changes.movedRows.map(\.to)
    return (rows + after.paths(in: changes.insertedSections)).sorted().map { IndexPath($0) }
  }

  /// The paths of deleted and moved rows before the step, with the rows of deleted sections.
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
