internal import FreshetLists
internal import struct Foundation.Date

/// A node of the tree that computes a list made of others while it is observed.
///
/// It supplies the rows of a list, or of an operator over one or several nodes.
protocol ListNode<Item>: Sendable {
  associatedtype Item: ListItem

  /// The number of rows in the updates that are not taken yet.
  var waitingRows: Int { get }
  /// The lists that hold back rows at an edge: once they load more, more rows are shown.
  func lists(holdingBack edge: ListEdge) -> [Int]
  /// Reports to the source list that an item appears on screen.
  mutating func willDisplay(_ item: Item)

  /// Returns the current rows, as a step from nothing; called once, before anything else.
  mutating func begin() -> RowStep<Item>
  /// Returns the steps of the rows since the last call.
  mutating func advance() -> [RowStep<Item>]
}

/// A side at which a list can have more rows.
enum ListEdge: Sendable {
  case previous
  case next
}

/// The edits of rows in one step, and the status of their list after it (rule R5).
struct RowStep<Item: ListItem>: Sendable {
  var edits = RowEdits()
  var rows: RowTree<ListRow<Item>> = []
  var status = ListStatus()
  var origin = ListOrigin.cache
  /// The items with edits that their source has not confirmed.
  var pending: ItemIDs<Item.ID> = []

  /// Returns the same step with other edits and rows.
  func with(_ edits: RowEdits, _ rows: RowTree<ListRow<Item>>) -> RowStep {
    with(edits, rows, pending: pending)
  }

  /// Returns the same step, with edits that lead to its rows from other rows.
  ///
  /// - Complexity: O(*n*); parts that share storage are skipped.
  func since(_ before: RowTree<ListRow<Item>>) -> RowStep {
    let update = ListStep(from: ListSnapshot(before), to: ListSnapshot(rows), origin: origin)
    return with(update.rowEdits, rows)
  }

  /// Returns the same step with rows of another type.
  func with<Output>(
    _ edits: RowEdits, _ rows: RowTree<ListRow<Output>>, pending: ItemIDs<Output.ID>
  ) -> RowStep<Output> {
    RowStep<Output>(
      edits: edits, rows: rows, status: status, origin: origin, pending: pending)
  }
}

/// The status of a list besides its rows, which passes through the operators over it (rule X4).
struct ListStatus: Equatable, Sendable {
  var state = ListState()
  var refreshedAt: Date?
  var isCut = false
  var isPartial = false

  init() {}

  init(_ value: ListValue<some ListItem>) {
    state = value.state
    refreshedAt = value.refreshedAt
    isCut = value.isCut
    isPartial = value.isPartial
  }

  /// Forgets the numbers of rows that are not loaded, as an operator may leave out any of them.
  mutating func forgetSizes() {
    (state.total, state.rowsAbove, state.rowsBelow, state.gapSizes) = (nil, nil, nil, [:])
  }
}
