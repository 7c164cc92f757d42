internal import Foundation

/// The item of a mutation: its id, in JSON, and the name of its type.
struct MutationTarget: Codable, Hashable, Sendable {
  let itemName: String
  let id: String
}

/// A mutation as an outbox stores it, whatever its type.
struct OutboxMutation: Codable, Hashable, Sendable {
  /// The id of the mutation, which stays the same.
  let id: String
  /// The key with which it is sent; another one if the contents changed after an attempt.
  private(set) var idempotencyKey: String
  /// The order in which mutations were performed.
  var number: UInt64
  let name: String
  private(set) var version: Int
  let performedAt: Date
  /// Whether the mutation inserts its item.
  private(set) var isInsertion: Bool
  /// The list that shows the insertion; `nil` for all lists of its items.
  let list: String?
  private(set) var lane: String
  private(set) var target: MutationTarget
  /// The other items that it names; `nil` in a file of an earlier version.
  private var references: [MutationTarget]?
  /// The mutation, in JSON.
  private(set) var json: String

  /// The items that it names: its own, and others.
  var names: [MutationTarget] { [target] + (references ?? []).filter { $0 != target } }

  /// Encodes a mutation.
  ///
  /// - Throws: an error if it cannot be encoded, or not decoded again.
  init<Performed: Mutation>(
    _ mutation: Performed, id: String, at date: Date, list: String?
  ) throws {
    (self.id, idempotencyKey, number, performedAt) = (id, id, 0, date)
    (name, self.list) = (Performed.name, list)
    (version, isInsertion, lane) = (0, false, "")
    (target, json) = (MutationTarget(itemName: "", id: ""), "")
    try encode(mutation)
  }

  /// Returns the mutation with other contents.
  ///
  /// - Parameter isSent: whether it may have been sent before. It gets another key then: a server
  ///   would answer for the old contents.
  /// - Throws: an error if the type has another name, or the mutation cannot be encoded.
  func replaced(by mutation: some Mutation, isSent: Bool) throws -> OutboxMutation {
    var stored = self
    try stored.encode(mutation)
    if isSent { stored.idempotencyKey = UUID().uuidString }
    return stored
  }

  private mutating func encode<Performed: Mutation>(_ mutation: Performed) throws {
    guard Performed.name == name else {
      throw OutboxError.invalid(reason: "a \(name) is not replaced by a \(Performed.name)")
    }
    isInsertion = false
    if case .insert(let item, _) = mutation.edit() {
      isInsertion = true
      guard item.id == mutation.target else {
        throw OutboxError.invalid(reason: "the id of the new item is not the target")
      }
    }
    version = Performed.version
    target = MutationTarget(
      itemName: "\(Performed.Item.self)", id: try Self.encode(mutation.target))
    references = try Performed.references.flatMap { reference in
      try reference.ids(mutation).map { MutationTarget(itemName: reference.itemName, id: $0) }
    }
    lane = mutation.lane.map { "lane \($0)" } ?? "\(target.itemName) \(target.id)"
    json = try Self.encode(mutation)
    _ = try decoded(as: Performed.self)
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
