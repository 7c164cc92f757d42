/// The edits of the rows of one list, as transforms take and return them.
///
/// A row that is neither deleted nor inserted kept its place among such rows. A row that moved is
/// both deleted and inserted. Moves are found once, when a step is made from the edits.
@usableFromInline
package struct RowEdits: Equatable, Sendable {
  /// The rows that were removed from a place, as indices before, ascending.
  @usableFromInline package var deleted: [Int] = []
  /// The rows that were inserted at a place, as indices after, ascending.
  @usableFromInline package var inserted: [Int] = []
  /// The rows that kept their place and changed their contents, as indices after, ascending.
  @usableFromInline package var updated: [Int] = []

  /// Creates edits from known places.
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
  /// Returns the former index of a row that is neither deleted nor inserted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeBefore(_ index: Int) -> Int {
    let rank = index - inserted.partition { $0 >= index }
    // `deleted[i] - i` other rows precede the `i`th deleted row.
    return rank + deleted.indices.partition { deleted[$0] - $0 > rank }
  }

  /// Returns the index of a row after the edits, or `nil` if it is deleted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func place(of index: Int) -> Int? {
    let gone = deleted.partition { $0 >= index }
    if gone < deleted.count, deleted[gone] == index { return nil }
    return index - gone + inserted.indices.partition { inserted[$0] - $0 > index - gone }
  }

  /// Returns the index that the place of a deleted row has after the edits.
  ///
  /// It is the index of a row inserted there, or else of the next row that was not deleted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeAfter(_ index: Int) -> Int {
    let rank = index - deleted.partition { $0 >= index }
    // Insertions before the row of this rank precede it. The first insertion directly at the rank
    // is at the place of the deleted row.
    return rank + inserted.indices.partition { inserted[$0] - $0 >= rank }
  }

  /// Returns the index after the edits of a row that is not deleted.
  ///
  /// - Complexity: O(log *k*).
  @inlinable
  package func placeOfUntouched(_ index: Int) -> Int {
    let rank = index - deleted.partition { $0 >= index }
    return rank + inserted.indices.partition { inserted[$0] - $0 > rank }
  }
}

extension [Int] {
  /// The ranges of consecutive numbers, for an array of ascending numbers.
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
