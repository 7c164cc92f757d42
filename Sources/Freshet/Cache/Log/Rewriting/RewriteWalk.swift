/// A walk along the entries of a manifest and the rows that a step changes, side by side.
struct RewriteWalk {
  typealias Entry = FeedManifest.Entry
  typealias Piece = FeedManifest.Piece

  private var deleted: ArraySlice<Int>
  private var inserted: ArraySlice<Int>
  private var updated: ArraySlice<Int>
  private let keepsParts: Bool
  private let writtenRuns: Set<UInt64>
  /// The index of the current row, before the step and after it.
  private(set) var before = 0
  private var after = 0
  private(set) var rewrites: [FeedManifest.Rewrite] = []

  /// Starts a walk at the first entry.
  ///
  /// - Parameters:
  ///   - deleted: the deleted rows, as indices before the step, ascending.
  ///   - inserted: the inserted rows, as indices after it, ascending.
  ///   - updated: the updated rows, as indices after it, ascending.
  ///   - keepsParts: whether a run is kept for its unchanged rows.
  ///   - runs: runs of which all rows are to be written.
  init(
    _ deleted: ArraySlice<Int>, _ inserted: ArraySlice<Int>, _ updated: ArraySlice<Int>,
    keepsParts: Bool, writing runs: Set<UInt64>
  ) {
    (self.deleted, self.inserted, self.updated) = (deleted, inserted, updated)
    (self.keepsParts, writtenRuns) = (keepsParts, runs)
  }

  /// Passes the entries before the next one with a change, or all.
  mutating func skip(to cursor: inout ManifestEntries.Cursor, in entries: ManifestEntries) {
    let updatedRow = updated.first { $0 >= after }
    let changes = [
      deleted.first.map { $0 - before }, inserted.first.map { $0 - after },
      updatedRow.map { $0 - after },
    ]
    let unchanged = changes.lazy.compactMap(\.self).min() ?? entries.rows - before
    entries.seek(before + unchanged, &cursor)
    after += cursor.row - before
    before = cursor.row
  }

  /// Passes the rows that were inserted before an entry.
  mutating func insertRows(before entry: Int) {
    let start = after
    if let piece = insertRows() { replace(entry..<entry, by: [piece], from: start) }
  }

  /// Passes an entry, and the rows that were inserted before it and between its rows.
  mutating func pass(_ entry: Entry, at index: Int) {
    insertRows(before: index)
    let isWritten = entry.sequence.map(writtenRuns.contains) ?? false
    if !isWritten, !isChanged(entry) {
      before += entry.count
      after += entry.count
      return
    }
    let start = after
    let pieces = pieces(of: entry)
    let whole: [Piece] = after > start ? [.written(start..<after)] : []
    let isCut = keepsParts && !isWritten && !isMostlyChanged(entry, pieces)
    replace(index..<(index + 1), by: isCut ? pieces : whole, from: start)
  }

  private func isChanged(_ entry: Entry) -> Bool {
    let end = after + entry.count
    return deleted.first.map { $0 < before + entry.count } ?? false
      || inserted.first.map { $0 < end } ?? false
      || updated.first { $0 >= after }.map { $0 < end } ?? false
  }

  /// Whether one step changes rows of an entry in several places, and a quarter of it or more.
  private func isMostlyChanged(_ entry: Entry, _ pieces: [Piece]) -> Bool {
    let stored = pieces.reduce(0) { count, piece in
      if case .stored(_, let rows) = piece { count + rows.count } else { count }
    }
    return pieces.count > 3 && 4 * (entry.count - stored) >= entry.count
  }

  /// Passes the rows that were inserted here.
  private mutating func insertRows() -> Piece? {
    let start = after
    while inserted.first == after {
      inserted.removeFirst()
      after += 1
    }
    return after > start ? .written(start..<after) : nil
  }

  /// Passes the rows of an entry, and those that were inserted between them.
  private mutating func pieces(of entry: Entry) -> [Piece] {
    var pieces: [Piece] = []
    // The next row of the entry, and the first of the unchanged rows before it.
    var (row, unchanged) = (0, 0)
    func endUnchanged(at after: Int) {
      let rows = unchanged..<row
      if !rows.isEmpty { pieces.append(.stored(entry[rows], (after - rows.count)..<after)) }
    }
    while row < entry.count {
      while let next = updated.first, next < after { updated.removeFirst() }
      if deleted.first == before + row {
        endUnchanged(at: after)
        deleted.removeFirst()
        (row, unchanged) = (row + 1, row + 1)
      } else if row > 0, inserted.first == after {
        endUnchanged(at: after)
        unchanged = row
        if let piece = insertRows() { pieces.add(piece) }
      } else if updated.first == after {
        endUnchanged(at: after)
        pieces.add(.written(after..<(after + 1)))
        (row, unchanged, after) = (row + 1, row + 1, after + 1)
      } else {
        let step = min(
          entry.count - row, (deleted.first ?? .max) - before - row,
          (inserted.first { $0 > after } ?? .max) - after, (updated.first ?? .max) - after)
        row += step
        after += step
      }
    }
    endUnchanged(at: after)
    before += entry.count
    return pieces
  }

  /// Replaces entries; adjacent ones are one rewrite.
  private mutating func replace(_ entries: Range<Int>, by pieces: [Piece], from start: Int) {
    if rewrites.last?.entries.upperBound != entries.lowerBound {
      let none = entries.lowerBound..<entries.lowerBound
      rewrites.append(FeedManifest.Rewrite(entries: none, start: start, pieces: []))
    }
    let last = rewrites.count - 1
    rewrites[last].entries = rewrites[last].entries.lowerBound..<entries.upperBound
    for piece in pieces { rewrites[last].pieces.add(piece) }
  }
}

extension [FeedManifest.Piece] {
  /// Adds a piece; adjacent rows that are both to be written, or both in one run, become one piece.
  mutating func add(_ piece: FeedManifest.Piece) {
    switch (last, piece) {
    case (.written(let above), .written(let rows)) where above.upperBound == rows.lowerBound:
      self[count - 1] = .written(above.lowerBound..<rows.upperBound)
    case (.stored(let above, let start), .stored(let entry, let rows)):
      guard start.upperBound == rows.lowerBound, let whole = above.joined(with: entry) else {
        return append(piece)
      }
      self[count - 1] = .stored(whole, start.lowerBound..<rows.upperBound)
    default: append(piece)
    }
  }
}
