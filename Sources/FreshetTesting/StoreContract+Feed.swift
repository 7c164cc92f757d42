public import Freshet
internal import struct Foundation.Data

extension StoreContract where Store: FeedStore {
  /// Tests the notes of a store that carries feeds.
  ///
  /// - Parameter makeStore: makes a store without items and notes.
  /// - Throws: `ContractViolation`, or the error of the store.
  public func checkNotes(makeStore: () async throws -> Store) async throws {
    try await keepsNotes(try await makeStore())
    try await findsItems(try await makeStore())
    try await attributesChanges(try await makeStore())
    if let invalid { try await notesAllOrNothing(try await makeStore(), invalid) }
  }

  private func keepsNotes(_ store: Store) async throws {
    let rule = "notes are kept as they are, for each feed its own"
    let bytes = Data((0...255).map { UInt8($0) })
    let long = Data(repeating: 7, count: 100_000)
    try await store.write(
      batch([item(1, 0)]), notes: ["a": bytes, "é'\"\\": long, "c": Data()], of: "home")
    try await store.write(ChangeBatch(), notes: ["a": Data([1])], of: "mentions'")
    try await store.write(ChangeBatch(), notes: ["c": nil, "none": nil], of: "home")
    try await expect(["a": bytes, "é'\"\\": long], store, "home", rule)
    try await expect(["a": Data([1])], store, "mentions'", rule)
    try await expect([:], store, "nothing", rule)
  }

  private func findsItems(_ store: Store) async throws {
    let rule = "items are found by their ids, and what is not there is left out"
    let items = (0..<1_500).map { item($0, 0) }
    try await store.write(batch(items), notes: [:], of: "home")
    let found = try await store.items(withIDs: items.map(\.id) + [item(9_999, 0).id])
    let byID = Dictionary(found.map { ($0.id, $0) }) { $1 }
    guard found.count == items.count, items.allSatisfy({ byID[$0.id] == $0 }) else {
      throw ContractViolation(rule: rule, found: "\(found.count) of \(items.count) items")
    }
    guard try await store.items(withIDs: []).isEmpty else {
      throw ContractViolation(rule: rule, found: "items nobody asked for")
    }
  }

  private func attributesChanges(_ store: Store) async throws {
    let rule = "only what a feed wrote last is enqueued as written by that feed"
    try await watching(store) { watcher in
      try await store.write(batch([item(1, 0), item(2, 0), item(3, 0)]), notes: [:], of: "home")
      try await watcher.shows([item(1, 0), item(2, 0), item(3, 0)], rule)
      try await store.write(updating: [item(1, 1)])
      try await store.write(batch([item(2, 1)]), notes: [:], of: "mentions")
      try await watcher.shows([item(1, 1), item(2, 1), item(3, 0)], rule)
      guard watcher.echoes.isSubset(of: [item(3, 0).id]) else {
        throw ContractViolation(rule: rule, found: "\(watcher.echoes) are said to be of a feed")
      }
    }
  }

  private func notesAllOrNothing(_ store: Store, _ invalid: Item) async throws {
    let rule = "items and notes are written together or not at all"
    try await store.write(ChangeBatch(), notes: ["a": Data([1])], of: "home")
    do {
      try await store.write(batch([invalid]), notes: ["a": nil, "b": Data([2])], of: "home")
      throw ContractViolation(rule: rule, found: "an invalid item was taken")
    } catch let violation as ContractViolation {
      throw violation
    } catch {}
    try await expect(["a": Data([1])], store, "home", rule)
  }

  private func expect(
    _ notes: [String: Data], _ store: Store, _ feed: String, _ rule: String
  ) async throws {
    let found = try await store.notes(of: feed)
    guard found == notes else {
      throw ContractViolation(rule: rule, found: "the notes of \(feed) are \(found)")
    }
  }

  private func batch(_ items: [Item]) -> ChangeBatch<Item> {
    var changes = ChangeBatch<Item>()
    for item in items { changes.add(item, as: .insert) }
    return changes
  }
}
