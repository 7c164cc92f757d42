// Short runs become one where a step makes them too many.
extension FeedManifest {
  /// How many short runs may stand side by side.
  private static var shortRunLimit: Int { 15 }
  /// How many rows of a longer run do not part short ones.
  private static var crumb: Int { 2 }
  /// How many entries are looked at on either side of a step.
  private static var reach: Int { 64 }

  /// Writes short runs side by side as one where they are too many.
  func joiningShortRuns(_ rewrites: [Rewrite]) -> [Rewrite] {
    var joined: [Rewrite] = []
    for (index, rewrite) in rewrites.enumerated() {
      let start = joined.last?.entries.upperBound ?? 0
      let end = index + 1 < rewrites.count ? rewrites[index + 1].entries.lowerBound : entries.count
      joined.append(joiningShortRuns(rewrite, within: start..<end) ?? rewrite)
    }
    return joined
  }

  /// - Parameter range: the entries that it may take in.
  /// - Returns: `nil` where nothing is joined.
  private func joiningShortRuns(_ rewrite: Rewrite, within range: Range<Int>) -> Rewrite? {
    let above = entries[range.lowerBound..<rewrite.entries.lowerBound].suffix(Self.reach)
      .reversed().prefix(while: Self.isSmall).reversed()
    let below = entries[rewrite.entries.upperBound..<range.upperBound].prefix(Self.reach)
      .prefix(while: Self.isSmall)
    var pieces: [Piece] = []
    var row = rewrite.start - above.reduce(0) { $0 + $1.count }
    func addStored(_ entries: some Sequence<Entry>) {
      for entry in entries {
        pieces.append(.stored(entry, row..<(row + entry.count)))
        row += entry.count
      }
    }
    let start = row
    addStored(above)
    pieces += rewrite.pieces
    row = rewrite.end
    addStored(below)
    let joined = Self.joiningShortRuns(pieces)
    guard joined != pieces else { return nil }
    let first = rewrite.entries.lowerBound - above.count
    return Rewrite(
      entries: first..<(rewrite.entries.upperBound + below.count), start: start, pieces: joined)
  }

  /// Writes each stretch of small pieces that has too many short runs.
  private static func joiningShortRuns(_ pieces: [Piece]) -> [Piece] {
    var joined: [Piece] = []
    var stretch: [Piece] = []
    func endStretch() {
      if let first = stretch.first, let last = stretch.last,
        stretch.count(where: isShortRun) > shortRunLimit
      {
        stretch = [.written(first.rows.lowerBound..<last.rows.upperBound)]
      }
      for piece in stretch { joined.add(piece) }
      stretch = []
    }
    for piece in pieces {
      if !isSmall(piece) { endStretch() }
      stretch.append(piece)
      if !isSmall(piece) { endStretch() }
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

  /// A short run, or hardly anything of a longer one.
  private static func isSmall(_ entry: Entry) -> Bool {
    guard let part = entry.part else { return false }
    return part.isWhole ? part.total < shortRun : part.rows.count <= crumb
  }

  private static func isShortRun(_ piece: Piece) -> Bool {
    switch piece {
    case .stored(let entry, _): entry.part.map { $0.isWhole && $0.total < shortRun } ?? false
    case .written(let rows): rows.count < shortRun
    }
  }
}
