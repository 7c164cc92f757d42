internal import FreshetLists
internal import struct Foundation.Date

/// The rows that a list made of others shows while somebody looks: a list that is observed, or what
/// becomes of one or several.
protocol ListNode<Item>: Sendable {
  associatedtype Item: ListItem

  /// How many rows wait to be taken in.
  var waitingRows: Int { get }
  /// The lists that hold the rest back at an edge: with more of their rows more shows.
  func lists(holdingBack edge: ListEdge) -> [Int]
  /// Tells the list that an item comes from that it came on screen.
  mutating func willDisplay(_ item: Item)

  /// All rows that are there, as a step from nothing; called once, before anything else.
  mutating func begin() -> RowStep<Item>
  /// What became of the rows since the last call.
  mutating func advance() -> [RowStep<Item>]
}

/// A side at which a list goes on.
enum ListEdge: Sendable {
  case previous
  case next
}

/// What became of rows in one step, and how their list stands then (rule R5).
struct RowStep<Item: ListItem>: Sendable {
  var edits = RowEdits()
  var rows: RowTree<ListRow<Item>> = []
  var standing = ListStatus()
  var origin = ListOrigin.cache
  /// The items that are being sent.
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
      edits: edits, rows: rows, standing: standing, origin: origin, pending: pending)
  }
}

/// How a list stands, beside its rows: what passes through whatever is made of it (rule X4).
struct ListStatus: Equatable, Sendable {
  var loads = ListState()
  var refreshedAt: Date?
  var isCut = false
  var isPartial = false

  init() {}

  init(_ value: ListValue<some ListItem>) {
    loads = value.state
    refreshedAt = value.refreshedAt
    isCut = value.isCut
    isPartial = value.isPartial
  }
}
