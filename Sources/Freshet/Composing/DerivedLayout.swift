internal import FreshetLists

/// The value of a list made of others: its rows, in one section or several, and its state.
struct DerivedLayout<Item: ListItem>: Sendable {
  private(set) var value = ListValue<Item>()
  private let sections: RowSections<ListRow<Item>>?

  /// Creates a layout with rows in sections, or in a single section if `sections` is `nil`.
  init(in sections: RowSections<ListRow<Item>>?) { self.sections = sections }

  /// Applies a step to the value.
  ///
  /// - Returns: the update, if rows changed, and whether anything changed, rows or state.
  mutating func show(_ step: RowStep<Item>) -> (update: ListUpdate<Item>?, isNew: Bool) {
    let before = value
    var contents = before.contents
    var list = before.list
    var changes = ListChanges()
    if !step.edits.isEmpty {
      moveGaps(step, &contents.gaps)
      if let sections {
        (changes, list) = sections.apply(step.edits, step.rows)
      } else {
        changes = list.become(step.rows, by: step.edits)
      }
    }
    (contents.rows, contents.list) = (step.rows.refs, list.refs)
    contents.state = step.status.state
    if !contents.state.gaps.isEmpty {
      let shownGaps = Set(contents.gaps.lazy.compactMap { step.rows[$0].gap?.id })
      contents.state.gaps = contents.state.gaps.filter { shownGaps.contains($0.key) }
      contents.state.gapSizes = contents.state.gapSizes.filter { shownGaps.contains($0.key) }
    }
    contents.refreshedAt = step.status.refreshedAt
    (contents.isCut, contents.isPartial) = (step.status.isCut, step.status.isPartial)
    contents.pendingEdits = step.pending.keys
    guard !changes.isEmpty else {
      value = ListValue(contents)
      return (nil, !value.parts(differingFrom: before).isEmpty)
    }
    contents.origin = step.origin
    contents.step += 1
    contents.places.apply(changes, from: before.list, to: list)
    value = ListValue(contents)
    let update = ListStep(
      before: before.list, after: list, changes: changes, origin: step.origin)
    return (ListUpdate(step: update, value: value), true)
  }

  private func moveGaps(_ step: RowStep<Item>, _ gaps: inout [Int]) {
    if step.edits.inserted.count == step.rows.count {
      gaps = step.rows.enumerated().lazy.filter { $0.element.gap != nil }.map(\.offset)
      return
    }
    gaps = gaps.compactMap(step.edits.place(of:))
    gaps += step.edits.inserted.filter { step.rows[$0].gap != nil }
    gaps.sort()
  }

  /// Continues the step numbers of a list that was not observed for a while.
  mutating func continueSteps(after step: Int) {
    var contents = value.contents
    contents.step = step
    value = ListValue(contents)
  }
}
