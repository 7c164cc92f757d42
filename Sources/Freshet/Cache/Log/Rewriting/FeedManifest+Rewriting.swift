internal import FreshetLists

// The entries that a step replaces: only those that it changed (rule P4).
extension FeedManifest {
  /// The rows that replace some entries.
  struct Rewrite: Equatable {
    var entries: Range<Int>
    /// The index of the first row, after the step.
    var start: Int
    var pieces: [Piece]

    /// The index after the last row, after the step.
    var end: Int { pieces.last?.rows.upperBound ?? start }
  }

  /// Adjacent rows, by their indices after a step.
  enum Piece: Equatable {
    /// Rows that stay as they are stored.
    case stored(Entry, Range<Int>)
    /// Rows to write.
    case written(Range<Int>)

    var rows: Range<Int> {
      switch self {
      case .stored(_, let rows), .written(let rows): rows
      }
    }
  }

  /// Returns the entries that a step replaces, and their replacements.
  ///
  /// Rows that were inserted or updated are written. Unchanged rows are written with them in three
  /// cases: the step changes a quarter of their run or more; their run keeps less than half of its
  /// rows; or more than fifteen short runs are adjacent. The cost of each such extra write is
  /// covered by an earlier insertion, update or deletion.
  ///
  /// - Parameters:
  ///   - deleted: the deleted rows, as indices before the step, ascending.
  ///   - inserted: the inserted rows, as indices after it, ascending.
  ///   - updated: the updated rows, as indices after it, ascending.
  ///   - keepsParts: whether a run is kept for its unchanged rows.
  /// - Complexity: O(changes) besides finding their entries; O(entries) if a run is emptied. It
  ///   examines no row.
  func rewrites(
    deleted: [Int], inserted: [Int], updated: [Int], keepsParts: Bool
  ) -> [Rewrite] {
    func walk(writing runs: Set<UInt64>) -> [Rewrite] {
      var walk = RewriteWalk(
        deleted[...], inserted[...], updated[...], keepsParts: keepsParts, writing: runs)
      var cursor = ManifestEntries.Cursor()
      while cursor.index < entries.count {
        // Parts of a run that is to be written may be anywhere.
        if runs.isEmpty { walk.skip(to: &cursor, in: entries) }
        guard cursor.index < entries.count else { break }
        walk.pass(entries[cursor], at: cursor.index)
        entries.seek(walk.before, &cursor)
      }
      walk.insertRows(before: entries.count)
      return walk.rewrites
    }
    let rewrites = walk(writing: [])
    let runs = emptiedRuns(after: rewrites)
    return joiningShortRuns(runs.isEmpty ? rewrites : walk(writing: runs))
  }

  /// Returns the runs that a step changes and that keep less than half of their rows.
  private func emptiedRuns(after rewrites: [Rewrite]) -> Set<UInt64> {
    var kept: [UInt64: (rows: Int, total: Int)] = [:]
    for rewrite in rewrites {
      for part in entries.slice(rewrite.entries).compactMap(\.part) {
        let rows = kept[part.sequence]?.rows ?? entries.rows(ofRun: part.sequence)
        kept[part.sequence] = (rows - part.rows.count, part.total)
      }
    }
    for case .stored(let entry, _) in rewrites.flatMap(\.pieces) {
      guard let part = entry.part else { continue }
      kept[part.sequence]?.rows += part.rows.count
    }
    let emptied = kept.filter {
      $0.value.rows > 0 && $0.value.rows < $0.value.total - $0.value.rows
    }
    return Set(emptied.keys)
  }
}
