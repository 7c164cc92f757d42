internal import Freshet

/// A statement about other pages in a response: a member of its body or a header field.
struct PaginationSignal: Hashable, Sendable {
  /// The place of a signal.
  enum Place: Hashable, Sendable {
    case member(JSONPointer)
    case header(String)
    /// The status 206, without a range to use.
    case status
  }

  /// The meaning of a signal.
  enum Meaning: Hashable, Sendable {
    /// Whether there are more rows (`has_more`, `truncated`).
    case hasMore
    /// Whether this is the last page (`last`, `isLast`).
    case isLast
    /// Whether this is the first page.
    case isFirst
    /// The next page: a URL, a token or a number (`next`, `next_cursor`).
    case next
    /// A link to the next page, in a list of links.
    case nextLink
    /// A link to the next page, in a `Link` header.
    case linkHeader
    /// The number of rows in the list (`total`).
    case total
    /// The number of rows in the list or on this page (`count`).
    case count
    /// The number of pages in the list (`pages`).
    case pages
    /// The number of this page, its first row, and the page size, which are used for advice.
    case page, offset, size
    /// An error beside the rows, some of which may be missing (`errors`, `timed_out`).
    case trouble
    /// One of two texts that name the ends of a page (`start` and `end`, `before` and `after`).
    case firstOfTwo, secondOfTwo

    /// Whether it is about pages, not only about lists.
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
  /// Whether there may be more than the number says, as the server stopped counting.
  var isLowerBound = false

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

  /// The signal of status 206, for a part of the list.
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
  /// The first part of a server's text, with characters that do not print escaped (rule N5).
  var shownSafely: String { LogText(self, limit: 60).description }
}
