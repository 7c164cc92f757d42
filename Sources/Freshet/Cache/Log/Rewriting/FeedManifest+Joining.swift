// Joining short runs when a step causes too many of them.
extension FeedManifest {
  /// The maximum number of adjacent short runs.
  private static var shortRunLimit: Int { 15 }
  /// The size up to which a part of a longer run does not end a stretch of short runs.
  private static var smallPart: Int { 2 }
  /// The number of entries to examine on either side of a step.
  private static var reach: Int { 64 }

  /// Joins adjacent short runs if there are too many, and parts of a run that are adjacent again.
  func joiningShortRuns(_ rewrites: [Rewrite]) -> [Rewrite] {
    var joined: [Rewrite] = []
    for (index, rewrite) in rewrites.enumerated() {
      let start = joined.last?.entries.upperBound ?? 0
      let end = index + 1 < rewrites.count ? rewrites[index + 1].entries.lowerBound : entries.count
      joined.append(joiningNeighbours(of: rewrite, within: start..<end))
    }
    return joined
  }

  /// - Parameter range: the entries that it may replace.
  private func joiningNeighbours(of rewrite: Rewrite, within range: Range<Int>) -> Rewrite {
    // These are the next entry on either side, and all adjacent small ones.
    let range = range.clamped(
      to: (rewrite.entries.lowerBound - Self.reach)..<(rewrite.entries.upperBound + Self.reach))
    let above = entries.slice(range.lowerBound..<rewrite.entries.lowerBound)
    let aboveCount = max(min(above.count, 1), above.reversed().prefix(while: Self.isSmall).count)
    let below = entries.slice(rewrite.entries.upperBound..<range.upperBound)
    let belowCount = max(min(below.count, 1), below.prefix(while: Self.isSmall).count)
    var pieces: [Piece] = []
    var row = rewrite.start - above.suffix(aboveCount).reduce(0) { $0 + $1.count }
    func addStored(_ entries: some Sequence<Entry>) {
      for entry in entries {
        pieces.append(.stored(entry, row..<(row + entry.count)))
        row += entry.count
      }
    }
    addStored(above.suffix(aboveCount))
    pieces += rewrite.pieces
    row = rewrite.end
    addStored(below.prefix(belowCount))
    let first = rewrite.entries.lowerBound - aboveCount
    let last = rewrite.entries.upperBound + belowCount
    return withoutUnchanged(
      Rewrite(
        entries: first..<last, start: pieces.first?.rows.lowerBound ?? rewrite.start,
        pieces: Self.joiningShortRuns(pieces)))
  }

  /// Removes the entries at either end that do not change.
  private func withoutUnchanged(_ rewrite: Rewrite) -> Rewrite {
    var (range, start, pieces) = (rewrite.entries, rewrite.start, rewrite.pieces[...])
    while let first = range.first, case .stored(entries[first], let rows)? = pieces.first {
      pieces.removeFirst()
      range.removeFirst()
      start = rows.upperBound
    }
    while let last = range.last, case .stored(entries[last], _)? = pieces.last {
      pieces.removeLast()
      range.removeLast()
    }
    return Rewrite(entries: range, start: start, pieces: Array(pieces))
  }

  /// Joins each stretch of small pieces that has too many short runs.
  private static func joiningShortRuns(_ pieces: [Piece]) -> [Piece] {
    var joined: [Piece] = []
    var stretch: [Piece] = []
    func endStretch() {
      if let first = stretch.first, let last = stretch.last,
        shortRuns(in: stretch) > shortRunLimit
      {
        stretch = [.written(first.rows.lowerBound..<last.rows.upperBound)]
      }
      for piece in stretch { joined.add(piece) }
      stretch = []
    }
    for piece in pieces {
      if isSmall(piece) {
        stretch.append(piece)
      } else {
        endStretch()
        joined.add(piece)
      }
    }
    endStretch()
    return joined
  }

  private static func isSmall(_ piece: Piece) -> Bool {
    switch piece {
    case .stored(let entry, _): isSmall(entry)
    case .written(let rows): rows.count < shortRun
    }
  }

  /// Whether an entry is in a short run, or is a small part of a longer one.
  private static func isSmall(_ entry: Entry) -> Bool {
    entry.part.map { $0.total < shortRun || $0.rows.count <= smallPart } ?? false
  }

  /// Returns the number of short runs, including those to be written.
  private static func shortRuns(in pieces: [Piece]) -> Int {
    var stored: Set<UInt64> = []
    var written = 0
    for piece in pieces {
      switch piece {
      case .written: written += 1
      case .stored(let entry, _):
        if let part = entry.part, part.total < shortRun { stored.insert(part.sequence) }
      }
    }
    return stored.count + written
  }
}
