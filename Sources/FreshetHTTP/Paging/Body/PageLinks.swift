internal import Foundation

/// The links to other pages in a body.
///
/// They are an array of `{"rel", "href"}`, or an object, as in HAL and JSON:API.
struct PageLinks: Hashable, Sendable {
  let next: JSONMember
  let previous: JSONMember

  /// Creates the links at a pointer; `nil` if there are none.
  ///
  /// - Throws: `FeedError.decoding` if there are more links than any real response has.
  init?(at pointer: JSONPointer, _ decoder: any Decoder) throws {
    guard let place = try? decoder.descending(pointer.tokens[...]) else { return nil }
    if (try? place.container(keyedBy: Name.self)) != nil {
      next = JSONMember(at: JSONPointer(tokens: ["next"]), place)
      let names = ["prev", "previous"].map { JSONMember(at: JSONPointer(tokens: [$0]), place) }
      previous = names.first { !$0.isEmpty } ?? .null
    } else if let links = try LinkObject.all(in: place) {
      next = LinkObject.target("next", of: links).map(JSONMember.text) ?? .null
      let targets = ["prev", "previous"].compactMap { LinkObject.target($0, of: links) }
      previous = targets.first.map(JSONMember.text) ?? .null
    } else {
      return nil
    }
  }
}

/// A link in an array of links.
///
/// It is `{"rel": "next", "href": "…"}`, or `{"relation": "next", "url": "…"}` in FHIR. The names
/// of members may be in any case. An element that is not a link is ignored.
struct LinkObject: Decodable {
  private(set) var relations: [String] = []
  private(set) var target: String?
  private(set) var type: String?
  /// Whether it is requested by `GET`, without a body.
  private(set) var isPlain = true

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: Name.self) else { return }
    let keys = Dictionary(object.allKeys.map { ($0.stringValue.lowercased(), $0) }) { min($0, $1) }
    func text(_ name: String) -> String? {
      keys[name].flatMap { try? object.decode(String.self, forKey: $0) }
    }
    if let rel = keys["rel"], let several = try? object.decode([String].self, forKey: rel) {
      relations = several
    } else if let relation = text("rel") ?? text("relation") ?? text("@ref") ?? text("@rel") {
      relations = relation.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    relations = relations.map { $0.lowercased() }
    target = text("href") ?? text("url") ?? text("uri") ?? text("@href")
    type = text("type")
    isPlain = text("method").map { $0.uppercased() == "GET" } ?? true
  }

  /// Returns the links in an array; `nil` if there is no array of links.
  static func all(in decoder: any Decoder) throws -> [LinkObject]? {
    guard let array = try? decoder.unkeyedContainer() else { return nil }
    try BodyBounds.checkLinks(array.count ?? 0, at: decoder.codingPath)
    return try? decoder.singleValueContainer().decode([LinkObject].self)
  }

  /// Returns the target of the first link of a relation; JSON is preferred to other media types.
  static func target(_ relation: String, of links: [LinkObject]) -> String? {
    let fitting = links.filter { $0.isPlain && $0.relations.contains(relation) }
    let inJSON = fitting.first { $0.type.map { $0.lowercased().contains("json") } ?? false }
    return (inJSON ?? fitting.first)?.target.flatMap { $0.isEmpty ? nil : $0 }
  }
}
