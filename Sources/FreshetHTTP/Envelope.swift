internal import Foundation
internal import Freshet

/// A page as a body holds it: items at one place, the next URL at another, read in one pass.
struct Envelope<Item: Decodable>: Decodable {
  var items: [Item]
  var next: String?

  /// Where to look.
  struct Places: Sendable {
    /// The place of the items; `nil` for the document if it is an array, else its only array, else
    /// the array with one of the usual names.
    var items: JSONPointer?
    var next: [JSONPointer]
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
    next = places.next.lazy.compactMap { Self.text(at: $0, decoder) }.first
  }

  private static func items(at pointer: JSONPointer?, _ decoder: any Decoder) throws -> [Item] {
    if let pointer { return try decoder.decode([Item].self, at: pointer.tokens[...]) }
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      return try decoder.singleValueContainer().decode([Item].self)
    }
    let arrays = object.allKeys.filter { (try? object.nestedUnkeyedContainer(forKey: $0)) != nil }
    let name =
      arrays.count == 1 ? arrays[0] : usualNames.lazy.map(Name.init).first(where: arrays.contains)
    guard let name else {
      throw DecodingError.valueNotFound(
        [Item].self,
        .init(codingPath: [], debugDescription: "no array of items: say where they are"))
    }
    return try object.decode([Item].self, forKey: name)
  }

  private static func text(at pointer: JSONPointer, _ decoder: any Decoder) -> String? {
    let text = try? decoder.decode(String.self, at: pointer.tokens[...])
    // JSON:API allows a link to be an object.
    let link = text ?? (try? decoder.decode(String.self, at: (pointer.tokens + ["href"])[...]))
    return link.flatMap { $0.isEmpty ? nil : $0 }
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
  fileprivate func decode<Value: Decodable>(
    _ type: Value.Type, at path: ArraySlice<String>
  ) throws -> Value {
    guard let first = path.first else { return try singleValueContainer().decode(type) }
    if let index = Int(first), var array = try? unkeyedContainer() {
      for _ in 0..<index { _ = try array.superDecoder() }
      return try array.superDecoder().decode(type, at: path.dropFirst())
    }
    let object = try container(keyedBy: Name.self)
    guard object.contains(Name(first)) else {
      throw DecodingError.keyNotFound(
        Name(first), .init(codingPath: codingPath, debugDescription: "no such member"))
    }
    return try object.superDecoder(forKey: Name(first)).decode(type, at: path.dropFirst())
  }
}

extension FeedError {
  /// A decoding error, with its place as a JSON pointer.
  static func decoding(_ error: DecodingError, _ url: URL) -> FeedError {
    func pointer(_ path: [any CodingKey]) -> String {
      JSONPointer(tokens: path.map { $0.intValue.map(String.init) ?? $0.stringValue }).description
    }
    switch error {
    case .typeMismatch(let type, let context):
      return .decoding(
        path: pointer(context.codingPath), expected: "\(type)", found: "something else", url: url)
    case .valueNotFound(let type, let context):
      return .decoding(
        path: pointer(context.codingPath), expected: "\(type)",
        found: context.codingPath.isEmpty ? context.debugDescription : "null", url: url)
    case .keyNotFound(let key, let context):
      return .decoding(
        path: pointer(context.codingPath + [key]), expected: "a value", found: "nothing", url: url)
    case .dataCorrupted(let context):
      return .decoding(
        path: pointer(context.codingPath),
        expected: context.codingPath.isEmpty ? "JSON" : "another value",
        found: context.codingPath.isEmpty ? "something else" : context.debugDescription, url: url)
    @unknown default:
      return .decoding(path: "", expected: "JSON", found: "\(error)", url: url)
    }
  }
}
