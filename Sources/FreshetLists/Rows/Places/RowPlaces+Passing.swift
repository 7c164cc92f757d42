// Sections that only pass others, which a batch has as gone and come: their rows are not looked for
// anew.
extension RowPlaces {
  /// Rows of a section that others take the place of.
  struct ReplacedHashes {
    var rows: Range<Int>
    var hashes: ArraySlice<Int>

    /// Without those above and below that are the same.
    init(_ rows: Range<Int>, of old: RowTree<Int>, by new: [Int]) {
      var (start, end) = (rows.lowerBound, rows.upperBound)
      hashes = new[...]
      while start < end, let first = hashes.first, old[start] == first {
        start += 1
        hashes.removeFirst()
      }
      while start < end, let last = hashes.last, old[end - 1] == last {
        end -= 1
        hashes.removeLast()
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
    var came: [Int: (section: Int, replaced: [ReplacedHashes], changed: Int)] = [:]
  }

  /// The sections that only pass others in a batch, and what becomes of them.
  ///
  /// - Complexity: O(*n* / 64) for the *n* rows of those sections, and one hash for each that came
  ///   or stands beside one.
  func passing<Row: ListItem>(
    _ changes: ListChanges, from before: ListSnapshot<Row>, to after: ListSnapshot<Row>
  ) -> Passing {
    var passing = Passing()
    if changes.deletedSections.isEmpty || changes.insertedSections.isEmpty { return passing }
    var gone: [String: Int] = [:]
    for section in changes.deletedSections { gone[before.sections[section].name] = section }
    var parts: [(section: Int, old: Int, replaced: [RowTree<Row>.Replaced])] = []
    var hashed = 0
    for section in changes.insertedSections {
      guard let old = gone[after.sections[section].name] else { continue }
      let replaced = after.sections[section].rows.replaced(since: before.sections[old].rows)
      hashed += replaced.reduce(0) { $0 + $1.new.count }
      parts.append((section, old, replaced))
    }
    // To look at so many is no less than to begin anew.
    if hashed > after.count / 2 { return passing }
    for (section, old, replaced) in parts {
      let (rows, hashes) = (after.sections[section].rows, sections[old].hashes.rows)
      let replaced = replaced.map {
        ReplacedHashes($0.old, of: hashes, by: rows.hashes(in: $0.new))
      }
      passing.gone[old] = replaced.reduce(0) { $0 + $1.rows.count }
      passing.came[section] = (old, replaced, replaced.reduce(0) { $0 + $1.hashes.count })
    }
    return passing
  }
}
