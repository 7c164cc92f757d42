internal import FreshetLists
internal import struct Foundation.Date

/// Items that followed each other in one answer, or in answers proven adjacent.
struct Run: Sendable {
  /// The items, each id once.
  var items: [AnyItem]
  /// For each item, the request that it came in answer to.
  var requests: [Int] = []
  /// The last item of the last answer.
  var last: AnyItem?
  /// The page that continues the last item.
  var next: PageKey? = nil
  /// The items that ended a page, and the keys of those that continue them.
  var ends: [(item: RowID, next: PageKey)] = []
  /// Whether the last item is the last one of the list.
  var isEnd = false
  /// Why the rows behind the last item cannot be asked for, though the answer speaks of them.
  var unread: FeedError?
  /// The page that leads up to the first item, where the source has one.
  var previous: PageKey?
  /// When the last answer came.
  var fetchedAt: Date?
  /// The row whose key the first page was asked for by.
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

/// Where a run starts, as a timeline sees it.
enum RunPlace: Equatable, Sendable {
  /// At the head of the list.
  case head
  /// At a gap: right behind the row above it.
  case gap(Gap.ID)
  /// Right behind the last row.
  case end
  /// At the page that continues a known row, and is known itself.
  case page

  /// Whether what is behind the place is known, so that a run is to meet it.
  var isKnown: Bool { self == .head || self == .page }
}

/// How a run fits into what is known: which of its items stand where they stood.
struct MergePlan {
  /// The index of the first known row that the run speaks about.
  var start: Int
  /// The index behind the last one.
  var end = 0
  /// How many items of the run stand above all known rows: nobody asked for them.
  var skipped = 0
  /// For each item of the run that is not skipped, the index where it stands and stays.
  var keeps: [Int?] = []
  /// Whether the last item is a known row in its place, so that what follows it is known too.
  var meetsKnown = false
  /// Whether rows may be missing between the run and the row above it.
  var needsGapAbove = false
  /// Whether none of its items that are not skipped is known anywhere.
  var isNew = false
  /// Whether the run repeats nothing from above its place, though it should.
  var isApart = false

  init(start: Int) { self.start = start }
}
