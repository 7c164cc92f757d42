internal import FreshetLists

/// How far the rows on disk are read, and what waits for them.
struct RestoreProgress: Sendable {
  /// How many rows came from disk so far.
  var rows = 0
  /// Whether a gap follows them.
  var isGapNext = false
  /// The page at the head, as far as its rows were read.
  var page: (page: CachedPage, items: [AnyItem])?
  /// Whether edits wait for the rest of what is on disk before they are stored.
  var holdsSave = false
  /// What the source said meanwhile, and the last request made before.
  var news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)] = []

  /// Whether the rows of the page at the head are still to be read, as far as that is known.
  var isHeadUnread: Bool { rows == 0 || page != nil }
}
