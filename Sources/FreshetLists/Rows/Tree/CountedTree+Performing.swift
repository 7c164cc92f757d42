extension CountedTree {
  /// Performs edits; `row` gives the row at an index afterwards.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for rows that stand side by side.
  @inlinable
  package mutating func perform(_ edits: RowEdits, row: (Int) -> Row) {
    for run in edits.deleted.runs.reversed() { removeSubrange(run) }
    for run in edits.inserted.runs {
      if run.count == 1 {
        insert(row(run.lowerBound), at: run.lowerBound)
      } else {
        replaceSubrange(run.lowerBound..<run.lowerBound, with: run.map(row))
      }
    }
    for index in edits.updated { update(row(index), at: index) }
  }
}
