internal import Freshet

/// How much is taken from one answer, whatever its length (rule N4): a body within its bound may
/// hold a million rows of a few bytes each.
enum BodyBounds {
  /// How many rows a page may have of which nobody said that it be longer.
  static var rows: Int { 50_000 }
  /// How many links an array of links may have.
  private static var links: Int { 10_000 }
  /// How many members an object may have that speaks of pages.
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
