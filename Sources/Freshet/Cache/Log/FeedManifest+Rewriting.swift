internal import FreshetLists

// What a step replaces: as much as it changed (rule P4).
extension FeedManifest {
  /// What stands in the place of some entries after a step.
  struct Rewrite: Equatable {
    var entries: Range<Int>
    /// The index of its first row, after the step.
    var start: Int
    var pieces: [Piece]

    /// The index behind its last row, after the step.
    var end: Int { pieces.last?.rows.upperBound ?? start }
  }

  /// Rows side by side, by their indices after a step.
  enum Piece: Equatable {
    /// They stay as they are stored.
    case stored(Entry, Range<Int>)
    /// They are written.
    case written(Range<Int>)

    var rows: Range<Int> {
      switch self {
      case .stored(_, let rows), .written(let rows): rows
      }
    }
  }

  /// Which entries a step touches, and what takes their place.
  ///
  /// Rows are written that came or changed. So are those of short runs, once many stand side by
  /// side, and what is left of a run of which more than half is gone: for each row that is written
  /// once more so, another one had come, changed or gone.
  ///
  /// - Parameters:
  ///   - deleted: rows that went, as indices before the step, ascending.
  ///   - inserted: rows that came, as indices after it, ascending.
  ///   - updated: rows to be written anew, as indices after it, ascending.
  ///   - keepsParts: whether a run that is touched stays, for the rows of it that are not.
  /// - Complexity: O(entries + changes): it looks at no row.
  func rewrites(
    deleted: [Int], inserted: [Int], updated: [Int], keepsParts: Bool
  ) -> [Rewrite] {
    func rewrites(without spent: Set<UInt64>) -> [Rewrite] {
      var walk = RewriteWalk(deleted[...], inserted[...], updated[...])
      for (index, entry) in entries.enumerated() {
        let isSpent = entry.sequence.map(spent.contains) ?? false
        walk.pass(entry, at: index, isSpent: isSpent, keepsParts: keepsParts)
      }
      walk.passInserted(before: entries.count)
      return walk.rewrites
    }
    let first = rewrites(without: [])
    let spent = spentRuns(after: first)
    return joiningShortRuns(spent.isEmpty ? first : rewrites(without: spent))
  }

  /// The runs that a step touches, and of which it leaves less than half.
  private func spentRuns(after rewrites: [Rewrite]) -> Set<UInt64> {
    var left: [UInt64: (rows: Int, total: Int)] = [:]
    for rewrite in rewrites {
      for part in entries[rewrite.entries].compactMap(\.part) {
        left[part.sequence] = (0, part.total)
      }
    }
    if left.isEmpty { return [] }
    func count(_ entry: Entry) {
      guard let part = entry.part else { return }
      left[part.sequence]?.rows += part.rows.count
    }
    var next = 0
    for rewrite in rewrites {
      entries[next..<rewrite.entries.lowerBound].forEach(count)
      for case .stored(let entry, _) in rewrite.pieces { count(entry) }
      next = rewrite.entries.upperBound
    }
    entries[next...].forEach(count)
    return Set(left.filter { $0.value.rows > 0 && 2 * $0.value.rows < $0.value.total }.keys)
  }
}
