extension RowEdits {
  /// Restricts the edits to the rows that a limit shows.
  ///
  /// `before` and `after` are the numbers of rows shown before and after the edits. Rows that no
  /// longer fit are deleted at the end. They are inserted there again when there is room.
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
    // An inserted row is shown with its contents, and needs no update.
    if !inserted.isEmpty, !updated.isEmpty {
      let known = Set(inserted)
      updated.removeAll { known.contains($0) }
    }
  }
}
