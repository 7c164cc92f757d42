extension ListStep {
  /// Returns this step and the next one as a single step.
  ///
  /// It leads from the list before the first to the list after the second. If the two undo each
  /// other, it has no changes.
  ///
  /// - Precondition: `next` begins with the list that this step ends with.
  /// - Returns: `nil` if a section is deleted and inserted again. The edits of its rows can then
  ///   be found by a difference only.
  /// - Complexity: O(sections + *k* log *k* + *k* log *n*) for *k* rows that the steps name (rule
  ///   C4).
  package func followed(by next: ListStep) -> ListStep? {
    let later = Dictionary(uniqueKeysWithValues: next.sectionEdits.map { ($0.before, $0) })
    let edits = sectionEdits.compactMap { edit in
      later[edit.after].map {
        SectionRowEdits(
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
  /// Returns these edits and the edits that follow them as one.
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
