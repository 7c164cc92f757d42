/// A walk down the entries of a manifest, beside the rows that a step changes.
struct RewriteWalk {
  typealias Entry = FeedManifest.Entry
  typealias Piece = FeedManifest.Piece

  private var deleted: ArraySlice<Int>
  private var inserted: ArraySlice<Int>
  private var updated: ArraySlice<Int>
  /// The index of the row at hand, before the step and after it.
  private var before = 0
  private var after = 0
  private(set) var rewrites: [FeedManifest.Rewrite] = []

  /// - Parameters:
  ///   - deleted: rows that went, as indices before the step, ascending.
  ///   - inserted: rows that came, as indices after it, ascending.
  ///   - updated: rows to be written anew, as indices after it, ascending.
  init(_ deleted: ArraySlice<Int>, _ inserted: ArraySlice<Int>, _ updated: ArraySlice<Int>) {
    (self.deleted, self.inserted, self.updated) = (deleted, inserted, updated)
  }

  /// Passes the rows that came before an entry.
  mutating func passInserted(before entry: Int) {
    let start = after
    guard let piece = passInserted() else { return }
    replace(entry..<entry, by: [piece], from: start)
  }

  /// Passes an entry, and the rows that came before it and among its rows.
  ///
  /// - Parameters:
  ///   - isSpent: whether all its rows are to be written.
  ///   - keepsParts: whether those that stay are not where others change.
  mutating func pass(_ entry: Entry, at index: Int, isSpent: Bool, keepsParts: Bool) {
    passInserted(before: index)
    let start = after
    let pieces = pieces(of: entry)
    if !isSpent, pieces == [.stored(entry, start..<after)] { return }
    let whole: [Piece] = after > start ? [.written(start..<after)] : []
    replace(index..<(index + 1), by: keepsParts && !isSpent ? pieces : whole, from: start)
  }

  /// Passes the rows that came here.
  private mutating func passInserted() -> Piece? {
    let start = after
    while inserted.first == after {
      inserted.removeFirst()
      after += 1
    }
    return after > start ? .written(start..<after) : nil
  }

  /// Passes the rows of an entry, and those that came among them.
  private mutating func pieces(of entry: Entry) -> [Piece] {
    var pieces: [Piece] = []
    // The rows of the entry that were passed, and the first of them that stay side by side.
    var (row, stored) = (0, 0)
    func endStored(at after: Int) {
      let rows = stored..<row
      if !rows.isEmpty { pieces.append(.stored(entry[rows], (after - rows.count)..<after)) }
    }
    while row < entry.count {
      while let next = updated.first, next < after { updated.removeFirst() }
      if deleted.first == before + row {
        endStored(at: after)
        deleted.removeFirst()
        (row, stored) = (row + 1, row + 1)
      } else if row > 0, inserted.first == after {
        endStored(at: after)
        stored = row
        if let piece = passInserted() { pieces.add(piece) }
      } else if updated.first == after {
        endStored(at: after)
        pieces.add(.written(after..<(after + 1)))
        (row, stored, after) = (row + 1, row + 1, after + 1)
      } else {
        let step = min(
          entry.count - row, (deleted.first ?? .max) - before - row,
          (inserted.first { $0 > after } ?? .max) - after, (updated.first ?? .max) - after)
        row += step
        after += step
      }
    }
    endStored(at: after)
    before += entry.count
    return pieces
  }

  /// Puts pieces in the place of entries; side by side, it is one rewrite.
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
  /// Adds a piece; rows that are written side by side are one.
  mutating func add(_ piece: FeedManifest.Piece) {
    guard case .written(let rows) = piece, case .written(let last)? = self.last,
      last.upperBound == rows.lowerBound
    else { return append(piece) }
    self[count - 1] = .written(last.lowerBound..<rows.upperBound)
  }
}
