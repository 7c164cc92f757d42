extension CountedTree {
  /// Performs edits; `row` returns the row at an index after the edits.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for adjacent rows.
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
