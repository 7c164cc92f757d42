internal import FreshetLists

/// What a list made of others shows: its rows as one section or in many, and how it stands.
struct DerivedLayout<Item: ListItem>: Sendable {
  private(set) var value = ListValue<Item>()
  private let sections: RowSections<ListRow<Item>>?

  /// Lays rows out in sections, or in one.
  init(in sections: RowSections<ListRow<Item>>?) { self.sections = sections }

  /// Shows a step.
  ///
  /// - Returns: the update, and whether anything is new, be it only how the list stands.
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

  /// Goes on after a list that nobody looked at any more.
  mutating func continueSteps(after step: Int) {
    var contents = value.contents
    contents.step = step
    value = ListValue(contents)
  }
}
