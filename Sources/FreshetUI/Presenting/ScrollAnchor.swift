internal import Freshet
internal import FreshetLists

/// The row that keeps its place on screen while others are inserted, removed and moved.
///
/// It prevents the reader from losing their place. The anchor is the first row of the list on
/// screen that is neither removed nor moved. If there is none, it is the first row on screen that
/// still exists, at its new path. If all of them are removed, the next row below takes their place.
/// A row of an edge is used only if there is no other row, because rows are inserted between it and
/// the rows of the list.
struct ScrollAnchor: Equatable {
  /// The row whose distance from the top edge is kept.
  let seen: RowPath
  /// The old path of the row that keeps the place: `seen`, or a path below the screen.
  let before: RowPath
  /// The path of that row afterwards.
  let after: RowPath

  /// Chooses a row, or returns `nil` if none is left.
  ///
  /// - Parameters:
  ///   - seen: the rows of the list on screen, top to bottom.
  ///   - edges: the rows of edges on screen.
  ///   - below: the rows below all of them, nearest first; used only if none of `seen` is left.
  ///   - changes: the changes; `nil` if they are not known.
  ///   - place: returns the path of a row afterwards; `nil` for a removed row.
  /// - Complexity: O(*k*) for *k* rows that are removed or moved, and O(rows on screen).
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

  private init(seen: RowPath, after: RowPath) {
    (self.seen, before, self.after) = (seen, seen, after)
  }

  /// Returns the anchor for rows that are unloaded rather than removed.
  ///
  /// If a row below would take the place of the rows on screen, although there are placeholders for
  /// them in the next layout, the placeholders keep that place.
  func staying<Item: ListItem>(in next: ListLayout<Item>) -> ScrollAnchor {
    // If rows are removed, those below move up.
    guard before != seen, before.section == seen.section, after.row >= before.row else {
      return self
    }
    let place = RowPath(section: after.section, row: after.row - (before.row - seen.row))
    guard case .placeholder? = next.row(at: place) else { return self }
    return ScrollAnchor(seen: seen, after: place)
  }
}

extension ListChanges {
  /// Returns those of the given rows that are removed or moved, or whose section is removed.
  ///
  /// - Complexity: O(*k*) for *k* rows that are removed or moved.
  func rowsTaken(from paths: [RowPath]) -> Set<RowPath> {
    guard let first = paths.min(), let last = paths.max() else { return [] }
    let gone = Set(deletedSections)
    var named: Set<RowPath> = []
    for path in deletedRows where path >= first && path <= last { named.insert(path) }
    for move in movedRows where move.from >= first && move.from <= last { named.insert(move.from) }
    return Set(paths.filter { gone.contains($0.section) || named.contains($0) })
  }
}
