internal import FreshetLists

/// A batch as the sequence of calls with which `NSTableView` performs it.
///
/// Each call uses indices after the call before it, as edits of an array do.
struct FlatSteps: Equatable, Sendable {
  /// A row that moves from one index to another.
  struct Move: Equatable, Sendable {
    /// The index of the row when its move is performed.
    let from: Int
    /// The index at which the row is put after it was taken out.
    let to: Int
  }

  /// The rows to remove first, in ascending order.
  private(set) var removed: [Int] = []
  /// The rows to move next, one by one.
  private(set) var moves: [Move] = []
  /// The rows to insert last, as final indices in ascending order.
  private(set) var inserted: [Int] = []

  /// Converts a batch into steps.
  ///
  /// - Parameters:
  ///   - changes: the batch.
  ///   - before: the rows before it.
  ///   - after: the rows after it.
  /// - Complexity: O(*k* log *k*) for *k* rows that are inserted or removed, and O(*m*² log *m*)
  ///   for *m* rows that move.
  init<Value>(
    _ changes: ListChanges, from before: FlatLayout<Value>, to after: FlatLayout<Value>
  ) {
    removed =
      (changes.deletedSections.flatMap(before.range(of:))
      + changes.deletedRows.map(before.index(of:))).sorted()
    inserted =
      (changes.insertedSections.flatMap(after.range(of:))
      + changes.insertedRows.map(after.index(of:))).sorted()
    moves = ordered(
      changes.movedRows.map { move in
        (
          from: placeWithoutRemoved(before.index(of: move.from)),
          to: placeWithoutInserted(after.index(of: move.to))
        )
      })
  }

  private func placeWithoutRemoved(_ index: Int) -> Int {
    index - removed.partition { $0 >= index }
  }

  private func placeWithoutInserted(_ index: Int) -> Int {
    index - inserted.partition { $0 >= index }
  }

  /// Returns moves that put each row directly after the row that it follows at the end.
  private func ordered(_ moves: [(from: Int, to: Int)]) -> [Move] {
    var waiting = moves.sorted { $0.to < $1.to }
    var steps: [Move] = []
    while !waiting.isEmpty {
      let move = waiting.removeFirst()
      // The row's place is after the rows that precede it at the end, and after the rows above that
      // have yet to move.
      var place = move.to
      for other in waiting.map({ $0.from > move.from ? $0.from - 1 : $0.from }).sorted() {
        if place > 0, other < place { place += 1 }
      }
      steps.append(Move(from: move.from, to: place))
      for index in waiting.indices {
        var from = waiting[index].from
        if from > move.from { from -= 1 }
        if from >= place { from += 1 }
        waiting[index].from = from
      }
    }
    return steps.filter { $0.from != $0.to }
  }
}
