extension RowEdits {
  /// Keeps to the rows that a limit shows: so many before, so many after.
  ///
  /// Rows that are pushed out leave from the end, and come back there.
  @usableFromInline
  mutating func limit(before: Int, after: Int) {
    while let last = deleted.last, last >= before { deleted.removeLast() }
    while let last = inserted.last, last >= after { inserted.removeLast() }
    while let last = updated.last, last >= after { updated.removeLast() }
    var surplus = (before - deleted.count) - (after - inserted.count)
    if surplus > 0 {
      let known = Set(deleted)
      var row = before - 1
      while surplus > 0, row >= 0 {
        if !known.contains(row) {
          deleted.append(row)
          surplus -= 1
        }
        row -= 1
      }
      deleted.sort()
    } else if surplus < 0 {
      let known = Set(inserted)
      var row = after - 1
      while surplus < 0, row >= 0 {
        if !known.contains(row) {
          inserted.append(row)
          surplus += 1
        }
        row -= 1
      }
      inserted.sort()
    }
    // A row that came into view brings its contents.
    if !inserted.isEmpty, !updated.isEmpty {
      let known = Set(inserted)
      updated.removeAll { known.contains($0) }
    }
  }
}
