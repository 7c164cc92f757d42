internal import Freshet

/// How a server names its pages, and how it tells the end.
///
/// Whatever the style: where an answer speaks of more rows (a total, a flag, a cursor, a link, in
/// its body or its header) and the style has no way to get them, its rows show and the edge behind
/// them fails with `FeedError.unreadPages`, which names what was seen and a style to try. It is
/// never the end (rule T8).
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
  /// Whether the style's word for the end is taken, whatever else an answer says.
  private(set) var isTrusted = false

  init(kind: Kind) { self.kind = kind }

  // MARK: - Links

  /// A `Link` header with `rel="next"` (RFC 8288), as GitHub, GitLab and Mastodon send it.
  ///
  /// The end: a header without such a link; on the first page no header at all, unless the page is
  /// exactly as long as it was asked to be.
  ///
  /// A link with `rel="prev"` lets the feed read upwards: into a gap from below, or above a page in
  /// the middle of the list. Links that count (`?page=2`) shift: see ``page(_:size:first:)`` for
  /// what they cost.
  public static let linkHeader = PagingStyle(kind: .link)

  /// A URL in the body, as Django REST framework (`/next`), JSON Feed and Datasette (`/next_url`),
  /// JSON:API (`/links/next`) and OData (`/@odata.nextLink`) send it: a text, or an object with
  /// `href`.
  ///
  /// The end: `null`, empty or absent. On the first page a pointer whose parent is absent too is an
  /// error; an absent member is one where the page is exactly as long as it was asked to be.
  ///
  /// - Parameters:
  ///   - pointer: where the URL of the page stands that follows.
  ///   - previous: where that of the page stands which ends right before this one, if the server
  ///     has such pages.
  public static func nextURL(
    _ pointer: JSONPointer, previous: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .next(pointer, previous: previous))
  }

  /// Links in the body: an array of `{"rel": "next", "href": "…"}`, as OGC API, STAC and many
  /// public services send it, or an object, as HAL and JSON:API do (`_links.next.href`).
  ///
  /// The end: no such link. Links to ask for by another method than `GET` are passed over.
  ///
  /// - Parameter pointer: where the links stand; `nil` for the first of `/links`,
  ///   `/_links`, `/Links` and `/link` that is there.
  public static func links(at pointer: JSONPointer? = nil) -> PagingStyle {
    PagingStyle(kind: .links(pointer))
  }

  /// A header field with the next URL, as Kinto's `Next-Page`, or with a token that goes back as a
  /// parameter, as `X-Next-Cursor` and GitLab's `X-Next-Page`.
  ///
  /// The end: no such field, or an empty one.
  ///
  /// - Parameters:
  ///   - name: the name of the field, in any case.
  ///   - parameter: the query parameter that takes the token; `nil` where the field holds a URL.
  public static func nextHeader(_ name: String, parameter: String? = nil) -> PagingStyle {
    PagingStyle(kind: .header(name, parameter: parameter))
  }

  // MARK: - Tokens

  /// A token in the body that goes back as a query parameter, as Slack's
  /// `/response_metadata/next_cursor`, Google's `/nextPageToken` and Matrix' `/next_batch`.
  ///
  /// The end: `null`, empty or absent, or `false` at `hasMore`. On the first page the rules of
  /// ``nextURL(_:previous:)`` hold.
  ///
  /// - Parameters:
  ///   - pointer: where the token stands: a text, or a number, of which all digits go back.
  ///   - parameter: the query parameter that takes it.
  ///   - hasMore: where `true` or `false` says whether there is more, if the server says so.
  public static func cursor(
    at pointer: JSONPointer, parameter: String, hasMore: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .cursor(pointer, parameter: parameter, hasMore: hasMore))
  }

  /// The id of a page's last row that goes back as a query parameter, as Stripe's `starting_after`.
  ///
  /// The end: `false` at `hasMore`, or an empty page where the server has no such flag. Where the
  /// row is gone and the server no longer knows its id, the feed asks by the page before.
  ///
  /// - Parameters:
  ///   - id: where the id stands in a row: a text, or a number, of which all digits go back.
  ///   - parameter: the query parameter that takes it.
  ///   - hasMore: where `true` or `false` says whether there is more; `nil` asks until a page is
  ///     empty.
  public static func lastItem(
    id: JSONPointer, parameter: String, hasMore: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .lastItem(id, parameter: parameter, hasMore: hasMore))
  }

  // MARK: - Counting

  /// A row count: `offset` and `limit`.
  ///
  /// Each page is asked for one row early, which proves that it follows (rule T5). The end: a total
  /// is reached, or a page is shorter than the one before and no total or flag says otherwise.
  ///
  /// - Parameters:
  ///   - parameter: the query parameter of the offset.
  ///   - limit: the query parameter of the page size; `nil` leaves the size to the server.
  ///   - first: the offset of the first row; 1 for FDSN services.
  public static func offset(
    _ parameter: String = "offset", limit: String? = "limit", first: Int = 0
  ) -> PagingStyle {
    PagingStyle(kind: .offset(parameter: parameter, limit: limit, first: first))
  }

  /// The next page is the next number.
  ///
  /// The end: a total or a number of pages is reached, a flag says so, or the page behind the last
  /// one is empty or not there (404). A page that is refused (422) is the end where the total is
  /// reached.
  ///
  /// Pages shift, and a row that goes above a page takes another one along that nobody sees. One
  /// request a page does where the page proves that it follows: it repeats rows; or its ids are
  /// whole numbers one by one, and go on from those of the page before. Else the page before is
  /// read again, and each page costs two requests (rule T5). A total proves nothing: it may be
  /// capped, estimated, or the same by chance.
  ///
  /// - Note: A row that stands against the order of all ids right at a boundary, in the moment
  ///   when one above goes, goes unseen until the next `refresh(.all)`; and so do two changes
  ///   above a page that cancel each other out between two requests.
  ///
  /// - Parameters:
  ///   - parameter: the query parameter of the page number.
  ///   - size: the query parameter of the page size; `nil` leaves the size to the server.
  ///   - first: the number of the first page.
  public static func page(
    _ parameter: String = "page", size: String? = "per_page", first: Int = 1
  ) -> PagingStyle {
    PagingStyle(kind: .page(parameter: parameter, size: size, first: first))
  }

  // MARK: - Others

  /// A URL wherever an answer names one: a `Link` header, a member such as `next`, `next_url`,
  /// `links.next` or `@odata.nextLink`, links, a `Next-Page` header.
  ///
  /// The end: none of them, and nothing that speaks of more. A token without a URL is an error that
  /// says which style takes it. A first page that tells nothing at all is an error where it is
  /// exactly as long as it was asked to be, and the whole list where it is not: an array and no
  /// more can mean either.
  ///
  /// `FeedDiagnostics.paging` says what was chosen.
  public static let automatic = PagingStyle(kind: .automatic)

  /// One page that is the whole list.
  ///
  /// It too is an error where the answer speaks of more; for the first page of many say
  /// `.single.trusted`.
  public static let single = PagingStyle(kind: .single)

  /// The style, whose word for the end is taken, whatever else an answer says: for a `total` that
  /// counts other things, or a `cursor` that leads nowhere.
  ///
  /// - Warning: With the wrong style a list stops short, and nothing says so.
  public var trusted: PagingStyle {
    var style = self
    style.isTrusted = true
    return style
  }
}

extension PagingStyle {
  /// How pages hang together, as long as no answer says otherwise.
  var continuity: PageContinuity {
    switch kind {
    case .offset, .page: .overlapping
    default: .stable
    }
  }
}

extension PagingStyle.Kind {
  /// The parameter that takes a token.
  var tokenParameter: String? {
    switch self {
    case .cursor(_, let parameter, _), .lastItem(_, let parameter, _): parameter
    case .header(_, let parameter): parameter
    default: nil
    }
  }

  var hasTokens: Bool { tokenParameter != nil }

  /// Whether pages are named by a row of the page before.
  var isByRow: Bool { if case .lastItem = self { true } else { false } }

  /// Whether pages lead to each other.
  var isLinked: Bool {
    switch self {
    case .offset, .page, .single: false
    default: true
    }
  }

  /// What to look for in a body.
  func reading(items: JSONPointer?, skipsInvalid: Bool) -> BodyReading {
    var reading = BodyReading(items: items, skipsInvalid: skipsInvalid)
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
