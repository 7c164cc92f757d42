internal import FreshetLists

/// How far the rows on disk are read, and what waits for them.
struct RestoreProgress: Sendable {
  /// How many rows came from disk so far.
  var rows = 0
  /// Whether a gap follows them.
  var isGapNext = false
  /// Whether edits wait for the rest of what is on disk before they are stored.
  var holdsSave = false
  /// What the source said meanwhile, and the last request made before.
  var news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)] = []
  /// The page at the head, as far as its rows were read.
  private var page: (page: CachedPage, items: [AnyItem])?

  /// Whether the rows of the page at the head are still to be read, as far as that is known.
  var isHeadUnread: Bool { rows == 0 || page != nil }

  /// Takes rows from disk as those of the page at the head, if its validator is stored.
  ///
  /// They are the page as it was answered, whatever is edited meanwhile. Where one of them is lost
  /// there is no page, and the source is asked for all of it.
  ///
  /// - Returns: the page, once all of its rows came.
  mutating func collectHead(
    _ cached: CachedRows<AnyItem>
  ) -> (page: CachedPage, items: [AnyItem])? {
    if rows == 0, let page = cached.state.page, page.rows > 0 { self.page = (page, []) }
    guard case (let page, var items)? = page else { return nil }
    self.page = nil
    for row in cached.rows.prefix(page.rows - items.count) {
      guard case .item(let item, _) = row else { return nil }
      items.append(item)
    }
    if items.count == page.rows { return (page, items) }
    self.page = (page, items)
    return nil
  }
}
