internal import Freshet

/// The limits for one response, whatever its length (rule N4).
///
/// A body within its limit may hold a million rows of a few bytes each.
enum BodyBounds {
  /// The largest number of rows on a page, unless more are requested.
  static var rows: Int { 50_000 }
  /// The largest number of links in an array.
  private static var links: Int { 10_000 }
  /// The largest number of members in an object with signals about pages.
  private static var members: Int { 10_000 }

  static func checkRows(_ count: Int, _ bound: Int, at path: [any CodingKey]) throws {
    try check(count, bound, "rows", path)
  }

  static func checkLinks(_ count: Int, at path: [any CodingKey]) throws {
    try check(count, links, "links", path)
  }

  static func checkMembers(_ count: Int, at path: [any CodingKey]) throws {
    try check(count, members, "members beside the rows", path)
  }

  private static func check(
    _ count: Int, _ bound: Int, _ what: String, _ path: [any CodingKey]
  ) throws {
    guard count > bound else { return }
    throw FeedError.decoding(
      path: JSONPointer(tokens: path.map(\.stringValue)).description,
      expected: "at most \(bound) \(what)", found: "\(count)", url: nil)
  }
}
