internal import Freshet

/// A statement of an answer about other pages: a member of its body or a header field.
struct PaginationSignal: Hashable, Sendable {
  /// Where it is.
  enum Place: Hashable, Sendable {
    case member(JSONPointer)
    case header(String)
    /// Status 206, without a range to go by.
    case status
  }

  /// Its meaning.
  enum Meaning: Hashable, Sendable {
    /// Whether there are more rows (`has_more`, `truncated`).
    case hasMore
    /// Whether this is all (`last`, `isLast`).
    case isLast
    /// Whether this is the first page.
    case isFirst
    /// The page that follows: a URL, a token or a number (`next`, `next_cursor`).
    case next
    /// A link to the page that follows, in a list of links.
    case nextLink
    /// The page that follows, in a `Link` header.
    case linkHeader
    /// How many rows the list has (`total`).
    case total
    /// How many rows the list has, or this page (`count`).
    case count
    /// How many pages the list has (`pages`).
    case pages
    /// Which page this is, from which row on, and how many rows are to a page: for advice.
    case page, offset, size
    /// An error beside the rows: they may not be all (`errors`, `timed_out`).
    case trouble
    /// One of two texts that name the ends of a page (`start` and `end`, `before` and `after`).
    case firstOfTwo, secondOfTwo

    /// Whether it is of a page, and not of a list only.
    var isOfPages: Bool {
      switch self {
      case .hasMore, .isLast, .isFirst, .next, .nextLink, .pages, .page, .offset, .size: true
      default: false
      }
    }
  }

  let meaning: Meaning
  let place: Place
  let value: JSONMember
  /// The name of the member or header field.
  let name: String

  init(_ meaning: Meaning, at pointer: JSONPointer, _ value: JSONMember) {
    self.meaning = meaning
    place = .member(pointer)
    self.value = value
    name = pointer.tokens.last ?? ""
  }

  init(_ meaning: Meaning, header: String, _ value: JSONMember) {
    self.meaning = meaning
    place = .header(header)
    self.value = value
    name = header
  }

  /// Status 206: a part.
  static var partial: PaginationSignal { PaginationSignal() }

  private init() { (meaning, place, value, name) = (.hasMore, .status, .flag(true), "") }

  /// The place as an error shows it.
  var placeText: String {
    switch place {
    case .member(let pointer): pointer.description.shownSafely
    case .header(let name): "the header \(name.shownSafely)"
    case .status: "status 206"
    }
  }
}

extension String {
  /// A short text of a server's, with everything that does not print as an escape (rule N5).
  var shownSafely: String { LogText(self, limit: 60).description }
}
