internal import FreshetLists

/// One step of a list and the contents after it, for items of any type.
struct StepContents: Sendable {
  /// The step of the list.
  let step: StepRefs
  /// The contents of the list after the step.
  let contents: Shared<ListContents>
  /// How many items of the answer were dropped because it repeated their ids (rule L1).
  var duplicatesDropped = 0

  /// Returns two steps as one.
  ///
  /// If they undo each other, the step has no changes, and still has the state after the second.
  ///
  /// - Complexity: O(*n*); parts that share storage are skipped.
  func followed(by next: StepContents) -> StepContents {
    // Rows can be compared without knowing the type of their items.
    let step = ListStep<AnyItem>(
      from: ListSnapshot(refs: step.before), to: ListSnapshot(refs: next.step.after),
      origin: next.step.origin)
    return StepContents(
      step: step.refs, contents: next.contents,
      duplicatesDropped: duplicatesDropped + next.duplicatesDropped)
  }
}

extension StepContents {
  /// Creates the first step of an observer that starts empty.
  init(beginningWith contents: Shared<ListContents>) {
    let step = ListStep<AnyItem>(
      showing: ListSnapshot(refs: contents.value.list), origin: contents.value.origin)
    self.init(step: step.refs, contents: contents)
  }
}

extension StepRefs {
  /// The number of rows that the step names, with those of inserted and deleted sections.
  package var rowsNamed: Int {
    let sections =
      changes.deletedSections.reduce(0) { $0 + before.sections[$1].rows.count }
      + changes.insertedSections.reduce(0) { $0 + after.sections[$1].rows.count }
    return sections + changes.deletedRows.count + changes.insertedRows.count
      + changes.movedRows.count + changes.updatedRows.count
  }
}

extension ListStep {
  /// Creates the step that shows a list to an observer that starts empty.
  init(showing list: ListSnapshot<Item>, origin: ListOrigin) {
    self.init(
      before: ListSnapshot(), after: list,
      changes: ListChanges(from: ListSnapshot(), to: list, edits: []), origin: origin)
  }
}
