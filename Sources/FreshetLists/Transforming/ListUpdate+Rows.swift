extension ListUpdate {
  /// The step as edits of all rows, section after section.
  ///
  /// - Complexity: O(sections + *k* log *k*) for *k* rows that are named, those of sections that came or
  ///   went among them.
  package var rowEdits: RowEdits {
    let (old, new) = (FlatRows(before), FlatRows(after))
    let moved = Set(changes.movedRows.map { new.index(of: $0.to) })
    var edits = RowEdits()
    edits.deleted = (changes.deletedRows + changes.movedRows.map(\.from)).map(old.index(of:))
    for section in changes.deletedSections { edits.deleted += old.indices(of: section) }
    edits.inserted = changes.insertedRows.map(new.index(of:)) + moved
    for section in changes.insertedSections { edits.inserted += new.indices(of: section) }
    edits.deleted.sort()
    edits.inserted.sort()
    edits.updated = changes.updatedRows.map(new.index(of:)).filter { !moved.contains($0) }
    return edits
  }

  /// What became of the rows of each section that stays.
  ///
  /// - Complexity: O(sections + *k* log *k*) for *k* rows that are named.
  package var sectionEdits: [SectionEdits] {
    let (gone, came) = (Set(changes.deletedSections), Set(changes.insertedSections))
    let left = Dictionary(
      grouping: changes.deletedRows + changes.movedRows.map(\.from), by: \.section)
    let arrived = Dictionary(
      grouping: changes.insertedRows + changes.movedRows.map(\.to), by: \.section)
    let updated = Dictionary(grouping: changes.updatedRows, by: \.section)
    return zip(
      before.sections.indices.lazy.filter { !gone.contains($0) },
      after.sections.indices.lazy.filter { !came.contains($0) }
    ).map { old, new in
      let inserted = Set(arrived[new, default: []].map(\.row))
      let rows = RowEdits(
        deleted: left[old, default: []].map(\.row).sorted(), inserted: inserted.sorted(),
        updated: updated[new, default: []].map(\.row).filter { !inserted.contains($0) })
      return SectionEdits(before: old, after: new, rows: rows)
    }
  }
}

/// The rows of a snapshot, numbered section after section.
package struct FlatRows<Item: ListItem>: Sendable {
  private let snapshot: ListSnapshot<Item>
  /// The number of the first row of each section.
  private let starts: [Int]

  package init(_ snapshot: ListSnapshot<Item>) {
    self.snapshot = snapshot
    var start = 0
    starts = snapshot.sections.map { section in
      defer { start += section.count }
      return start
    }
  }

  /// The number of a row.
  package func index(of path: RowPath) -> Int { starts[path.section] + path.row }

  /// The numbers of the rows of a section.
  package func indices(of section: Int) -> Range<Int> {
    starts[section]..<(starts[section] + snapshot.sections[section].count)
  }

  /// The row with a number.
  ///
  /// - Complexity: O(log *n*).
  package subscript(index: Int) -> Item {
    let section = starts.partition { $0 > index } - 1
    return snapshot.sections[section].rows[index - starts[section]]
  }
}
