internal import Foundation
internal import Freshet

/// A page as a body holds it: items at one place, the next URL at another, read in one pass.
struct Envelope<Item: Decodable>: Decodable {
  var items: [Item]
  var next: String?
  var previous: String?

  /// Where to look.
  struct Places: Sendable {
    /// The place of the items; `nil` for the document if it is an array, else its only array, else
    /// the array with one of the usual names.
    var items: JSONPointer?
    var next: [JSONPointer]
    var previous: [JSONPointer]
  }

  private static var usualNames: [String] {
    ["items", "data", "results", "rows", "features", "value"]
  }

  init(from decoder: any Decoder) throws {
    guard let places = decoder.userInfo[.places] as? Places else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "no places to look at"))
    }
    items = try Self.items(at: places.items, decoder)
    next = try Self.firstLink(at: places.next, decoder)
    previous = try Self.firstLink(at: places.previous, decoder)
  }

  private static func items(at pointer: JSONPointer?, _ decoder: any Decoder) throws -> [Item] {
    if let pointer { return try [Item](from: decoder.descending(pointer.tokens[...])) }
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      return try decoder.singleValueContainer().decode([Item].self)
    }
    let arrays = object.allKeys.filter { (try? object.nestedUnkeyedContainer(forKey: $0)) != nil }
    let name =
      arrays.count == 1 ? arrays[0] : usualNames.lazy.map(Name.init).first(where: arrays.contains)
    guard let name else {
      throw FeedError.decoding(
        path: "", expected: "one array of items (say where they are)", found: "an object", url: nil)
    }
    return try object.decode([Item].self, forKey: name)
  }

  private static func firstLink(
    at places: [JSONPointer], _ decoder: any Decoder
  ) throws -> String? {
    for place in places { if let link = try link(at: place, decoder) { return link } }
    return nil
  }

  /// The URL of a neighbouring page at a place: absent, `null` or empty at the end of the list.
  private static func link(at pointer: JSONPointer, _ decoder: any Decoder) throws -> String? {
    guard let place = try? decoder.descending(pointer.tokens[...]) else { return nil }
    let value = try place.singleValueContainer()
    if value.decodeNil() { return nil }
    // JSON:API allows a link to be an object.
    if let object = try? place.container(keyedBy: Name.self), object.contains(Name("href")) {
      return try link(at: JSONPointer(tokens: ["href"]), place)
    }
    let text = try value.decode(String.self)
    return text.isEmpty ? nil : text
  }
}

extension CodingUserInfoKey {
  static var places: CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: "freshet.places") else {
      preconditionFailure("any text is a key")
    }
    return key
  }
}

/// The name of a JSON member, or the index of an element.
struct Name: CodingKey, Hashable {
  let stringValue: String
  var intValue: Int? { Int(stringValue) }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init("\(intValue)") }
}

extension Decoder {
  /// The decoder of what stands at a path.
  fileprivate func descending(_ path: ArraySlice<String>) throws -> any Decoder {
    guard let first = path.first else { return self }
    if let index = JSONPointer.index(first), var array = try? unkeyedContainer() {
      for _ in 0..<index { _ = try array.superDecoder() }
      return try array.superDecoder().descending(path.dropFirst())
    }
    let object = try container(keyedBy: Name.self)
    guard object.contains(Name(first)) else {
      throw DecodingError.keyNotFound(
        Name(first), .init(codingPath: codingPath, debugDescription: "no such member"))
    }
    return try object.superDecoder(forKey: Name(first)).descending(path.dropFirst())
  }
}

extension FeedError {
  /// A decoding error, with its place as a JSON pointer.
  static func decoding(_ error: DecodingError, _ url: URL) -> FeedError {
    func pointer(_ path: [any CodingKey]) -> String {
      JSONPointer(tokens: path.map { $0.intValue.map(String.init) ?? $0.stringValue }).description
    }
    let (path, expected, found) =
      switch error {
      case .typeMismatch(let type, let context):
        (context.codingPath, name(of: type), foundValue(context.debugDescription))
      case .valueNotFound(let type, let context): (context.codingPath, name(of: type), "null")
      case .keyNotFound(let key, let context): (context.codingPath + [key], "a value", "nothing")
      case .dataCorrupted(let context) where context.codingPath.isEmpty:
        ([], "JSON", "something else")
      case .dataCorrupted(let context):
        (context.codingPath, "another value", context.debugDescription)
      @unknown default: ([], "JSON", "\(error)")
      }
    return .decoding(path: pointer(path), expected: expected, found: found, url: url)
  }

  private static func name(of type: Any.Type) -> String {
    switch "\(type)" {
    case let name where name.hasPrefix("Dictionary"): "an object"
    case let name where name.hasPrefix("Array"): "an array"
    case "String": "a text"
    case let name: name
    }
  }

  /// What Foundation's decoder says it found, between "but found" and "instead".
  private static func foundValue(_ description: String) -> String {
    guard let start = description.range(of: "but found ")?.upperBound,
      let end = description.range(of: " instead")?.lowerBound, start < end
    else { return description }
    return switch description[start..<end] {
    case "a dictionary": "an object"
    case "a string", "a string/data": "a text"
    case let found: String(found)
    }
  }
}
