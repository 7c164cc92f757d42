public import struct Foundation.URL

internal import FreshetLists

extension PagingStyle {
  /// Returns a style for a convention of your own: a closure returns the URL of the next page.
  ///
  /// Everything else works as in any style. Credentials are sent to their origin alone, requests
  /// respect the server's rate limits, and pages are revalidated. A URL that counts pages or rows
  /// is read as one that shifts (rule T5). A response that reports more rows is not the end (rule
  /// T8).
  ///
  /// ```swift
  /// let windows = PagingStyle.custom("windows", reading: ["/meta/until"]) { answer in
  ///   answer.text(at: "/meta/until").map { "?since=\($0)" }  // relative to the page's own URL
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the convention, which messages quote. Two styles with the same name and
  ///     the same pointers are equal.
  ///   - pointers: the places of the body that the closure reads.
  ///   - next: returns the URL of the page after a response, absolute or relative to that page's
  ///     URL; `nil` at the end of the list. An error that it throws fails the edge, and the rows
  ///     of the page are shown.
  public static func custom(
    _ name: String, reading pointers: [JSONPointer] = [],
    next: @escaping @Sendable (PagingAnswer) throws -> String?
  ) -> PagingStyle {
    PagingStyle(kind: .custom(CustomPaging(name: name, pointers: pointers, next: next)))
  }
}

/// The parts of a page that a paging convention of your own may read.
///
/// See `PagingStyle.custom(_:reading:next:)`.
public struct PagingAnswer: Sendable {
  /// The URL of the page that was requested.
  public let url: URL
  /// The number of rows on the page, including rows that could not be decoded.
  public let rowCount: Int
  private let members: [JSONPointer: JSONMember]
  private let headers: HTTPHeaders

  init<Item>(_ answer: PageAnswer<Item>) {
    (url, rowCount) = (answer.url, answer.rowCount)
    (members, headers) = (answer.members, answer.headers)
  }

  /// Returns the text at a pointer, or all digits of the number there; `nil` if there is neither.
  ///
  /// - Precondition: the style reads the pointer.
  public func text(at pointer: JSONPointer) -> String? { member(pointer).token }

  /// Returns the flag at a pointer; `nil` if there is none.
  ///
  /// - Precondition: the style reads the pointer.
  public func flag(at pointer: JSONPointer) -> Bool? {
    if case .flag(let flag) = member(pointer) { flag } else { nil }
  }

  /// Returns the value of a header field, whatever the case of its name; `nil` if there is none.
  public func header(_ name: String) -> String? { headers[name] }

  private func member(_ pointer: JSONPointer) -> JSONMember {
    // A response without a body (204) has no members.
    precondition(
      members[pointer] != nil || members.isEmpty,
      "The style has to name \(pointer) among the places that it reads")
    return members[pointer] ?? .absent(inParent: false)
  }
}

/// A convention by its name, and the closure that reads it.
struct CustomPaging: Hashable, Sendable {
  let name: String
  let pointers: [JSONPointer]
  let next: @Sendable (PagingAnswer) throws -> String?

  static func == (first: CustomPaging, second: CustomPaging) -> Bool {
    first.name == second.name && first.pointers == second.pointers
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(pointers)
  }
}
