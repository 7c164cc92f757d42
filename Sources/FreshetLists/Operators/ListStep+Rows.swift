extension ListStep {
  /// The step as edits of all rows, counted section after section.
  ///
  /// - Complexity: O(*k* log *k*) for *k* named rows, including those of deleted and inserted
  ///   sections.
  package var rowEdits: RowEdits {
    let (before, after, changes) = (before, after, changes)
    var edits = RowEdits(
      deleted: changes.deletedRows.map { before.index(of: $0) },
      inserted: changes.insertedRows.map { after.index(of: $0) },
      updated: changes.updatedRows.map { after.index(of: $0) })
    for section in changes.deletedSections { edits.deleted += before.indices(of: section) }
    for section in changes.insertedSections { edits.inserted += after.indices(of: section) }
    if !changes.movedRows.isEmpty {
      let moved = Set(changes.movedRows.map { after.index(of: $0.to) })
      edits.deleted += changes.movedRows.map { before.index(of: $0.from) }
      edits.inserted += moved
      edits.updated.removeAll { moved.contains($0) }
    }
    edits.deleted.sort()
    edits.inserted.sort()
    return edits
  }

  /// The edits of the rows of each section that stays.
  ///
  /// - Complexity: O(sections + *k* log *k*) for *k* named rows.
  package var sectionEdits: [SectionRowEdits] {
    let changes = changes
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
      return SectionRowEdits(before: old, after: new, rows: rows)
    }
  }
}

// The rows of a snapshot, numbered section after section.
extension ListSnapshot {
  /// Returns the number of the row at a path.
  package func index(of path: RowPath) -> Int {
    refs.indices(of: path.section).lowerBound + path.row
  }

  /// Returns the numbers of a section's rows.
  package func indices(of section: Int) -> Range<Int> { refs.indices(of: section) }
}
