public import FreshetLists

/// An answer of a source: items in server order, and the keys of the neighbouring pages.
///
/// ```swift
/// let answer = try await api.posts(after: request.key, count: request.limit)
/// return Page(answer.posts, next: answer.cursor)
/// ```
///
/// - Note: A page without a `next` key is the end of the list, however many items it holds. A short
///   or empty page with a key is not. If there are or may be more rows and the source has no key
///   for them, it sets ``unread``. The rows are then shown, and the edge after them fails (rule
///   T8).
public struct Page<Item: ListItem, Key: Hashable & Codable & Sendable>: Equatable, Sendable {
  /// The items, in the order the server lists them.
  public var items: [Item]
  /// The key of the page that follows, or `nil` at the end of the list.
  public var next: Key?
  /// The key of the page that ends directly before the first item; `nil` if there is none.
  ///
  /// There is none at the head of the list, or if the source has no such pages. The key lets a feed
  /// read upwards: into a gap from below, or above a page in the middle of the list. Sources whose
  /// pages shift supply it so that a feed can read backwards: see ``PageContinuity``.
  public var previous: Key?
  /// The version of the page, like an `ETag` (rule N3).
  ///
  /// It is sent with a later request for the page, and an answer of ``unchanged`` then means this
  /// page. It is sent only while the list shows exactly this page, not after an event, an edit or
  /// another page changed one of its rows. The validators of the latest 36 pages are remembered;
  /// that of the head is also stored in a cache. A validator of more than 1,024 bytes is ignored.
  public var validator: String?
  /// The continuity with the page that named this one; `nil` for `FeedSource.continuity`.
  ///
  /// Set it if the source learns it only from its answers. A page of a counting source is `stable`
  /// if the source has proof that it starts directly after the page before. After an `overlapping`
  /// page, the others are assumed to shift as well, unless they set this.
  public var continuity: PageContinuity?
  /// The number of rows of the answer that were left out of ``items`` as they could not be read.
  public var invalidItems = 0
  /// The error of the first of them, with its place.
  public var invalidItem: FeedError?
  /// The reason why there is no `next` key although there are or may be more rows.
  ///
  /// The edge after the items fails with this error, and only `retry()` loads it again (rule T8).
  /// The error is ignored if there is a `next` key.
  public var unread: FeedError?
  /// A description, for debugging, of how the source found the page's neighbours.
  ///
  /// It becomes `FeedDiagnostics.paging`.
  public var paging: String?
  /// The number of rows in the whole list; `nil` if the source does not know it.
  ///
  /// It becomes ``ListState/total``. If an exact number contradicts a list that is loaded whole,
  /// the list is read once more (rule T8).
  public var total: RowTotal?
  /// The number of rows of the whole list above the first item; `nil` if the source does not know.
  ///
  /// A feed that starts in the middle, or has gaps, learns from it how many rows are not loaded:
  /// see ``ListState/rowsAbove`` and ``ListState/gapSizes``.
  public var rowsAbove: RowTotal?
  /// The number of rows at which the server may have cut off the list, if that is not known.
  package var suspectedLimit: Int?
  /// Whether this is ``unchanged``: it has no items, and means the page of the request's validator.
  public private(set) var isUnchanged = false

  /// Creates a page and names its neighbours.
  public init(_ items: [Item], next: Key?, previous: Key? = nil, validator: String? = nil) {
    self.items = items
    self.next = next
    self.previous = previous
    self.validator = validator
  }

  /// The answer to a request with a validator if nothing has changed since.
  ///
  /// It means the page that had this validator. For a request without one it is an error.
  public static var unchanged: Page {
    var page = Page([], next: nil)
    page.isUnchanged = true
    return page
  }
}

extension Page {
  /// Returns the page with other keys for its neighbours.
  public func mapKeys<NewKey>(
    _ transform: (Key) throws -> NewKey
  ) rethrows -> Page<Item, NewKey> {
    page(
      of: items, next: try next.map(transform), previous: try previous.map(transform))
  }

  /// The page with type-erased items.
  var erased: Page<AnyItem, Key> {
    page(of: items.map { AnyItem($0) }, next: next, previous: previous)
  }

  private func page<Other, NewKey>(
    of items: [Other], next: NewKey?, previous: NewKey?
  ) -> Page<Other, NewKey> {
    var page = Page<Other, NewKey>(items, next: next, previous: previous, validator: validator)
    (page.continuity, page.unread, page.paging) = (continuity, unread, paging)
    (page.invalidItems, page.invalidItem) = (invalidItems, invalidItem)
    (page.total, page.rowsAbove, page.suspectedLimit) = (total, rowsAbove, suspectedLimit)
    page.isUnchanged = isUnchanged
    return page
  }
}

/// A request of a feed to its source, for one page.
///
/// ```swift
/// let feed = FeedController(cache: .file("home")) { (request: PageRequest<String>) in
///   let answer = try await api.posts(after: request.key, count: request.limit)
///   return Page(answer.posts, next: answer.cursor)
/// }
/// ```
public struct PageRequest<Key: Hashable & Codable & Sendable>: Hashable, Sendable {
  /// The key that an earlier page gave for this one; `nil` asks for the head of the list.
  public var key: Key?
  /// The number of items that the feed would like.
  ///
  /// The source may answer with more or fewer.
  public var limit: Int
  /// The validator of the page as the feed knows it.
  ///
  /// If it is still valid, the source may answer ``Page/unchanged``.
  public var validator: String?

  /// Creates a request for a page.
  public init(key: Key? = nil, limit: Int = 50, validator: String? = nil) {
    self.key = key
    self.limit = limit
    self.validator = validator
  }
}

/// Whether a key names the same place after rows before it were inserted or removed.
@nonexhaustive
public enum PageContinuity: Codable, Sendable {
  /// The key names the same place.
  ///
  /// It is a cursor or the last row's id, and a page starts directly after the page that named it.
  case stable
  /// The key names another place: pages are counted by number or offset.
  ///
  /// With such a source, each page repeats at least the last row of the page before. A feed treats
  /// rows as consecutive only if it sees that row (rule T5). If it does not, it reads backwards by
  /// `Page.previous` until it does, or shows a gap.
  case overlapping
}
