internal import FreshetLists

/// One step of a list and all that is shown after it, whatever the type of its items.
struct StepContents: Sendable {
  /// The step of the list.
  let step: StepRefs
  /// All that is shown after the step.
  let contents: Shared<ListContents>
  /// How many items of the answer were dropped because it repeated their ids (rule L1).
  var duplicatesDropped = 0

  /// Two steps as one: without changes where they undo each other, and still with the state that
  /// came with the second.
  ///
  /// - Complexity: O(*n*); parts that share storage are skipped.
  func followed(by next: StepContents) -> StepContents {
    // Rows know how to compare, whatever their items are.
    let step = ListStep<AnyItem>(
      from: ListSnapshot(refs: step.before), to: ListSnapshot(refs: next.step.after),
      origin: next.step.origin)
    return StepContents(
      step: step.refs, contents: next.contents,
      duplicatesDropped: duplicatesDropped + next.duplicatesDropped)
  }
}

extension StepContents {
  /// The step of an observer that starts empty.
  init(beginningWith contents: Shared<ListContents>) {
    let step = ListStep<AnyItem>(
      showing: ListSnapshot(refs: contents.value.list), origin: contents.value.origin)
    self.init(step: step.refs, contents: contents)
  }
}

extension StepRefs {
  /// How many rows the step names, those of sections that came or went among them.
  package var rowsNamed: Int {
    let sections =
      changes.deletedSections.reduce(0) { $0 + before.sections[$1].rows.count }
      + changes.insertedSections.reduce(0) { $0 + after.sections[$1].rows.count }
    return sections + changes.deletedRows.count + changes.insertedRows.count
      + changes.movedRows.count + changes.updatedRows.count
  }
}

extension ListStep {
  /// The step that shows a list to an observer that starts empty.
  init(showing list: ListSnapshot<Item>, origin: ListOrigin) {
    self.init(
      before: ListSnapshot(), after: list,
      changes: ListChanges(from: ListSnapshot(), to: list, edits: []), origin: origin)
  }
}
