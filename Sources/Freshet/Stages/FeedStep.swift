internal import FreshetLists

/// A step of a timeline by index: what was deleted before it, inserted and updated after it.
struct FeedStep: Sendable {
  /// The rows that changed.
  var edits = RowEdits()
  /// The rows for which another key is known, as indices after the step: nothing to show, but to
  /// save.
  var keyed: [Int] = []

  init() {}

  /// - Complexity: O(*k* log *n*) for *k* rows changed.
  init<Item>(
    _ edit: TimelineEdit<Item>, from before: OrderedRows<FeedRow<Item>>,
    to after: OrderedRows<FeedRow<Item>>
  ) {
    edits.deleted = edit.removed.map { before.index(of: $0.order) }
    edits.inserted = edit.inserted.map { after.index(of: $0.order) }
    edits.updated = edit.updated.map { after.index(of: $0.order) }
    keyed = edit.keyed.map(after.index(of:))
  }
}
