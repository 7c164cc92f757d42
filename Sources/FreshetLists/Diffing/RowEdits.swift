/// What became of the rows of one list: the currency of transforms.
///
/// A row that is neither deleted nor inserted kept its place among such rows. A row that moved is
/// both deleted and inserted; which of those are moves is worked out once, where an update is made
/// of edits.
@usableFromInline
package struct RowEdits: Equatable, Sendable {
  /// The rows that left their place, as indices before, ascending.
  @usableFromInline package var deleted: [Int] = []
  /// The rows that came to a place, as indices after, ascending.
  @usableFromInline package var inserted: [Int] = []
  /// The rows that kept their place and changed their contents, as indices after, ascending.
  @usableFromInline package var updated: [Int] = []

  /// Creates edits of places that are known.
  @inlinable
  package init(deleted: [Int] = [], inserted: [Int] = [], updated: [Int] = []) {
    self.deleted = deleted
    self.inserted = inserted
    self.updated = updated
  }

  /// Whether there are no edits.
  @inlinable package var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && updated.isEmpty }
}

// Places before and after.
extension RowEdits {
  /// Where a row stood that is neither deleted nor inserted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeBefore(_ index: Int) -> Int {
    let rank = index - inserted.partition { $0 >= index }
    // Before the `i`th deleted row there are `deleted[i] - i` others.
    return rank + deleted.indices.partition { deleted[$0] - $0 > rank }
  }

  /// Where a row stands afterwards; `nil` for one that is deleted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func place(of index: Int) -> Int? {
    let gone = deleted.partition { $0 >= index }
    if gone < deleted.count, deleted[gone] == index { return nil }
    return index - gone + inserted.indices.partition { inserted[$0] - $0 > index - gone }
  }

  /// Where the first row stands that follows a deleted one and was not deleted, or that came there.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeAfter(_ index: Int) -> Int {
    let rank = index - deleted.partition { $0 >= index }
    // Insertions before the row of this rank come before it; the first of those right at it stands
    // where the deleted row was.
    return rank + inserted.indices.partition { inserted[$0] - $0 >= rank }
  }

  /// Where a row stands that was not deleted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeOfUntouched(_ index: Int) -> Int {
    let rank = index - deleted.partition { $0 >= index }
    return rank + inserted.indices.partition { inserted[$0] - $0 > rank }
  }
}

extension [Int] {
  /// The ranges of numbers that follow each other, of ascending numbers.
  @inlinable
  package var runs: [Range<Int>] {
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
