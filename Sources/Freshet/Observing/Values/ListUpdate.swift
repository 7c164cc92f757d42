public import FreshetLists

/// One step of a list and its value after it, with the load states that belong to the rows.
///
/// ```swift
/// for await update in feed.updates {
///   let changes = update.changes  // the rows of an inserted section come with it
///   print(changes.insertedSections, changes.insertedRows, changes.deletedRows, update.value.state)
/// }
/// ```
public struct ListUpdate<Item: ListItem>: Sendable {
  let contents: StepContents

  init(_ contents: StepContents) { self.contents = contents }

  init(step: ListStep<ListRow<Item>>, value: ListValue<Item>, duplicatesDropped: Int = 0) {
    contents = StepContents(
      step: step.refs, contents: value.shared, duplicatesDropped: duplicatesDropped)
  }

  /// The step of the list, ready to be performed by a view.
  public var step: ListStep<ListRow<Item>> { ListStep(refs: contents.step) }
  /// The value of the list after the step.
  public var value: ListValue<Item> { ListValue(shared: contents.contents) }
  /// How many items of the answer were dropped because it repeated their ids (rule L1).
  public var duplicatesDropped: Int { contents.duplicatesDropped }

  /// The rows before the step.
  public var before: ListSnapshot<ListRow<Item>> { step.before }
  /// The rows after the step.
  public var after: ListSnapshot<ListRow<Item>> { step.after }
  /// The changes that lead from the rows before the step to those after it.
  public var changes: ListChanges { contents.step.changes }
  /// The origin of the step.
  public var origin: ListOrigin { contents.step.origin }
}

extension ListUpdate: CustomReflectable {
  /// The step of the list, and the value after it.
  public var customMirror: Mirror { Mirror(self, children: ["step": step, "value": value]) }
}
