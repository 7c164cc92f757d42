internal import FreshetLists

/// The latest answers that had a validator, which `Page.unchanged` can refer to (rule N3).
///
/// A validator is sent only while the list still matches its page: the same adjacent rows with the
/// same contents. If a server event, an edit or another page has changed them since, the whole
/// page is requested again. A validator may be too coarse to reveal a change: a `Last-Modified`
/// within one second, or a cache in between. An old page must not undo later changes (rules R2,
/// R6).
struct AnsweredPages: Sendable {
  typealias Answer = Page<AnyItem, PageKey>

  /// The number of pages other than the head that are kept.
  private static var pageLimit: Int { 32 }
  /// The row limit of one page, and of all pages other than the head together.
  private static var rowLimit: Int { 1 << 16 }

  private var head: Answer?
  /// Whether the head of the list matches its page; `nil` if that must be checked.
  private var stands: Bool?
  private var pages: [PageKey: (page: Answer, use: Int)] = [:]
  private var lastUse = 0

  /// The number of pages that are kept, including the head.
  var count: Int { pages.count + (head == nil ? 0 : 1) }

  /// Records an answer of the source; one without a validator removes the page that was kept.
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

  /// Returns the page whose validator to send; `nil` to request the whole page.
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

  /// Returns the head as a cache stores it; `nil` if the list does not begin with its page.
  ///
  /// - Complexity: O(1) if no row of the page changed, else O(*m*).
  mutating func stored(in timeline: Timeline) -> CachedHeadPage? {
    // A cached page cannot hold the failure of the edge after it, and that edge must not become
    // an end.
    guard headStands(in: timeline), let head, head.unread == nil, let page = CachedHeadPage(head)
    else {
      return nil
    }
    return page
  }

  /// Forgets the pages that refer to an expired key, so that they are requested in full.
  ///
  /// Without a key, it forgets all pages.
  mutating func forget(naming key: PageKey?) {
    guard let key else {
      self = AnsweredPages()
      return
    }
    pages[key] = nil
    pages = pages.filter { $0.value.page.next != key && $0.value.page.previous != key }
    if head?.next == key || head?.previous == key { head = nil }
  }

  /// Records that rows changed.
  ///
  /// Once a server event or an edit made the head differ from its page, a later event or edit does
  /// not make it match again.
  ///
  /// - Complexity: O(1): indices ascend.
  mutating func rowsChanged(_ edits: RowEdits, because cause: RowTrace.Cause) {
    guard let head, stands != nil else { return }
    // A page that is the whole list also states that no rows follow.
    let end = head.next == nil ? Int.max : head.items.count
    let first = [edits.deleted.first, edits.inserted.first, edits.updated.first]
    guard first.contains(where: { $0.map { $0 < end } ?? false }) else { return }
    switch cause {
    case .page, .cache: stands = nil
    case .event, .edit: if stands == true { stands = nil }
    }
  }

  /// Records that an answer was merged at the head.
  mutating func headMerged() { stands = nil }

  private mutating func headStands(in timeline: Timeline) -> Bool {
    guard let head else { return false }
    let stands = stands ?? head.stands(at: 0, in: timeline)
    self.stands = stands
    return stands
  }
}

extension Page where Item == AnyItem, Key == PageKey {
  /// Whether the page has a validator that is short enough to be kept.
  fileprivate var hasUsableValidator: Bool {
    validator.map { CachedHeadPage.lengths.contains($0.utf8.count) } ?? false
  }

  /// Whether the rows of a timeline from an index on match the page.
  fileprivate func stands(at start: Int, in timeline: Timeline) -> Bool {
    let end = start + items.count
    guard end <= timeline.count, next != nil || end == timeline.count else { return false }
    return zip(timeline.rows.slice(start..<end), items).allSatisfy { $0.item == $1 }
  }
}
