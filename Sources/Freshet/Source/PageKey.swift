internal import Foundation

/// The name a source gives to one of its pages, as a feed keeps it: handed back, never edited.
///
/// A source's own key, a number, a cursor or a URL, is any `Hashable & Codable & Sendable` value.
/// The feed holds its JSON text, so that it can compare keys, store them and hand them back
/// without knowing what they mean.
public struct PageKey: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The key as JSON.
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

  /// The key as JSON.
  public var description: String { json }
}
