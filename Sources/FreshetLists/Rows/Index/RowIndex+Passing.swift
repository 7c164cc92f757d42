// Sections that only pass others, which a batch deletes and inserts: their rows stay in the index.
extension RowIndex {
  /// Rows of a section that others take the place of.
  struct ReplacedRows {
    var rows: Range<Int>
    var new: ArraySlice<RowRef>

    /// Without those above and below that are the same.
    init(_ rows: Range<Int>, of old: CountedTree<RowRef>, by replacing: CountedTree<RowRef>) {
      var (start, end) = (rows.lowerBound, rows.upperBound)
      new = Array(replacing)[...]
      while start < end, let first = new.first, old[start] === first {
        start += 1
        new.removeFirst()
      }
      while start < end, let last = new.last, old[end - 1] === last {
        end -= 1
        new.removeLast()
      }
      self.rows = start..<end
    }
  }

  /// Sections that only pass others, which a batch has as gone and come.
  struct Passing {
    /// How many rows leave such a section, by its place before.
    var gone: [Int: Int] = [:]
    /// What becomes of it, by its place after: where it was, what is replaced, and how many rows
    /// come to it.
    var came: [Int: (section: Int, replaced: [ReplacedRows], changed: Int)] = [:]
  }

  /// The sections that only pass others in a batch, and what becomes of them.
  ///
  /// - Complexity: O(*n* / 64) for the *n* rows of those sections, and one look at each that came
  ///   or stands beside one.
  func passing(
    _ changes: ListChanges, from before: CountedTree<SectionRefs>,
    to after: CountedTree<SectionRefs>
  ) -> Passing {
    var passing = Passing()
    if changes.deletedSections.isEmpty || changes.insertedSections.isEmpty { return passing }
    var gone: [String: Int] = [:]
    for section in changes.deletedSections { gone[before[section].name] = section }
    var parts: [(section: Int, old: Int, replaced: [CountedTree<RowRef>.Replaced])] = []
    var seen = 0
    for section in changes.insertedSections {
      guard let old = gone[after[section].name] else { continue }
      let replaced = after[section].rows.replaced(since: before[old].rows)
      seen += replaced.reduce(0) { $0 + $1.new.count }
      parts.append((section, old, replaced))
    }
    // To look at so many is no less work than to begin from scratch.
    if seen > after.reduce(0, { $0 + $1.rows.count }) / 2 { return passing }
    for (section, old, replaced) in parts {
      let replaced = replaced.map {
        ReplacedRows($0.old, of: sections[old].rows.rows, by: after[section].rows.slice($0.new))
      }
      passing.gone[old] = replaced.reduce(0) { $0 + $1.rows.count }
      passing.came[section] = (old, replaced, replaced.reduce(0) { $0 + $1.new.count })
    }
    return passing
  }
}
