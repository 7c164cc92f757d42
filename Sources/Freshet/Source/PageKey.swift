internal import Foundation

/// The key of a page, as a feed stores it and passes it back to the source.
///
/// A source's own key, such as a number, a cursor or a URL, is any `Hashable & Codable & Sendable`
/// value. The feed keeps its JSON text. It can compare keys, store them and pass them back without
/// knowing their meaning.
public struct PageKey: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The key as JSON text.
  public let json: String

  /// Creates a key from stored JSON text.
  public init(json: String) { self.json = json }

  init(_ key: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    json = String(decoding: try encoder.encode(key), as: UTF8.self)
  }

  func decoded<Key: Decodable>(as type: Key.Type) throws -> Key {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  /// The key as JSON text.
  public var description: String { json }
}

extension PageKey {
  /// The key in readable form: its text or number, or the member that names the page, as `page 3`.
  var shown: String { (try? decoded(as: ShownKey.self))?.text ?? json }
}

/// The part of a key's JSON that names the page.
private struct ShownKey: Decodable {
  let text: String?

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    guard let object = try? decoder.container(keyedBy: Name.self) else {
      let value = try decoder.singleValueContainer()
      text = (try? value.decode(String.self)) ?? (try? value.decode(Int.self)).map { "\($0)" }
      return
    }
    // A case of an enumeration is an object with one member.
    let usual = ["url", "page", "number", "offset", "cursor"].map(Name.init)
    let only = object.allKeys.count == 1 ? object.allKeys.first : nil
    guard let name = only ?? usual.first(where: object.contains),
      let inner = try object.decode(ShownKey.self, forKey: name).text
    else {
      text = nil
      return
    }
    let isNumber = inner.utf8.allSatisfy { 48...57 ~= $0 }
    text =
      isNumber && !["_0", "number"].contains(name.stringValue)
      ? "\(name.stringValue) \(inner)" : inner
  }
}
