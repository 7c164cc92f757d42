// Sections that only move past others are deleted and inserted by a batch. Their rows stay in the
// index.
extension RowIndex {
  /// Rows of a section that are replaced by others.
  struct ReplacedRows {
    var rows: Range<Int>
    var new: ArraySlice<RowRef>

    /// Creates a replacement without the rows at its start and end that are the same.
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

  /// Sections that only move past others, which a batch deletes and inserts.
  struct MovedSections {
    /// The number of rows removed from such a section, by its index before.
    var gone: [Int: Int] = [:]
    /// The changes of such a section, by its index after.
    ///
    /// These are its index before, the replaced rows, and the number of rows inserted into it.
    var came: [Int: (section: Int, replaced: [ReplacedRows], changed: Int)] = [:]
  }

  /// Returns the sections that only move past others in a batch, and their changes.
  ///
  /// - Complexity: O(*n* / 64) for the *n* rows of those sections, and one comparison for each row
  ///   that was inserted or is next to one.
  func movedSections(
    _ changes: ListChanges, from before: CountedTree<SectionRefs>,
    to after: CountedTree<SectionRefs>
  ) -> MovedSections {
    var moved = MovedSections()
    if changes.deletedSections.isEmpty || changes.insertedSections.isEmpty { return moved }
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
    // Examining so many rows is no less work than starting from scratch.
    if seen > after.reduce(0, { $0 + $1.rows.count }) / 2 { return moved }
    for (section, old, replaced) in parts {
      let replaced = replaced.map {
        ReplacedRows($0.old, of: sections[old].rows.rows, by: after[section].rows.slice($0.new))
      }
      moved.gone[old] = replaced.reduce(0) { $0 + $1.rows.count }
      moved.came[section] = (old, replaced, replaced.reduce(0) { $0 + $1.new.count })
    }
    return moved
  }
}
