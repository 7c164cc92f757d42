internal import FreshetLists

/// The row that keeps its place while others come, go and move, so that a reader does not lose
/// theirs.
///
/// That is the first row of the list on screen that stays where it is among the others. Where none
/// does, they are followed to where they are now: the first that is left. Where all of them go, the
/// next one below takes their place. A row of an edge keeps its place where there is no other: rows
/// come between it and those of the list.
struct ScrollAnchor: Equatable {
  /// The row whose distance from the top edge is kept.
  let seen: RowPath
  /// Where the row stood that keeps it: there, or below all that were on screen.
  let before: RowPath
  /// Where it stands afterwards.
  let after: RowPath

  /// Chooses a row; `nil` where none is left.
  ///
  /// - Parameters:
  ///   - seen: the rows of the list on screen, top to bottom.
  ///   - edges: the rows of edges on screen.
  ///   - below: the rows below all of them, nearest first; taken only where none of `seen` is left.
  ///   - changes: what happens; `nil` where that is not known.
  ///   - place: where a row stands afterwards; `nil` for one that is gone.
  /// - Complexity: O(*k*) for *k* rows that go or move, and O(rows on screen).
  init?(
    among seen: [RowPath], edges: [RowPath] = [], below: some Sequence<RowPath>,
    in changes: ListChanges?, _ place: (RowPath) -> RowPath?
  ) {
    func choose(_ paths: [RowPath]) -> (before: RowPath, after: RowPath)? {
      let taken = changes?.rowsTaken(from: paths) ?? []
      for path in paths where !taken.contains(path) {
        if let after = place(path) { return (path, after) }
      }
      for path in paths { if let after = place(path) { return (path, after) } }
      return nil
    }
    if let kept = choose(seen) {
      (self.seen, before, after) = (kept.before, kept.before, kept.after)
    } else if let first = seen.first, let kept = choose(Array(below)) {
      (self.seen, before, after) = (first, kept.before, kept.after)
    } else if let kept = choose(edges) {
      (self.seen, before, after) = (kept.before, kept.before, kept.after)
    } else {
      return nil
    }
  }
}

extension ListChanges {
  /// Those of some rows that do not stay where they are: they are deleted or moved, or their
  /// section goes.
  ///
  /// - Complexity: O(*k*) for *k* rows that go or move.
  func rowsTaken(from paths: [RowPath]) -> Set<RowPath> {
    guard let first = paths.min(), let last = paths.max() else { return [] }
    let gone = Set(deletedSections)
    var named: Set<RowPath> = []
    for path in deletedRows where path >= first && path <= last { named.insert(path) }
    for move in movedRows where move.from >= first && move.from <= last { named.insert(move.from) }
    return Set(paths.filter { gone.contains($0.section) || named.contains($0) })
  }
}
