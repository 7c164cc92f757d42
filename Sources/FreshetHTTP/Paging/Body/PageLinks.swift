internal import Foundation

/// What a place of links holds: an array of `{"rel", "href"}`, or an object as HAL and JSON:API
/// have it.
struct PageLinks: Hashable, Sendable {
  let next: JSONMember
  let previous: JSONMember

  /// The links at a pointer, if there are any.
  ///
  /// - Throws: `FeedError.decoding` where there are more than anybody sends.
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

/// A link in an array of links: `{"rel": "next", "href": "…"}`, or
/// `{"relation": "next", "url": "…"}`, as FHIR has it; names of members in any case.
///
/// What is none is passed over.
struct LinkObject: Decodable {
  private(set) var relations: [String] = []
  private(set) var target: String?
  private(set) var type: String?
  /// Whether it is asked for by `GET`, with nothing to send.
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

  /// The links of an array; `nil` where there is none.
  static func all(in decoder: any Decoder) throws -> [LinkObject]? {
    guard let array = try? decoder.unkeyedContainer() else { return nil }
    try BodyBounds.checkLinks(array.count ?? 0, at: decoder.codingPath)
    return try? decoder.singleValueContainer().decode([LinkObject].self)
  }

  /// The target of the first link of a relation; of several in other media types the one in JSON.
  static func target(_ relation: String, of links: [LinkObject]) -> String? {
    let fitting = links.filter { $0.isPlain && $0.relations.contains(relation) }
    let inJSON = fitting.first { $0.type.map { $0.lowercased().contains("json") } ?? false }
    return (inJSON ?? fitting.first)?.target.flatMap { $0.isEmpty ? nil : $0 }
  }
}
