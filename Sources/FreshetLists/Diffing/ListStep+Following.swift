extension ListStep {
  /// Two steps that follow each other as one, from the list before the first to the list after the
  /// second: without changes where they undo each other.
  ///
  /// - Precondition: `next` begins with the list that this step ends with.
  /// - Returns: `nil` where a section goes and comes again: what became of its rows is to be found
  ///   by a difference alone.
  /// - Complexity: O(sections + *k* log *k* + *k* log *n*) for *k* rows that the steps name (rule
  ///   C4).
  package func followed(by next: ListStep) -> ListStep? {
    let later = Dictionary(uniqueKeysWithValues: next.sectionEdits.map { ($0.before, $0) })
    let edits = sectionEdits.compactMap { edit in
      later[edit.after].map {
        SectionEdits(
          before: edit.before, after: $0.after, rows: edit.rows.followed(by: $0.rows))
      }
    }
    var changes = ListChanges(from: before, to: next.after, edits: edits)
    let gone = Set(changes.deletedSections.lazy.map { before.sections[$0].name })
    if changes.insertedSections.contains(where: { gone.contains(next.after.sections[$0].name) }) {
      return nil
    }
    if !changes.updatedRows.isEmpty {
      changes.updatedRows = zip(changes.updatedRows, changes.updatedRowsBefore)
        .filter { next.after[$0] != before[$1] }.map(\.0)
    }
    return ListStep(before: before, after: next.after, changes: changes, origin: next.origin)
  }
}

extension RowEdits {
  /// These edits and others that follow them as one.
  ///
  /// - Complexity: O(*k* log *k*).
  @inlinable
  package func followed(by next: RowEdits) -> RowEdits {
    let came = Set(inserted)
    let gone = next.deleted.lazy.filter { !came.contains($0) }.map(placeBefore)
    let changed = next.updated.lazy.filter { !came.contains(next.placeBefore($0)) }
    return RowEdits(
      deleted: (deleted + gone).sorted(),
      inserted: (next.inserted + inserted.compactMap(next.place(of:))).sorted(),
      updated: Set(changed).union(updated.compactMap(next.place(of:))).sorted())
  }
}
