internal import FreshetLists

internal import struct Foundation.Date

/// What a list shows at one moment, whatever the type of its items: what the engine changes, and
/// values share.
struct ListContents: Sendable {
  /// The rows, items and gaps, in server order.
  var rows = CountedTree<RowRef>()
  /// The indices of the gaps among the rows, ascending.
  var gaps: [Int] = []
  /// The rows as they are shown: in sections, or as one unnamed section.
  var list = SnapshotRefs()
  /// The positions of the rows of the list, by id.
  var places = RowIndex()
  /// The load states of the edges; results have none.
  var state = FeedState()
  /// The status of the last fetch of live results.
  var fetch = FetchStatus()
  /// When the source last answered for the head of the list.
  var refreshedAt: Date?
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered = false
  /// Where the newest rows came from.
  var origin = ListOrigin.cache
  /// The row or the key of the item at which the reader is.
  var anchor: RowRef?
  /// The items with edits that the source has not taken yet.
  var pendingEdits = RowKeys()
  /// How many updates led here: equal for contents that show the same rows.
  var step = 0
  /// Whether a limit leaves rows out.
  var isCut = false
  /// Whether rows may be missing anywhere; of results, their `fetch` says it.
  var isPartial = false
  /// What the feed met and mended so far.
  var diagnostics = FeedDiagnostics()

  /// What a list shows that has not begun.
  static let none = Shared(ListContents())

  /// What differs beside the rows, of those that a feed has.
  func parts(differingFrom other: ListContents) -> ValueParts {
    var parts: ValueParts = []
    if state != other.state || isCut != other.isCut || isPartial != other.isPartial {
      parts.insert(.state)
    }
    if refreshedAt != other.refreshedAt { parts.insert(.age) }
    if !Self.areOneAnchor(anchor, other.anchor) { parts.insert(.place) }
    if pendingEdits != other.pendingEdits { parts.insert(.pendingEdits) }
    return parts
  }

  /// Whether the reader is at the same item.
  static func areOneAnchor(_ first: RowRef?, _ second: RowRef?) -> Bool {
    guard let first, let second else { return first === second }
    return first.hasID(of: second)
  }
}

/// The status of the last fetch of live results, and what its store says.
struct FetchStatus: Sendable {
  var state = ResultsState.initial
  /// How far the fetch is, while it is on its way and where the store says so.
  var progress: FetchProgress?
  /// Why the store cannot say at the moment what changes.
  var interruption: (any Error)?
  /// How many rows the store left out.
  var invalidItems = 0
  /// What is wrong with the first of them.
  var firstInvalidItem: (any Error)?
}
