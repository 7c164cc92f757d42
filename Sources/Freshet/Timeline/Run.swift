internal import FreshetLists
internal import struct Foundation.Date

/// Items that follow each other in one answer, or in answers proven adjacent.
struct Run: Sendable {
  /// The items.
  ///
  /// Each id occurs once.
  var items: [AnyItem]
  /// For each item, the request whose answer included it.
  var requests: [Int] = []
  /// The last item of the last answer.
  var last: AnyItem?
  /// The key of the page that continues the last item.
  var next: PageKey? = nil
  /// The items that ended a page, each with the key of the page that continues it.
  var ends: [(item: RowID, next: PageKey)] = []
  /// Whether the last item is the last one of the list.
  var isEnd = false
  /// The error if the answer mentions rows after the last item that cannot be requested.
  var unread: FeedError?
  /// The key of the page that leads up to the first item, if the source has one.
  var previous: PageKey?
  /// The items that began a window, each with the key of the page that leads up to it.
  var starts: [(item: RowID, previous: PageKey?)] = []
  /// The time when the last answer arrived.
  var fetchedAt: Date?
  /// The row whose key was used to request the first page.
  var after: RowID?
  /// The key of the first page.
  var key: PageKey?

  /// Removes the items with these ids.
  mutating func remove(_ ids: Set<RowID>) {
    let kept = items.indices.filter { !ids.contains(items[$0].id) }
    items = kept.map { items[$0] }
    requests = kept.map { requests[$0] }
  }
}

/// The place in a timeline where a run starts.
enum RunPlace: Equatable, Sendable {
  /// At the head of the list.
  case head
  /// At a gap: directly after the row above it.
  case gap(Gap.ID)
  /// Directly after the last row.
  case end
  /// At a page that continues a known row, and is known itself.
  case page
  /// Between rows that were not loaded.
  case apart

  /// Whether the rows after the place are known, so that a run should meet them.
  var isKnown: Bool { self == .head || self == .page }
}

/// A plan for merging a run into the known rows: which of its items keep their positions.
struct MergePlan {
  /// The index of the first known row that the run speaks about.
  var start: Int
  /// The index after the last known row that the run speaks about.
  var end = 0
  /// How many items of the run are above all known rows.
  ///
  /// They were not requested.
  var skipped = 0
  /// For each item that is not skipped, the index of its row if the row stays there.
  var keeps: [Int?] = []
  /// Whether the run ends at a known row, or no row follows it, so that it needs no gap below.
  var meetsKnown = false
  /// Whether rows may be missing between the run and the row above it.
  var needsGapAbove = false
  /// Whether all items that are not skipped are new to the timeline.
  var isNew = false
  /// Whether the run repeats no row from above its place, although it should.
  var isApart = false
  /// Whether the positions in the source's answers are certain.
  ///
  /// An item of the run that is elsewhere in the timeline has moved then.
  var isExact = false

  init(start: Int) { self.start = start }
}
