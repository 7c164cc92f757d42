internal import FreshetLists

/// The latest answers that had a validator, so that `Page.unchanged` can stand for one of them
/// (rule N3).
///
/// A validator is handed back only while the list is what its page says: these rows, side by side,
/// with these contents. Where news, an edit or another page said something else since, the source
/// is asked for all of the page again. A validator may be too coarse to tell what changed (a
/// `Last-Modified` within one second, a cache on the way), and what was said later must not come
/// undone (rules R2, R6).
struct AnsweredPages: Sendable {
  typealias Answer = Page<AnyItem, PageKey>

  /// How many pages beside the head are remembered.
  private static var pageLimit: Int { 32 }
  /// How many rows a page may have, and how many all pages beside the head.
  private static var rowLimit: Int { 1 << 16 }

  private var head: Answer?
  /// Whether the head of the list is what its page says, if that is known.
  private var stands: Bool?
  private var pages: [PageKey: (page: Answer, use: Int)] = [:]
  private var lastUse = 0

  /// How many pages are remembered, the head among them.
  var count: Int { pages.count + (head == nil ? 0 : 1) }

  /// The source answered with a page: one without a validator forgets what was remembered.
  mutating func note(_ page: Answer, for key: PageKey?) {
    let named = page.hasUsableValidator && page.items.count <= Self.rowLimit ? page : nil
    guard let key else {
      (head, stands) = (named, nil)
      return
    }
    lastUse += 1
    pages[key] = named.map { ($0, lastUse) }
    var rows = pages.values.reduce(0) { $0 + $1.page.items.count }
    while pages.count > Self.pageLimit || rows > Self.rowLimit,
      let oldest = pages.min(by: { $0.value.use < $1.value.use })
    {
      rows -= oldest.value.page.items.count
      pages[oldest.key] = nil
    }
  }

  /// The page whose validator goes with a request; `nil` where all of the page is to be asked for.
  ///
  /// - Complexity: O(*m*) for a page of *m* rows.
  mutating func offer(for key: PageKey?, in timeline: Timeline) -> Answer? {
    guard let key else { return headStands(in: timeline) ? head : nil }
    guard let page = pages[key]?.page, let first = page.items.first,
      let start = timeline.index(of: first.id), page.stands(at: start, in: timeline)
    else { return nil }
    lastUse += 1
    pages[key]?.use = lastUse
    return page
  }

  /// What a cache keeps of the head; `nil` where the list does not begin with what its page says.
  ///
  /// - Complexity: O(1) where nothing changed among the rows of the page, else O(*m*).
  mutating func stored(in timeline: Timeline) -> CachedPage? {
    // Why the edge behind a page fails is not kept, and must not become an end.
    guard headStands(in: timeline), let head, head.unread == nil, let page = CachedPage(head) else {
      return nil
    }
    return page
  }

  /// A key expired: the pages that name it are asked for anew, and so are all where there is no
  /// key.
  mutating func forget(naming key: PageKey?) {
    guard let key else {
      self = AnsweredPages()
      return
    }
    pages[key] = nil
    pages = pages.filter { $0.value.page.next != key && $0.value.page.previous != key }
    if head?.next == key || head?.previous == key { head = nil }
  }

  /// Rows changed.
  ///
  /// Once news or an edit made the head differ from its page, no other news make it the page again.
  ///
  /// - Complexity: O(1): indices ascend.
  mutating func rowsChanged(_ edits: RowEdits, because cause: RowTrace.Cause) {
    guard let head, stands != nil else { return }
    // A page that is all of the list says that nothing follows.
    let end = head.next == nil ? Int.max : head.items.count
    let first = [edits.deleted.first, edits.inserted.first, edits.updated.first]
    guard first.contains(where: { $0.map { $0 < end } ?? false }) else { return }
    switch cause {
    case .page, .cache: stands = nil
    case .event, .edit: if stands == true { stands = nil }
    }
  }

  /// An answer was merged at the head.
  mutating func headMerged() { stands = nil }

  private mutating func headStands(in timeline: Timeline) -> Bool {
    guard let head else { return false }
    let stands = stands ?? head.stands(at: 0, in: timeline)
    self.stands = stands
    return stands
  }
}

extension Page where Item == AnyItem, Key == PageKey {
  /// Whether there is a validator, and it is no longer than one is kept.
  fileprivate var hasUsableValidator: Bool {
    validator.map { CachedPage.lengths.contains($0.utf8.count) } ?? false
  }

  /// Whether a timeline says from an index on what the page says.
  fileprivate func stands(at start: Int, in timeline: Timeline) -> Bool {
    let end = start + items.count
    guard end <= timeline.count, next != nil || end == timeline.count else { return false }
    return zip(timeline.rows.slice(start..<end), items).allSatisfy { $0.item == $1 }
  }
}
