internal import Foundation

/// The name a source gives to one of its pages, as a feed keeps it: handed back, never edited.
///
/// A source's own key, a number, a cursor or a URL, is any `Hashable & Codable & Sendable` value.
/// The feed holds its JSON text, so that it can compare keys, store them and hand them back
/// without knowing what they mean.
public struct PageKey: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The key as a text of JSON.
  public let json: String

  /// Wraps a key that was stored as JSON.
  public init(json: String) { self.json = json }

  init(_ key: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    json = String(decoding: try encoder.encode(key), as: UTF8.self)
  }

  func decoded<Key: Decodable>(as type: Key.Type) throws -> Key {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  /// The key as a text of JSON.
  public var description: String { json }
}

extension PageKey {
  /// The key for people: the text or number that it is, or the one in it that names the page, as
  /// `page 3`.
  var shown: String { (try? decoded(as: ShownKey.self))?.text ?? json }
}

/// What names the page in the JSON of a key.
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
