/// What became of the rows of one list: the currency of transforms.
///
/// A row that is neither deleted nor inserted kept its place among such rows. A row that moved is both
/// deleted and inserted; which of those are moves is worked out once, where an update is made of edits.
public struct RowEdits: Equatable, Sendable {
  /// The rows that left their place, as indices before, ascending.
  public var deleted: [Int] = []
  /// The rows that came to a place, as indices after, ascending.
  public var inserted: [Int] = []
  /// The rows that kept their place and changed their contents, as indices after, ascending.
  public var updated: [Int] = []

  /// Creates edits.
  public init(deleted: [Int] = [], inserted: [Int] = [], updated: [Int] = []) {
    self.deleted = deleted
    self.inserted = inserted
    self.updated = updated
  }

  /// Whether nothing happened.
  public var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && updated.isEmpty }
}

extension RowTree {
  /// Performs edits; `row` gives the row that stands at an index afterwards.
  ///
  /// - Complexity: O(*k* log *n*), and O(*k* + log *n*) for rows that stand side by side.
  mutating func perform(_ edits: RowEdits, row: (Int) -> Row) {
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

extension [Int] {
  /// The ranges of numbers that follow each other, of ascending numbers.
  var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for number in self {
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<(number + 1)
      } else {
        runs.append(number..<(number + 1))
      }
    }
    return runs
  }
}
