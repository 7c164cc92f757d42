internal import FreshetLists

internal import struct Foundation.Date

/// The contents of a list at one moment, for items of any type.
///
/// The engine changes them, and values share them.
struct ListContents: Sendable {
  /// The rows, items and gaps, in server order.
  var rows = CountedTree<RowRef>()
  /// The indices of the gaps among the rows, ascending.
  var gaps: [Int] = []
  /// The rows as they are shown: in sections, or as one unnamed section.
  var list = SnapshotRefs()
  /// The positions of the rows of the list, by id.
  var places = RowIndex()
  /// The load states of the edges.
  var state = ListState()
  /// The status of the last fetch of live results; `nil` for other lists.
  var fetch: FetchStatus?
  /// When the source last answered for the head of the list.
  var refreshedAt: Date?
  /// Whether the source answered for the head of the list since the feed was made.
  var isAnswered = false
  /// The origin of the newest rows.
  var origin = ListOrigin.cache
  /// The row or the key of the item at which the reader is.
  var anchor: RowRef?
  /// The items with edits that the source has not taken yet.
  var pendingEdits = RowKeys()
  /// The number of updates so far: equal for contents that show the same rows.
  var step = 0
  /// Whether a limit leaves rows out.
  var isCut = false
  /// Whether rows may be missing anywhere.
  var isPartial = false
  /// The irregularities that the feed encountered so far.
  var diagnostics = FeedDiagnostics()

  /// The contents of a list that has not started.
  static let none = Shared(ListContents())

  /// The contents of live results that were not fetched yet.
  static let unfetched: Shared<ListContents> = {
    var contents = ListContents()
    contents.setFetch(FetchStatus())
    return Shared(contents)
  }()

  /// Sets the status of the last fetch, and the load states that follow from it.
  mutating func setFetch(_ fetch: FetchStatus) {
    if self.fetch?.state != fetch.state { state = ListState(fetch.state) }
    isPartial = fetch.state != .loaded
    self.fetch = fetch
  }

  /// Returns the parts that differ, besides the rows.
  func parts(differingFrom other: ListContents) -> ChangedProperties {
    var parts: ChangedProperties = []
    if state != other.state || isCut != other.isCut || isPartial != other.isPartial {
      parts.insert(.state)
    }
    if let fetch, let old = other.fetch { parts.formUnion(fetch.parts(differingFrom: old)) }
    if refreshedAt != other.refreshedAt { parts.insert(.age) }
    if !Self.areOneAnchor(anchor, other.anchor) { parts.insert(.place) }
    if pendingEdits != other.pendingEdits { parts.insert(.pendingEdits) }
    return parts
  }

  /// Returns whether both anchors are the same item, or none.
  static func areOneAnchor(_ first: RowRef?, _ second: RowRef?) -> Bool {
    guard let first, let second else { return first === second }
    return first.hasID(of: second)
  }
}
