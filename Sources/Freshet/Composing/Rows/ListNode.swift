internal import FreshetLists
internal import struct Foundation.Date

/// A node of the tree that computes a list made of others while it is observed: the rows of a list,
/// or of an operator over one or several nodes.
protocol ListNode<Item>: Sendable {
  associatedtype Item: ListItem

  /// The number of rows in the updates that wait.
  var waitingRows: Int { get }
  /// The lists whose rows are missing at an edge: once they load more, more is shown.
  func lists(holdingBack edge: ListEdge) -> [Int]
  /// Notifies the list of an item that the item came on screen.
  mutating func willDisplay(_ item: Item)

  /// The rows that are there, as a step from nothing; called once, before anything else.
  mutating func begin() -> RowStep<Item>
  /// The steps of the rows since the last call.
  mutating func advance() -> [RowStep<Item>]
}

/// A side at which a list goes on.
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
  /// The items with edits that their source has not taken.
  var pending: ItemIDs<Item.ID> = []

  /// The same step of some of the rows, or of more.
  func with(_ edits: RowEdits, _ rows: RowTree<ListRow<Item>>) -> RowStep {
    with(edits, rows, pending: pending)
  }

  /// The same step, as one that leads here from other rows.
  ///
  /// - Complexity: O(*n*); parts that share storage are skipped.
  func since(_ before: RowTree<ListRow<Item>>) -> RowStep {
    let update = ListStep(from: ListSnapshot(before), to: ListSnapshot(rows), origin: origin)
    return with(update.rowEdits, rows)
  }

  /// The same step of other rows.
  func with<Output>(
    _ edits: RowEdits, _ rows: RowTree<ListRow<Output>>, pending: ItemIDs<Output.ID>
  ) -> RowStep<Output> {
    RowStep<Output>(
      edits: edits, rows: rows, status: status, origin: origin, pending: pending)
  }
}

/// The status of a list beside its rows, which passes through the operators over it (rule X4).
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
}
