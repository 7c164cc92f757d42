public import Freshet

/// How a server names its pages.
public struct PagingStyle: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case link
    case next([JSONPointer], previous: [JSONPointer])
    case automatic
    case offset(parameter: String, limit: String?, first: Int)
    case page(parameter: String, size: String?, first: Int)
    case single
  }

  let kind: Kind

  /// A `Link` header with `rel="next"` (RFC 8288), as GitHub and Mastodon send it.
  ///
  /// A link with `rel="prev"` lets the feed read upwards: into a gap from below, or above a page in
  /// the middle of the list.
  ///
  /// The links are taken to be stable: a page starts where the one before ended, whatever came or
  /// went above. Where they count pages (`?page=2`), as GitHub's do, `page(_:size:first:)` costs more
  /// requests and notices rows that shift.
  public static let linkHeader = PagingStyle(kind: .link)

  /// A URL in the body: `null`, empty or absent at the end.
  ///
  /// - Parameters:
  ///   - pointer: where the URL of the page stands that follows.
  ///   - previous: where that of the page stands which ends right before this one, if the server has
  ///     such pages.
  public static func nextURL(
    _ pointer: JSONPointer, previous: JSONPointer? = nil
  ) -> PagingStyle {
    PagingStyle(kind: .next([pointer], previous: previous.map { [$0] } ?? []))
  }

  /// A `Link` header if there is one, else a URL in the body at one of the usual places:
  /// `next`, `next_url`, `links.next`, `@odata.nextLink`; else there is one page only.
  public static let automatic = PagingStyle(kind: .automatic)

  /// A row count: `offset` and `limit`.
  ///
  /// Each page is asked for one row early (rule T5).
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

  /// A page number.
  ///
  /// Each page costs a second request: see `NumberedSource`.
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

  /// One page that is the whole list.
  public static let single = PagingStyle(kind: .single)

  var continuity: PageContinuity {
    switch kind {
    case .offset, .page: .overlapping
    case .link, .next, .automatic, .single: .stable
    }
  }

  /// Where a body may hold the next URL.
  var nextPointers: [JSONPointer] {
    switch kind {
    case .next(let pointers, _): pointers
    case .automatic: ["/next", "/next_url", "/links/next", "/@odata.nextLink"]
    default: []
    }
  }

  /// Where a body may hold the previous URL.
  var previousPointers: [JSONPointer] {
    if case .next(_, let pointers) = kind { pointers } else { [] }
  }

  var readsLinkHeader: Bool { kind == .link || kind == .automatic }
}

/// The key of a page of a web API: to begin a feed with a page, say `.url("https://…")`.
public enum HTTPPageKey: Hashable, Codable, Sendable {
  /// The URL the server gave.
  case url(String)
  /// A count of rows.
  case offset(OffsetKey)
  /// A count of pages.
  case page(NumberedKey)
}
