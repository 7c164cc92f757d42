internal import FreshetLists

/// The progress of reading the rows on disk, and the changes that are held back until then.
struct RestoreProgress: Sendable {
  /// The number of rows read so far.
  var rows = 0
  /// Whether a gap follows these rows.
  var isGapNext = false
  /// Whether a step is to be stored once all rows on disk are read.
  var holdsSave = false
  /// The events received meanwhile, each with the last request made before it.
  var news: [(event: FeedEvent<AnyItem>, token: Int, request: Int)] = []
  /// The page at the head, with its items read so far.
  private var page: (page: CachedHeadPage, items: [AnyItem])?

  /// Whether rows of the page at the head may still be unread.
  var isHeadUnread: Bool { rows == 0 || page != nil }

  /// Collects the rows of the page at the head, if its validator is stored.
  ///
  /// They are the page as the source sent it, without later edits. If one of them is lost, no page
  /// is returned, and the source is asked for the whole page.
  ///
  /// - Returns: the page, once all of its rows are read.
  mutating func collectHead(
    _ cached: CachedRows<AnyItem>
  ) -> (page: CachedHeadPage, items: [AnyItem])? {
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
