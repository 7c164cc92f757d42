internal import FreshetLists

/// A batch as `NSTableView` performs it: one call after the other, each of which counts from what
/// the one before it left, as edits of an array do.
struct FlatSteps: Equatable, Sendable {
  /// A row that goes from one place to another.
  struct Move: Equatable, Sendable {
    /// Where the row stands when its turn comes.
    let from: Int
    /// Where it is put once it is taken out.
    let to: Int
  }

  /// The rows to take out first, ascending.
  private(set) var removed: [Int] = []
  /// The rows to move then, one by one.
  private(set) var moves: [Move] = []
  /// Where rows come last, as places at the end, ascending.
  private(set) var inserted: [Int] = []

  /// Puts a batch into steps.
  ///
  /// - Parameters:
  ///   - changes: the batch.
  ///   - before: the rows before it.
  ///   - after: the rows after it.
  /// - Complexity: O(*k* log *k*) for *k* rows that come or go, and O(*m*² log *m*) for *m* that
  ///   move.
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

  /// Takes one row after the other to where it follows the row it will follow at the end.
  private func ordered(_ moves: [(from: Int, to: Int)]) -> [Move] {
    var waiting = moves.sorted { $0.to < $1.to }
    var steps: [Move] = []
    while !waiting.isEmpty {
      let move = waiting.removeFirst()
      // The row it will follow stands behind as many that rest as it will at the end, and behind
      // those that wait above it.
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
