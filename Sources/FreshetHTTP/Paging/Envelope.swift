internal import Foundation
internal import Freshet

/// A page as a body holds it: items at one place, the next URL at another, read in one pass.
struct Envelope<Item: Decodable>: Decodable {
  var items: DecodedItems<Item>
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

  private static func items(
    at pointer: JSONPointer?, _ decoder: any Decoder
  ) throws -> DecodedItems<Item> {
    if let pointer {
      return try DecodedItems<Item>(from: decoder.descending(pointer.tokens[...]))
    }
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      return try DecodedItems<Item>(from: decoder)
    }
    let arrays = object.allKeys.filter { (try? object.nestedUnkeyedContainer(forKey: $0)) != nil }
    let name =
      arrays.count == 1 ? arrays[0] : usualNames.lazy.map(Name.init).first(where: arrays.contains)
    guard let name else {
      throw FeedError.decoding(
        path: "", expected: "one array of items (say where they are)", found: "an object", url: nil)
    }
    return try object.decode(DecodedItems<Item>.self, forKey: name)
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
