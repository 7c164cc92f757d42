internal import Freshet

/// The way a server names its pages and marks the end of a list.
///
/// In every style, a list does not end while a response reports more rows (rule T8). The sign may
/// be a total, a flag, a cursor or a link, in the body or in the header. If the style cannot load
/// those rows, the rows of the page are shown and the edge after them fails with
/// `FeedError.unreadPages`. The error names the sign and a style to try.
///
/// ```swift
/// let stripe = PagingStyle.lastItem(id: "/id", parameter: "starting_after", hasMore: "/has_more")
/// let charges = HTTPFeedSource<Post>("https://api.example.com/charges", paging: stripe)
/// ```
public struct PagingStyle: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case link
    case next(JSONPointer, previous: JSONPointer?)
    case links(JSONPointer?)
    case header(String, parameter: String?)
    case cursor(JSONPointer, parameter: String, hasMore: JSONPointer?)
    case lastItem(JSONPointer, parameter: String, hasMore: JSONPointer?)
    case automatic
    case offset(parameter: String, limit: String?, first: Int)
    case page(parameter: String, size: String?, first: Int)
    case single
    case custom(CustomPaging)
  }

  let kind: Kind
  /// Whether the style alone decides where the list ends, regardless of other signals.
  private(set) var isTrusted = false

  init(kind: Kind) { self.kind = kind }

  // MARK: - Links

  /// A `Link` header with `rel="next"` (RFC 8288), as GitHub, GitLab and Mastodon send it.
  ///
  /// The list ends at a header without such a link. On the first page, it also ends if there is no
  /// header, unless the page is exactly as long as requested.
  ///
  /// A link with `rel="prev"` lets the feed read upwards: into a gap from below, or above a page
  /// in the middle of the list. Links that count (`?page=2`) shift. See ``page(_:size:first:)``
  /// for their cost.
  public static let linkHeader = PagingStyle(kind: .link)

  /// Returns a style for a URL in the body: a text, or an object with `href`.
  ///
  /// Django REST framework (`/next`), JSON Feed and Datasette (`/next_url`), JSON:API
  /// (`/links/next`) and OData (`/@odata.nextLink`) send it.
  ///
  /// The list ends if the URL is `null`, empty or absent. On the first page, a pointer whose
  /// parent is also absent is an error. An absent member is an error if the page is exactly as
  /// long as requested.
  ///
  /// - Parameters:
  ///   - pointer: the place of the next page's URL.
  ///   - previous: the place of the previous page's URL, if the server has pages that end directly
  ///     before this one.
  public static func nextURL(
    _ pointer: JSONPointer, previous: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .next(pointer, previous: previous))
  }

  /// Returns a style for links in the body: an array of links, or an object by relation.
  ///
  /// OGC API, STAC and many public services send an array of `{"rel": "next", "href": "…"}`. HAL
  /// and JSON:API send an object (`_links.next.href`).
  ///
  /// The list ends if there is no such link. Links for another method than `GET` are ignored.
  ///
  /// - Parameter pointer: the place of the links; `nil` for the first of `/links`, `/_links`,
  ///   `/Links` and `/link` that exists.
  public static func links(at pointer: JSONPointer? = nil) -> PagingStyle {
    PagingStyle(kind: .links(pointer))
  }

  /// Returns a style for a header field with the next page's URL or a token.
  ///
  /// A token is sent back as a query parameter. Kinto's `Next-Page` holds a URL. `X-Next-Cursor`
  /// and GitLab's `X-Next-Page` hold a token.
  ///
  /// The list ends if the field is absent or empty.
  ///
  /// - Parameters:
  ///   - name: the name of the field, in any case.
  ///   - parameter: the query parameter for the token; `nil` if the field holds a URL.
  public static func nextHeader(_ name: String, parameter: String? = nil) -> PagingStyle {
    PagingStyle(kind: .header(name, parameter: parameter))
  }

  // MARK: - Tokens

  /// Returns a style for a token in the body that is sent back as a query parameter.
  ///
  /// Examples are Slack's `/response_metadata/next_cursor`, Google's `/nextPageToken` and Matrix'
  /// `/next_batch`.
  ///
  /// The list ends if the token is `null`, empty or absent, or if `hasMore` is `false`. On the
  /// first page, the rules of ``nextURL(_:previous:)`` apply.
  ///
  /// - Parameters:
  ///   - pointer: the place of the token: a text, or a number, which is sent back with all its
  ///     digits.
  ///   - parameter: the query parameter for the token.
  ///   - hasMore: the place of the flag for more rows (`true` or `false`), if the server sends
  ///     one.
  public static func cursor(
    at pointer: JSONPointer, parameter: String, hasMore: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .cursor(pointer, parameter: parameter, hasMore: hasMore))
  }

  /// Returns a style for the id of a page's last row, sent back as a query parameter.
  ///
  /// Stripe's `starting_after` is an example.
  ///
  /// The list ends if `hasMore` is `false`. If the server has no such flag, it ends at an empty
  /// page. If the row was deleted and the server no longer knows its id, the feed continues from
  /// the page before.
  ///
  /// - Parameters:
  ///   - id: the place of the id in a row: a text, or a number, which is sent back with all its
  ///     digits.
  ///   - parameter: the query parameter for the id.
  ///   - hasMore: the place of the flag for more rows (`true` or `false`); `nil` loads until a
  ///     page is empty.
  public static func lastItem(
    id: JSONPointer, parameter: String, hasMore: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .lastItem(id, parameter: parameter, hasMore: hasMore))
  }

  // MARK: - Counting

  /// Returns a style for a row count: `offset` and `limit`.
  ///
  /// Each request starts one row early, and that row proves that the page follows (rule T5). The
  /// list ends if a total is reached. It also ends if a page is shorter than the one before and no
  /// total or flag contradicts that.
  ///
  /// - Parameters:
  ///   - parameter: the query parameter for the offset.
  ///   - limit: the query parameter for the page size; `nil` leaves the size to the server.
  ///   - first: the offset of the first row; 1 for FDSN services.
  public static func offset(
    _ parameter: String = "offset", limit: String? = "limit", first: Int = 0
  ) -> PagingStyle {
    PagingStyle(kind: .offset(parameter: parameter, limit: limit, first: first))
  }

  /// Returns a style for page numbers: the next page has the next number.
  ///
  /// The list ends if a total or a number of pages is reached, or if a flag says so. It also ends
  /// if the page after the last one is empty or missing (404). A page that the server refuses
  /// (422) is the end if the total is reached.
  ///
  /// Pages shift when rows change. If a row above a page is deleted, the page's first row moves to
  /// the page before, and no request returns it. So each page must be proven to follow the one
  /// before. One request is enough if the page repeats rows, or if its ids are consecutive whole
  /// numbers that continue those of the page before. Otherwise the page before is read again, and
  /// each page costs two requests (rule T5). A total proves nothing: it may be capped, estimated,
  /// or equal by chance.
  ///
  /// `load(rowAt:)` of a feed finds the page of any row, if the server reports an exact total and
  /// all pages have equally many rows.
  ///
  /// - Note: Two cases go unnoticed until the next `refresh(.all)`. One is a row out of id order
  ///   exactly at a page boundary, at the moment when a row above is deleted. The other is two
  ///   changes above a page that cancel each other out between two requests.
  ///
  /// - Parameters:
  ///   - parameter: the query parameter for the page number.
  ///   - size: the query parameter for the page size; `nil` leaves the size to the server.
  ///   - first: the number of the first page.
  public static func page(
    _ parameter: String = "page", size: String? = "per_page", first: Int = 1
  ) -> PagingStyle {
    PagingStyle(kind: .page(parameter: parameter, size: size, first: first))
  }

  // MARK: - Others

  /// A URL from any usual place in a response.
  ///
  /// The places are a `Link` header, a member such as `next`, `next_url`, `links.next` or
  /// `@odata.nextLink`, a list of links, and a `Next-Page` header.
  ///
  /// The list ends if there is no such URL and no sign of more rows. A token without a URL is an
  /// error that names the style for it. A first page without any signal may or may not be the
  /// whole list. It is an error if it is exactly as long as requested; otherwise it is the whole
  /// list.
  ///
  /// `FeedDiagnostics.paging` reports the place that was chosen.
  public static let automatic = PagingStyle(kind: .automatic)

  /// A single page that is the whole list.
  ///
  /// It is an error if the response reports more rows. To show only the first of many pages, use
  /// `.single.trusted`.
  public static let single = PagingStyle(kind: .single)

  /// The same style, which alone decides where the list ends.
  ///
  /// Other signals are ignored, such as a `total` that counts something else or a `cursor` that
  /// leads nowhere.
  ///
  /// - Warning: With the wrong style, the list stops too early without an error.
  public var trusted: PagingStyle {
    var style = self
    style.isTrusted = true
    return style
  }
}

extension PagingStyle {
  /// How pages connect, unless a page reports otherwise.
  var continuity: PageContinuity {
    switch kind {
    case .offset, .page: .overlapping
    default: .stable
    }
  }
}

extension PagingStyle.Kind {
  /// The query parameter for a token.
  var tokenParameter: String? {
    switch self {
    case .cursor(_, let parameter, _), .lastItem(_, let parameter, _): parameter
    case .header(_, let parameter): parameter
    default: nil
    }
  }

  var hasTokens: Bool { tokenParameter != nil }

  /// Whether a page is named by a row of the page before it.
  var isByRow: Bool { if case .lastItem = self { true } else { false } }

  /// Whether pages contain the reference to the next page.
  var isLinked: Bool {
    switch self {
    case .offset, .page, .single: false
    default: true
    }
  }

  /// Returns the parts of a body that the style needs.
  func reading(items: JSONPointer?, skipsInvalid: Bool) -> BodyReadingOptions {
    var reading = BodyReadingOptions(items: items, skipsInvalid: skipsInvalid)
    switch self {
    case .next(let pointer, let previous):
      reading.members = [pointer] + [previous].compactMap { $0 }
    case .links(let pointer):
      reading.links = pointer.map { [$0] } ?? ["/links", "/_links", "/Links", "/link"]
    case .cursor(let pointer, _, let hasMore):
      reading.members = [pointer] + [hasMore].compactMap { $0 }
    case .lastItem(let id, _, let hasMore):
      reading.rowID = id
      reading.members = [hasMore].compactMap { $0 }
    case .custom(let paging): reading.members = paging.pointers
    case .link, .header, .automatic, .offset, .page, .single: break
    }
    return reading
  }
}
