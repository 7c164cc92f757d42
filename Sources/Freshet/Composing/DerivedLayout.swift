internal import FreshetLists

/// What a list made of others shows: its rows as one section or in many, and how it stands.
struct DerivedLayout<Item: ListItem>: Sendable {
  private(set) var value = FeedValue<Item>()
  private let sections: RowSections<FeedRow<Item>>?
  /// The indices of the gaps among the rows, ascending.
  private var gaps: [Int] = []

  /// Lays rows out in sections, or in one.
  init(in sections: RowSections<FeedRow<Item>>?) { self.sections = sections }

  /// Shows a step.
  ///
  /// - Returns: the update, and whether anything is new, be it only how the list stands.
  mutating func show(_ step: ListStep<Item>) -> (update: FeedUpdate<Item>?, isNew: Bool) {
    let before = value
    var changes = ListChanges()
    if !step.edits.isEmpty {
      moveGaps(step)
      if let sections {
        (changes, value.list) = sections.apply(step.edits, step.rows)
      } else {
        changes = value.list.become(step.rows, by: step.edits)
      }
    }
    value.rows = step.rows
    value.items = FeedItems(rows: step.rows, gaps: gaps)
    value.state = step.standing.loads
    if !value.state.gaps.isEmpty {
      let shownGaps = Set(gaps.lazy.compactMap { step.rows[$0].gap?.id })
      value.state.gaps = value.state.gaps.filter { shownGaps.contains($0.key) }
    }
    value.refreshedAt = step.standing.refreshedAt
    value.isCut = step.standing.isCut
    value.isPartial = step.standing.isPartial
    value.pendingEdits = step.pending
    guard !changes.isEmpty else { return (nil, value.differsBesideRows(from: before)) }
    value.origin = step.origin
    value.step += 1
    value.places.apply(changes, from: before.list, to: value.list)
    let list = ListUpdate(
      before: before.list, after: value.list, changes: changes, origin: step.origin)
    return (FeedUpdate(list: list, value: value, duplicatesDropped: 0), true)
  }

  private mutating func moveGaps(_ step: ListStep<Item>) {
    if step.edits.inserted.count == step.rows.count {
      gaps = step.rows.enumerated().lazy.filter { $0.element.gap != nil }.map(\.offset)
      return
    }
    gaps = gaps.compactMap(step.edits.place(of:))
    gaps += step.edits.inserted.filter { step.rows[$0].gap != nil }
    gaps.sort()
  }

  /// Goes on after a list that nobody looked at any more.
  mutating func continueSteps(after step: Int) { value.step = step }
}
