internal import Foundation

/// A mutation as an outbox stores it, whatever its type.
struct StoredMutation: Codable, Equatable, Sendable {
  /// The idempotency key, which also identifies the mutation.
  let key: String
  /// The order in which mutations were performed.
  var number: UInt64
  let name: String
  let version: Int
  /// The name of the item type.
  let itemName: String
  let performedAt: Date
  /// Whether the mutation inserts its item.
  let isInsertion: Bool
  /// The list that shows the insertion; `nil` for all lists of its items.
  let list: String?
  var lane: String
  /// The id of the item, in JSON.
  var target: String
  /// The mutation, in JSON.
  var json: String

  /// Encodes a mutation.
  ///
  /// - Throws: an error if it cannot be encoded, or not decoded again.
  init<Performed: Mutation>(
    _ mutation: Performed, key: String, at date: Date, list: String?
  ) throws {
    self.key = key
    number = 0
    name = Performed.name
    version = Performed.version
    itemName = "\(Performed.Item.self)"
    performedAt = date
    if case .insert = mutation.edit() { isInsertion = true } else { isInsertion = false }
    self.list = isInsertion ? list : nil
    target = try Self.encode(mutation.target)
    lane = Self.lane(of: mutation, target)
    json = try Self.encode(mutation)
    _ = try decoded(as: Performed.self)
  }

  /// Returns the mutation with other contents.
  func replaced(by mutation: some Mutation) throws -> StoredMutation {
    var stored = self
    stored.target = try Self.encode(mutation.target)
    stored.lane = Self.lane(of: mutation, stored.target)
    stored.json = try Self.encode(mutation)
    return stored
  }

  private static func lane<Performed: Mutation>(of mutation: Performed, _ target: String) -> String
  {
    mutation.lane.map { "lane \($0)" } ?? "\(Performed.Item.self) \(target)"
  }

  func decoded<Performed: Mutation>(as type: Performed.Type) throws -> Performed {
    version == Performed.version
      ? try JSONDecoder().decode(Performed.self, from: Data(json.utf8))
      : try Performed.migrate(Data(json.utf8), from: version)
  }

  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from json: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }
}
